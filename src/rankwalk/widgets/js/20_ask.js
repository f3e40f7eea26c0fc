// Asking Python for changes of settings: one message under way at a time, answered wish by wish.

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

/** What one use of a control asks for: granted or refused as a whole. @typedef {Record<string, unknown>} RwWish */

/** How long Python may take before a control says that it is not answering. */
const RW_PATIENCE_MS = 2000;
/** How long it waits then before it asks again by itself; twice as long each time. */
const RW_WAIT_MS = 10_000;

/**
 * One for each model, however many views it has: so two views do not send two messages. `rwWidget` makes
 * it; a widget that keeps more for its model makes it in its own `initialize`, which anywidget calls once.
 */
class RwAsker extends EventTarget {
  /** @param {RwModel} model @param {AbortSignal} signal the model's */
  constructor(model, signal) {
    super();
    this.model = model;
    this.id = rwId("asker");
    this.count = 0;
    /** @type {{number: number, wish: RwWish, act: boolean}[]} what Python has not answered, in order */
    this.wishes = [];
    /** The last wish that was sent, and the last that was answered. */
    this.sent = 0;
    this.answered = 0;
    /** What the last answer was about; nothing if Python spoke by itself. @type {Set<string>} */
    this.about = new Set();
    this.wait = RW_WAIT_MS;
    this.overdue = false;
    this.silent = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.onView = () => this.heard(model.get("_view").answers);
    /** @param {{refused?: RwRefusal & {answers: string}, answers?: string}} content */
    this.onMessage = (content) => {
      this.heard(content?.refused?.answers ?? content?.answers ?? "");
      if (content?.refused) this.dispatchEvent(new CustomEvent("refused", { detail: content.refused }));
    };
    model.on("change:_view", this.onView);
    model.on("msg:custom", this.onMessage);
    signal.addEventListener("abort", () => {
      model.off("change:_view", this.onView);
      model.off("msg:custom", this.onMessage);
      clearTimeout(this.timer);
    });
  }

  /** Ask for settings. Until it is sent, a wish gives way to the next one for the same. @param {RwWish} wish */
  ask(wish) {
    const last = this.wishes.at(-1);
    const fields = Object.keys(wish);
    if (last && last.number > this.sent && !last.act && Object.keys(last.wish).join() === fields.join()) last.wish = wish;
    else this.add(wish, false);
  }

  /** Ask for something that is done as often as it is asked for, such as to add or to save. @param {RwWish} wish */
  act(wish) {
    this.add(wish, true);
  }

  /** @param {RwWish} wish @param {boolean} act */
  add(wish, act) {
    this.count += 1;
    this.wishes.push({ number: this.count, wish, act });
    if (!this.underway || this.overdue) this.send();
  }

  /** Whether a message has no answer yet. */
  get underway() {
    return this.wishes.length > 0 && this.wishes[0].number <= this.sent;
  }

  /** What was wished for and is not shown yet: a press that says "one more" counts from there. @returns {RwWish} */
  get wished() {
    return Object.assign({}, ...this.wishes.map(({ wish }) => wish));
  }

  /** Send all wishes. An unanswered one may be lost, with its kernel, so it is sent again; Python knows it by its number. */
  send() {
    this.sent = this.count;
    this.overdue = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.late(), RW_PATIENCE_MS);
    try {
      this.model.send({ asker: this.id, first: this.wishes[0].number, wishes: this.wishes.map(({ wish }) => wish) });
    } catch {
      this.late();
    }
  }

  /** No answer in time. It may have been lost, so it is asked for again after a while, or with the next wish. */
  late() {
    clearTimeout(this.timer);
    this.overdue = true;
    this.silent = true;
    this.dispatchEvent(new Event("silence")); // each time: another control may have been used
    if (this.count > this.sent) this.send();
    else {
      this.timer = setTimeout(() => this.send(), this.wait);
      this.wait *= 2;
    }
  }

  /** Python said something. @param {string} answers whose wishes it answers, and up to which number */
  heard(answers) {
    const [asker, number] = answers.split(" ");
    const mine = asker === this.id;
    const done = mine ? this.wishes.filter((wish) => wish.number <= Number(number)) : [];
    this.about = new Set(done.flatMap(({ wish }) => Object.keys(wish)));
    if (mine) this.answered = Math.max(this.answered, Number(number));
    this.wishes = this.wishes.filter((wish) => wish.number > this.answered);
    this.wait = RW_WAIT_MS;
    if (!this.underway) clearTimeout(this.timer);
    if (this.silent) {
      this.silent = false;
      this.dispatchEvent(new Event("silence"));
    }
    if (this.wishes.length && (!this.underway || this.overdue)) this.send();
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
