// The controls: a step from 0 to `length`, moved by buttons, keys, sliders and time.
// `show(step)` draws that step and returns a sentence about it. `deadEnds` are steps to go to,
// in order. With `plays` it plays when the page is opened, `rate` steps a second.
function startPlayer(length, show, { deadEnds = [], plays = false, rate = 5 } = {}) {
  const find = (id) => document.getElementById(id);
  const [slider, speed, status] = [find("step"), find("speed"), find("status")];
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const rates = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
  const far = Math.max(10, Math.round(length / 100));
  let step = 0;
  let playing = false;
  let last = 0; // when time last moved the step
  let due = 0; // the part of a step that time has earned since

  function go(to) {
    step = Math.min(length, Math.max(0, to));
    status.textContent = `Step ${formatNumber(step)} of ${formatNumber(length)}: ${show(step)}`;
    slider.value = step;
    slider.setAttribute("aria-valuetext", `step ${formatNumber(step)} of ${formatNumber(length)}`);
    find("first").disabled = find("back").disabled = step === 0;
    find("last").disabled = find("forward").disabled = step === length;
    find("before").disabled = !(deadEnds[0] < step);
    find("next").disabled = !(deadEnds.at(-1) > step);
  }

  function play(on) {
    if (on && step === length) go(0);
    playing = on;
    // Nobody wants every step read out while they fly past.
    status.setAttribute("aria-live", on ? "off" : "polite");
    find("play").textContent = on ? "❚❚ pause" : "▶ play";
    if (on) {
      last = performance.now();
      due = 0;
      requestAnimationFrame(tick);
    }
  }

  function tick(now) {
    if (!playing) return;
    due += (Math.max(0, now - last) / 1000) * rates[speed.value];
    last = now;
    const whole = Math.floor(due);
    due -= whole;
    if (whole > 0) go(step + whole);
    if (step === length) play(false);
    else requestAnimationFrame(tick);
  }

  function setSpeed(value) {
    speed.value = value;
    const rate = rates[speed.value];
    find("rate").textContent = rate === 1 ? "1 step a second" : `${rate} steps a second`;
    speed.setAttribute("aria-valuetext", find("rate").textContent);
    document.body.classList.toggle("fast", rate > 8);
  }

  function jump(to) {
    play(false);
    go(to);
  }

  // The first item that is greater than a step, or as great, by halving.
  function firstFrom(from) {
    let [low, high] = [0, deadEnds.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (deadEnds[middle] >= from) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  const keys = {
    d: () => jump(deadEnds[firstFrom(step + 1)] ?? step),
    D: () => jump(deadEnds[firstFrom(step) - 1] ?? step),
    ArrowRight: () => jump(step + 1),
    ArrowLeft: () => jump(step - 1),
    PageDown: () => jump(step + far),
    PageUp: () => jump(step - far),
    Home: () => jump(0),
    End: () => jump(length),
    " ": () => play(!playing),
    "+": () => setSpeed(Number(speed.value) + 1),
    "-": () => setSpeed(Number(speed.value) - 1),
  };

  find("first").onclick = keys.Home;
  find("before").onclick = keys.D;
  find("next").onclick = keys.d;
  find("before").hidden = find("next").hidden = deadEnds.length === 0;
  find("back").onclick = keys.ArrowLeft;
  find("play").onclick = keys[" "];
  find("forward").onclick = keys.ArrowRight;
  find("last").onclick = keys.End;
  slider.oninput = () => jump(Number(slider.value));
  speed.oninput = () => setSpeed(speed.value);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target === speed && event.key !== " ") return; // the slider's own keys
    if (event.key === " " && event.target.matches("button, summary")) return; // presses it
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  slider.max = length;
  speed.max = rates.length - 1;
  setSpeed(calm ? 0 : rates.indexOf(rate));
  play(false);
  // The address may name a step, as in replay.html#12 or #end.
  const asked = location.hash.slice(1);
  if (asked === "end") go(length);
  else if (asked) go(Number(asked) || 0);
  else if (plays && calm) go(length);
  else {
    go(0);
    play(plays);
  }
}

// An entry of a legend: a sign, drawn in a box, and what it means.
const legendEntry = (viewBox, sign, text) =>
  htmlElement("span", {}, svgElement("svg", { class: "key", viewBox }, sign), ` ${text}`);

// A list of facts with their values, and a function that sets the values.
function facts(names) {
  const values = names.map(() => htmlElement("dd"));
  const list = htmlElement("dl", {}, ...names.flatMap((name, i) => [htmlElement("dt", {}, name), values[i]]));
  return [list, (...now) => now.forEach((value, i) => (values[i].textContent = formatNumber(value)))];
}

// The stack, innermost first; of a deep one only the top is written.
function stackList(label, first = 1) {
  const list = htmlElement("ol", { class: "stack", "aria-label": label, tabindex: "0" });
  const set = (stack, nameOf) => {
    const top = stack.slice(-40);
    const below = stack.length - top.length;
    const items = top.map((item, i) => htmlElement("li", {}, `${below + i + first}. ${nameOf(item)}`));
    items.reverse();
    if (below > 0) items.push(htmlElement("li", {}, `… and ${below} below`));
    list.replaceChildren(...items);
  };
  return [list, set];
}
