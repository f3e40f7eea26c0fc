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
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.views = 0;
    this.tell = rwSoon(() => this.save(), signal);
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
    return Number(this.model.get("step"));
  }

  /** @param {number} step */
  go(step) {
    const next = Math.min(STEPS, Math.max(1, step));
    if (next !== this.step) {
      this.model.set("step", next); // redraws the views, kernel or not
      this.tell();
    }
    if (this.playing) this.wind();
  }

  /** Tell Python the step. What JupyterLab does with the message is not to come before the picture. */
  save() {
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

  /** @param {string[] | null} guess */
  setGuess(guess) {
    this.guess = guess;
    this.changed();
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}
