// @ts-check
// The controls of a replay: a step from 0 to `length`, moved by buttons, keys, sliders and time.
import { find, formatNumber } from "./dom.js";

const RATES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]; // steps a second
const MAX_SMOOTH_RATE = 8; // steps a second, at which the piece still glides

// `show(step)` draws a step and returns a sentence about it. `deadEnds` are steps to go to, in order.
// With `plays` the replay plays when the page is opened, `rate` steps a second; a reader who prefers
// reduced motion sees the last step instead. Playing stops at the step `pause`, and can go on.
export function startReplay(length, show, { deadEnds = [], plays = false, rate = 5, pause = length } = {}) {
  const slider = find("#step");
  const speed = find("#speed");
  const status = find("#status");
  const prefersReducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const pageStep = Math.max(10, Math.round(length / 100));
  let step = 0;
  let isPlaying = false;
  let lastTick = 0; // in milliseconds, when time last moved the step
  let pendingSteps = 0; // since then, with a fraction

  function goTo(wanted) {
    step = Math.min(length, Math.max(0, wanted));
    status.textContent = `Step ${formatNumber(step)} of ${formatNumber(length)}: ${show(step)}`;
    slider.value = step;
    slider.setAttribute("aria-valuetext", `step ${formatNumber(step)} of ${formatNumber(length)}`);
    for (const id of ["first", "back"]) find(`#${id}`).disabled = step === 0;
    for (const id of ["last", "forward"]) find(`#${id}`).disabled = step === length;
    find("#dead-end-before").disabled = deadEndBefore() === undefined;
    find("#dead-end-after").disabled = deadEndAfter() === undefined;
  }

  function setPlaying(shouldPlay) {
    if (shouldPlay && step === length) goTo(0);
    isPlaying = shouldPlay;
    // A screen reader must not read out every step while they fly past.
    status.setAttribute("aria-live", shouldPlay ? "off" : "polite");
    find("#play").textContent = shouldPlay ? "❚❚ pause" : "▶ play";
    if (shouldPlay) {
      lastTick = performance.now();
      pendingSteps = 0;
      requestAnimationFrame(tick);
    }
  }

  function tick(now) {
    if (!isPlaying) return;
    pendingSteps += (Math.max(0, now - lastTick) / 1000) * RATES[speed.value];
    lastTick = now;
    const whole = Math.floor(pendingSteps);
    pendingSteps -= whole;
    const isBefore = step < pause;
    if (whole > 0) goTo(isBefore ? Math.min(pause, step + whole) : step + whole);
    if (step === length || (isBefore && step === pause)) setPlaying(false);
    else requestAnimationFrame(tick);
  }

  function setSpeed(index) {
    speed.value = index;
    const chosen = RATES[speed.value];
    find("#rate").textContent = chosen === 1 ? "1 step a second" : `${chosen} steps a second`;
    speed.setAttribute("aria-valuetext", find("#rate").textContent);
    document.body.classList.toggle("fast", chosen > MAX_SMOOTH_RATE);
  }

  function jumpTo(wanted) {
    setPlaying(false);
    goTo(wanted);
  }

  const deadEndBefore = () => deadEnds.findLast((each) => each < step);
  const deadEndAfter = () => deadEnds.find((each) => each > step);

  const actions = {
    d: () => jumpTo(deadEndAfter() ?? step),
    D: () => jumpTo(deadEndBefore() ?? step),
    ArrowRight: () => jumpTo(step + 1),
    ArrowLeft: () => jumpTo(step - 1),
    PageDown: () => jumpTo(step + pageStep),
    PageUp: () => jumpTo(step - pageStep),
    Home: () => jumpTo(0),
    End: () => jumpTo(length),
    " ": () => setPlaying(!isPlaying),
    "+": () => setSpeed(Number(speed.value) + 1),
    "-": () => setSpeed(Number(speed.value) - 1),
  };

  function pressKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target === speed && event.key !== " ") return; // the slider's own keys
    if (event.key === " " && event.target.matches("button, summary")) return; // presses it
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  find("#first").onclick = actions.Home;
  find("#dead-end-before").onclick = actions.D;
  find("#back").onclick = actions.ArrowLeft;
  find("#play").onclick = actions[" "];
  find("#forward").onclick = actions.ArrowRight;
  find("#dead-end-after").onclick = actions.d;
  find("#last").onclick = actions.End;
  for (const id of ["dead-end-before", "dead-end-after"]) find(`#${id}`).hidden = deadEnds.length === 0;
  slider.max = length;
  slider.oninput = () => jumpTo(Number(slider.value));
  speed.max = RATES.length - 1;
  speed.oninput = () => setSpeed(speed.value);
  document.addEventListener("keydown", pressKey);
  setSpeed(prefersReducedMotion ? 0 : RATES.indexOf(rate));

  // The address may name a step, as in replay.html#12 or #end.
  const target = location.hash.slice(1);
  if (target === "end" || (!target && plays && prefersReducedMotion)) {
    jumpTo(length);
  } else if (target) {
    jumpTo(Number(target) || 0);
  } else {
    goTo(0);
    setPlaying(plays);
  }
}
