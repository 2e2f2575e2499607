"""What is asked: an instance and its constraints, a task, the clock; and `TourGraph`, its graph.

`kt_cp.problem.instance.Instance` is the place to begin.
"""
