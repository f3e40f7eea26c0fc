// Asking Python for a change of settings: one message under way at a time, the latest wish wins.

/** What one use of a control asks for: it is granted or refused as a whole. @typedef {Record<string, unknown>} RwWish */

/**
 * The part of anywidget's model that widgets here use.
 * @typedef {object} RwModel
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(content: unknown) => void} send
 * @property {(name: string, callback: (...args: any[]) => void) => void} on
 * @property {(name: string, callback?: ((...args: any[]) => void) | null) => void} off
 */

/** What anywidget gives to draw one view. @typedef {{model: RwModel, el: HTMLElement, signal: AbortSignal}} RwContext */

/** @typedef {{field: string, text: string}} RwRefusal */

/** How long Python may take before a control says that it is not answering. */
const RW_PATIENCE_MS = 2000;

/**
 * One for each model, however many views it has: so two views do not send two messages. `rwWidget` makes
 * it; a widget that keeps more for its model makes it in its own `initialize`, which anywidget calls once.
 */
class RwAsker extends EventTarget {
  /** @param {RwModel} model @param {AbortSignal} signal the model's */
  constructor(model, signal) {
    super();
    this.model = model;
    /** @type {string | null} the message that is under way */
    this.underway = null;
    /** @type {RwWish[]} what Python was asked for and has not answered */
    this.sent = [];
    /** @type {RwWish[]} what it will be asked for next */
    this.waiting = [];
    /** @type {RwRefusal[]} told once the wishes that were sent along with the refused one are answered */
    this.refused = [];
    this.overdue = false;
    this.silent = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.onView = () => this.answered(model.get("_view").answers);
    /** @param {{refused?: RwRefusal & {answers: string}}} content */
    this.onMessage = (content) => {
      if (content?.refused) this.onRefusal(content.refused);
    };
    model.on("change:_view", this.onView);
    model.on("msg:custom", this.onMessage);
    signal.addEventListener("abort", () => {
      model.off("change:_view", this.onView);
      model.off("msg:custom", this.onMessage);
      clearTimeout(this.timer);
    });
  }

  /** Ask for settings. @param {RwWish} wish */
  ask(wish) {
    this.waiting.push(wish);
    if (this.underway === null || this.overdue) this.send();
  }

  /** What was wished for and is not shown yet: a press that says "one more" counts from there. @returns {RwWish} */
  get wished() {
    return Object.assign({}, ...this.sent, ...this.waiting);
  }

  /** Send all wishes. An unanswered one may be lost, with its kernel, so it is sent again with the next. */
  send() {
    this.sent.push(...this.waiting);
    this.waiting = [];
    this.overdue = false;
    this.underway = rwId("ask");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.late(), RW_PATIENCE_MS);
    try {
      this.model.send({ id: this.underway, set: this.wished });
    } catch {
      this.late();
    }
  }

  late() {
    this.overdue = true;
    this.setSilent(true);
    if (this.waiting.length) this.send();
  }

  /** @param {string} id */
  answered(id) {
    if (id !== this.underway) return;
    this.underway = null;
    this.sent = [];
    this.overdue = false;
    clearTimeout(this.timer);
    this.setSilent(false);
    // Later, since this hears of a view before those who show it, and a new view takes errors away.
    if (this.refused.length) queueMicrotask(() => this.tellRefused());
    if (this.waiting.length) this.send();
  }

  /**
   * Python refuses a message whole. Wishes that had come together in it are sent once more, without the one
   * at fault, so that a slip at one control takes nothing away at another.
   * @param {RwRefusal & {answers: string}} refusal
   */
  onRefusal(refusal) {
    if (refusal.answers !== "" && refusal.answers !== this.underway) return; // what it asked was asked again
    this.refused.push(refusal);
    if (refusal.answers !== "") {
      const good = this.sent.filter((wish) => !(refusal.field in wish));
      const others = good.length < this.sent.length ? good : []; // it may be of no single one
      this.waiting.unshift(...others);
      this.answered(refusal.answers);
    } else this.tellRefused();
  }

  tellRefused() {
    if (this.underway !== null) return; // its answer, a new view, would take the message away
    for (const detail of this.refused.splice(0)) this.dispatchEvent(new CustomEvent("refused", { detail }));
  }

  /** @param {boolean} silent */
  setSilent(silent) {
    if (silent === this.silent) return;
    this.silent = silent;
    this.dispatchEvent(new Event("silence"));
  }
}

/**
 * What a widget's module exports, where all that its model keeps is an asker.
 * @param {(context: RwContext, asker: RwAsker) => void} draw draws one view
 */
function rwWidget(draw) {
  return () => {
    /** @type {RwAsker} */
    let asker;
    return {
      /** @param {{model: RwModel, signal: AbortSignal}} context */
      initialize({ model, signal }) {
        asker = new RwAsker(model, signal);
      },
      /** @param {RwContext} context */
      render(context) {
        draw(context, asker);
      },
    };
  };
}
