// What all views of one player share.

const STEPS = 5;
const DWELL_SECONDS = [3, 5, 8, 12, 20];

/** The clock and the learner's guess: one for a model, so that two views agree and do not run twice. */
class Session extends EventTarget {
  /** @param {RwModel} model @param {AbortSignal} signal */
  constructor(model, signal) {
    super();
    this.model = model;
    this.playing = false;
    this.dwell = 8;
    /** @type {string[] | null} */
    this.guess = null;
    this.putAside = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.views = 0;
    /** @type {number | null} a step that is shown and that Python has not been told of */
    this.untold = null;
    this.tellSoon = rwSoon(() => this.tell(), signal);
    this.seen = this.step;
    const onStep = () => {
      this.untold = null; // what Python says now is newer; an echo of what it was told changes nothing
      this.stepped();
    };
    model.on("change:step", onStep);
    signal.addEventListener("abort", () => model.off("change:step", onStep));
    signal.addEventListener("abort", () => clearTimeout(this.timer));
  }

  /** Count a view in. With the last one gone nobody watches, so the clock stops. @param {AbortSignal} signal the view's */
  watch(signal) {
    this.views += 1;
    signal.addEventListener("abort", () => {
      this.views -= 1;
      if (this.views === 0) this.pause();
    });
  }

  get step() {
    return this.untold ?? Number(this.model.get("step"));
  }

  /** @param {number} step */
  go(step) {
    const next = Math.min(STEPS, Math.max(1, step));
    if (next !== this.step) {
      this.untold = next;
      this.stepped();
      this.tellSoon();
    } else if (this.playing) this.wind();
  }

  /** Show the step, if it is another one, and give it its whole time. */
  stepped() {
    if (this.step === this.seen) return;
    this.seen = this.step;
    this.dispatchEvent(new Event("step"));
    if (this.playing) this.wind();
  }

  /**
   * Tell Python the step: after the picture, since JupyterLab is busy for as long as a frame with a message.
   * Until then the model keeps the step that Python knows, whose echo would else undo a newer one.
   */
  tell() {
    const { step } = this;
    this.untold = null;
    this.model.set("step", step);
    try {
      this.model.save_changes();
    } catch {
      // Without a kernel there is nobody to tell; the picture has stepped all the same.
    }
  }

  play() {
    if (this.step === STEPS) this.go(1);
    this.playing = true;
    this.wind();
    this.changed();
  }

  pause() {
    this.playing = false;
    clearTimeout(this.timer);
    this.changed();
  }

  /** Start the wait for the next step anew; at the last step there is none, and play ends. */
  wind() {
    clearTimeout(this.timer);
    if (this.step === STEPS) this.pause();
    else this.timer = setTimeout(() => this.go(this.step + 1), this.dwell * 1000);
  }

  /** @param {number} seconds */
  setDwell(seconds) {
    this.dwell = seconds;
    if (this.playing) this.wind();
    this.changed();
  }

  /** @param {string[] | null} guess @param {boolean} [put] whether it was put aside, since its passages are gone */
  setGuess(guess, put = false) {
    this.guess = guess;
    this.putAside = put;
    this.changed();
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}
