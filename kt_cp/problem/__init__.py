"""The problem: an instance and its constraints, its `TourGraph`, a task, objectives, the clock.

`kt_cp.problem.instance.Instance` is the place to begin.
"""
