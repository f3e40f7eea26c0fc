// Asking Python for a change of settings: one message under way at a time, the latest wish wins.

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
    /** @type {Record<string, unknown>} what Python was asked for and has not answered */
    this.sent = {};
    /** @type {Record<string, unknown> | null} what it will be asked for next */
    this.waiting = null;
    this.overdue = false;
    this.silent = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.onView = () => this.answered(model.get("_view").answers);
    /** @param {{refused?: RwRefusal & {answers: string}}} content */
    this.onMessage = (content) => {
      if (!content?.refused) return;
      this.answered(content.refused.answers);
      this.dispatchEvent(new CustomEvent("refused", { detail: content.refused }));
    };
    model.on("change:_view", this.onView);
    model.on("msg:custom", this.onMessage);
    signal.addEventListener("abort", () => {
      model.off("change:_view", this.onView);
      model.off("msg:custom", this.onMessage);
      clearTimeout(this.timer);
    });
  }

  /** Ask for settings. @param {Record<string, unknown>} changes */
  ask(changes) {
    this.waiting = { ...this.waiting, ...changes };
    if (this.underway === null || this.overdue) this.send();
  }

  /** What was wished for and is not shown yet: a press that says "one more" counts from there. */
  get wished() {
    return { ...this.sent, ...this.waiting };
  }

  /** Send all wishes. An unanswered one may be lost, with its kernel, so it is sent again with the next. */
  send() {
    this.sent = this.wished;
    this.waiting = null;
    this.overdue = false;
    this.underway = rwId("ask");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.late(), RW_PATIENCE_MS);
    try {
      this.model.send({ id: this.underway, set: this.sent });
    } catch {
      this.late();
    }
  }

  late() {
    this.overdue = true;
    this.setSilent(true);
    if (this.waiting) this.send();
  }

  /** @param {string} id */
  answered(id) {
    if (id !== this.underway) return;
    this.underway = null;
    this.sent = {};
    this.overdue = false;
    clearTimeout(this.timer);
    this.setSilent(false);
    if (this.waiting) this.send();
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
