// The player: draws a story that Python computed and steps through it. It computes no score and no order.
// The whole picture is drawn once for a story; a step only changes `data-step`, and the style sheet shows.

/**
 * @typedef {{id: string, title: string, note: string, sign: string, sign_words: string, bars: number[],
 *   faded: boolean}} Card
 * @typedef {{title: string, cards: Card[], note: string, line_after: number | null, line_words: string}} Column
 * @typedef {{label: string, note: string, met_by: string[]}} Socket
 * @typedef {{dots: [string, number][], low: string, high: string, words: string}} Lens
 * @typedef {{title: string, upshot: string, sentences: string[]}} StoryStep
 * @typedef {{lang: string, guide: string, question: string, scope: string, badges: [string, string][],
 *   steps: StoryStep[], keyword: Column, semantic: Column, fused: Column, lens: Lens | null,
 *   reranked: Column, checked: Column, found: Column | null, sockets: Socket[], verdict: string,
 *   enough: boolean | null, reasons: [string, string][]}} Story
 * @typedef {{value: number, max: number}} Range
 * @typedef {{lists: Record<ListName, ListRow[]>, removed: string[],
 *   k: Range & {note: string, flips: boolean}, rerank: boolean, depth: Range, budget: Range, check: string,
 *   noise: Range, swaps: Range, seed: Range, day: {value: string, able: boolean}, scenario: string, scenarios: [string, string][],
 *   notes: Record<string, string>, defaults: Record<string, unknown>}} Controls
 * @typedef {{id: string, label: string, out: boolean}} ListRow
 * @typedef {"keyword" | "semantic"} ListName
 * @typedef {{story: Story, controls: Controls, call: string[], ui: any, answers: string}} View
 */

const STEPS = 5;
const DWELL_SECONDS = [3, 5, 8, 12, 20];

// ---- what the views of one model share ------------------------------------------------------------

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
      try {
        this.model.save_changes();
      } catch {
        // Without a kernel there is nobody to tell; the picture has stepped all the same.
      }
    }
    if (this.playing) this.wind();
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

// ---- the picture ----------------------------------------------------------------------------------

const CARD = { height: 46, gap: 10, lineGap: 26 };
const HEAD = 30;
const LEFT = 8;
const GAP = 34;
const WIDTHS = [202, 204, 130, 222, 168];
const DASHES = ["none", "9 5", "2 5", "12 4 2 4", "5 3", "1 4 6 4", "16 5", "3 3"];
const COLOURS = 8;

/** @param {number} column 0 to 4 */
function columnX(column) {
  return LEFT + WIDTHS.slice(0, column).reduce((sum, width) => sum + width + GAP, 0);
}
const TOTAL = columnX(4) + WIDTHS[4] + LEFT;

/** Draws one story. */
class Picture {
  /** @param {Story} story @param {any} ui @param {string} family a CSS font family @param {string} described */
  constructor(story, ui, family, described) {
    this.story = story;
    this.ui = ui;
    this.fonts = { title: `14px ${family}`, note: `12.5px ${family}`, head: `700 13px ${family}` };
    this.badges = new Map(story.badges);
    this.colours = new Map(story.badges.map(([id], index) => [id, index]));
    this.bottom = 0;
    /** Lines lie under the cards. */
    this.lines = rwSvg("g", {});
    this.cards = rwSvg("g", {});
    this.svg = rwSvg(
      "svg",
      { class: "rw-picture", role: "img", "aria-label": ui.picture, "aria-describedby": described },
      this.lines,
      this.cards,
    );
    this.draw();
    this.svg.setAttribute("viewBox", `0 0 ${TOTAL} ${this.bottom + 10}`);
  }

  draw() {
    const { story } = this;
    const lists = [this.column(story.keyword, 0, 1, 8, "text")];
    lists.push(this.column(story.semantic, 0, 1, this.end(lists[0]) + 16, "text"));
    const height = this.end(lists[1]);
    const fused = this.column(story.fused, 1, 2, this.middle(story.fused, height), "bars");
    if (story.lens) this.lens(story.lens, this.end(fused) + 8);
    const top = fused.top;
    const reranked = this.column(story.reranked, 2, 3, top, "text");
    const checked = this.column(story.checked, 3, 4, top, "icon");
    const found = story.found
      ? this.column(story.found, 3, 5, this.end(checked) + 14, "icon")
      : { top: 0, places: new Map(), end: 0 };
    for (const [index, list] of lists.entries())
      for (const [id, y] of list.places) this.link(id, 0, y, 1, (fused.places.get(id) ?? y) + (index ? 8 : -8), 2);
    this.links(fused.places, reranked.places, 1, 3);
    this.links(reranked.places, checked.places, 2, 4);
    this.sockets(top, new Map([...checked.places, ...found.places]));
  }

  /** Where a column begins so that it stands beside the middle of the lists. @param {Column} column @param {number} height */
  middle(column, height) {
    const own = HEAD + column.cards.length * (CARD.height + CARD.gap + 8);
    return Math.max(8, Math.min(70, (height - own - 80) / 2));
  }

  /** @param {{end: number}} placed */
  end(placed) {
    return placed.end;
  }

  /**
   * @param {Column} column @param {number} at its place in the picture, 0 to 4 @param {number} step that shows it
   * @param {number} top @param {"text" | "bars" | "icon"} kind
   */
  column(column, at, step, top, kind) {
    const x = columnX(at);
    const width = WIDTHS[at];
    const group = rwSvg("g", { class: `rw-c${step}` });
    group.append(this.heading(column.title, x, top + 16, width, step));
    /** @type {Map<string, number>} */
    const places = new Map();
    let y = top + HEAD;
    const height = kind === "bars" ? CARD.height + 8 : CARD.height;
    const line = () => {
      if (column.line_after === null || !column.line_words) return;
      group.append(
        rwSvg("path", { class: "rw-budget", d: `M${x - 10} ${y + 3}H${x + width + 10}` }),
        this.text(column.line_words, x, y + 18, width, "note", "rw-budget-words"),
      );
      y += CARD.lineGap;
    };
    for (const [index, card] of column.cards.entries()) {
      if (index === column.line_after) line();
      group.append(this.card(card, x, y, width, height, kind));
      places.set(card.id, y + height / 2);
      y += height + CARD.gap;
    }
    if (column.line_after !== null && column.line_after >= column.cards.length) line();
    if (column.note)
      for (const text of rwWrap(column.note, width, this.fonts.note)) {
        group.append(this.text(text, x, y + 12, width, "note", "rw-soft-text"));
        y += 17;
      }
    this.cards.append(group);
    this.bottom = Math.max(this.bottom, y);
    return { top, places, end: y };
  }

  /** @param {string} words @param {number} x @param {number} y @param {number} width @param {number} step */
  heading(words, x, y, width, step) {
    const circle = rwSvg("circle", { class: "rw-step-ring", cx: x + 8, cy: y - 4.5, r: 8 });
    const digit = rwSvg("text", { class: "rw-step-digit", x: x + 8, y: y - 0.5, "text-anchor": "middle" }, String(step));
    return rwSvg("g", {}, circle, digit, this.text(words, x + 22, y, width - 18, "head", "rw-head"));
  }

  /**
   * @param {string} words @param {number} x @param {number} y @param {number} width
   * @param {"title" | "note" | "head"} font @param {string} [look]
   */
  text(words, x, y, width, font, look = "") {
    const shown = rwFit(words, width, this.fonts[font]);
    const element = rwSvg("text", { x, y, class: `rw-${font} ${look}` }, shown);
    if (shown !== words) element.append(rwSvg("title", {}, words));
    return element;
  }

  /** @param {string} id */
  colour(id) {
    return (this.colours.get(id) ?? 0) % COLOURS;
  }

  /**
   * @param {Card} card @param {number} x @param {number} y @param {number} width @param {number} height
   * @param {"text" | "bars" | "icon"} kind
   */
  card(card, x, y, width, height, kind) {
    const out = card.sign === "out";
    const group = rwSvg("g", {
      class: `rw-card rw-k${this.colour(card.id)}${card.faded ? " rw-faded" : ""}${out ? " rw-is-out" : ""}`,
      "data-id": card.id,
    });
    group.append(rwSvg("rect", { class: "rw-box", x, y, width, height, rx: 7 }));
    const radius = 12;
    const badge = this.badges.get(card.id) ?? "";
    group.append(
      rwSvg("circle", { class: "rw-dot", cx: x + 20, cy: y + height / 2, r: radius }),
      rwSvg("text", { class: "rw-letter", x: x + 20, y: y + height / 2 + 4.5, "text-anchor": "middle" }, badge),
    );
    const left = x + 40;
    const room = width - 48;
    const noteY = y + 38;
    let noteLeft = left;
    if (kind === "bars") {
      const signWidth = card.sign ? rwWidth(card.sign_words, this.fonts.note) + 20 : 0;
      group.append(this.text(card.title, left, y + 17, room - signWidth, "title"));
      if (card.sign) this.sign(group, card, x + width - 8 - signWidth, y + 17);
      group.append(this.text(card.note, left, y + 33, room, "note", "rw-soft-text"));
      this.bars(group, card, left, y + 40, room);
      return group;
    }
    group.append(this.text(card.title, left, y + 19, room, "title"));
    if (out) {
      const struck = Math.min(room, rwWidth(card.title, this.fonts.title));
      group.append(rwSvg("path", { class: "rw-strike", d: `M${left} ${y + 15}h${struck}` }));
    }
    if (kind === "icon") {
      this.icon(group, card.sign, left, noteY - 10);
      noteLeft += 17;
    }
    const signWidth = kind === "text" && card.sign ? rwWidth(card.sign_words, this.fonts.note) + 24 : 0;
    const noteRoom = room - (noteLeft - left) - signWidth;
    group.append(this.text(card.note, noteLeft, noteY, noteRoom, "note", "rw-soft-text"));
    if (signWidth) {
      const used = Math.min(noteRoom, rwWidth(card.note, this.fonts.note));
      this.sign(group, card, card.note ? noteLeft + used + 8 : noteLeft, noteY);
    }
    return group;
  }

  /** @param {SVGElement} group @param {Card} card @param {number} x @param {number} y */
  sign(group, card, x, y) {
    this.icon(group, card.sign, x, y - 10);
    group.append(rwSvg("text", { class: "rw-note rw-sign", x: x + 15, y }, card.sign_words));
  }

  /** @param {SVGElement} group @param {string} name @param {number} x @param {number} y */
  icon(group, name, x, y) {
    if (!name) return;
    const mark = rwSvg("g", { class: `rw-mark rw-mark-${name}`, transform: `translate(${x} ${y}) scale(0.72)` });
    mark.append(rwIconPath(name));
    group.append(mark);
  }

  /** The terms to scale, one shade for each list. @param {SVGElement} group @param {Card} card @param {number} x @param {number} y @param {number} width */
  bars(group, card, x, y, width) {
    group.append(rwSvg("rect", { class: "rw-bar-room", x, y, width, height: 7, rx: 2 }));
    let left = x;
    for (const [index, share] of card.bars.entries()) {
      const long = share * width;
      if (long > 0) group.append(rwSvg("rect", { class: `rw-bar rw-bar${index}`, x: left, y, width: Math.max(long, 0.5), height: 7 }));
      left += long;
    }
  }

  /** The gaps between scores on a scale of their own. @param {Lens} lens @param {number} top */
  lens(lens, top) {
    const x = columnX(1);
    const width = WIDTHS[1];
    const group = rwSvg("g", { class: "rw-c2 rw-lens" });
    const radius = lens.dots.length > 12 ? 4 : 9;
    const inner = width - 2 * radius;
    /** @type {{x: number, level: number}[]} */
    const placed = [];
    const marks = rwSvg("g", {});
    let levels = 1;
    for (const [id, at] of lens.dots) {
      const cx = x + radius + at * inner;
      let level = 0;
      while (placed.some((other) => other.level === level && Math.abs(other.x - cx) < 2 * radius + 1)) level += 1;
      placed.push({ x: cx, level });
      levels = Math.max(levels, level + 1);
      const cy = -radius - level * (2 * radius + 1);
      const dot = rwSvg("g", { class: `rw-k${this.colour(id)}` }, rwSvg("circle", { class: "rw-dot", cx, cy, r: radius }));
      if (radius > 4)
        dot.append(rwSvg("text", { class: "rw-letter rw-letter-small", x: cx, y: cy + 4, "text-anchor": "middle" }, this.badges.get(id) ?? ""));
      marks.append(dot);
    }
    const axis = top + levels * (2 * radius + 1) + 2;
    marks.setAttribute("transform", `translate(0 ${axis - 2})`);
    group.append(
      marks,
      rwSvg("path", { class: "rw-axis", d: `M${x} ${axis}H${x + width}M${x} ${axis - 4}v8M${x + width} ${axis - 4}v8` }),
      this.text(lens.low, x, axis + 17, 90, "note", "rw-soft-text"),
      rwSvg("text", { class: "rw-note rw-soft-text", x: x + width, y: axis + 17, "text-anchor": "end" }, lens.high),
    );
    let y = axis + 34;
    for (const line of rwWrap(lens.words, width, this.fonts.note)) {
      group.append(this.text(line, x, y, width, "note", "rw-soft-text"));
      y += 16;
    }
    this.cards.append(group);
    this.bottom = Math.max(this.bottom, y);
  }

  /** @param {Map<string, number>} from @param {Map<string, number>} to @param {number} at column of `from` @param {number} step */
  links(from, to, at, step) {
    for (const [id, y] of from) {
      const end = to.get(id);
      if (end !== undefined) this.link(id, at, y, at + 1, end, step);
    }
  }

  /** @param {string} id @param {number} at @param {number} y @param {number} to @param {number} end @param {number} step */
  link(id, at, y, to, end, step) {
    const x1 = columnX(at) + WIDTHS[at];
    const x2 = columnX(to);
    const bend = (x2 - x1) / 2;
    this.lines.append(
      rwSvg("path", {
        class: `rw-link rw-c${step} rw-k${this.colour(id)}`,
        "stroke-dasharray": DASHES[this.colour(id)],
        d: `M${x1} ${y}C${x1 + bend} ${y} ${x2 - bend} ${end} ${x2} ${end}`,
      }),
    );
  }

  /** @param {number} top @param {Map<string, number>} sources */
  sockets(top, sources) {
    const x = columnX(4);
    const width = WIDTHS[4];
    const group = rwSvg("g", { class: "rw-c5" });
    group.append(this.heading(this.ui.enough, x, top + 16, width, 5));
    let y = top + HEAD;
    for (const socket of this.story.sockets) {
      const met = socket.met_by.length > 0;
      const box = rwSvg("g", { class: `rw-socket ${met ? `rw-met rw-k${this.colour(socket.met_by[0])}` : "rw-unmet"}` });
      box.append(
        rwSvg("rect", { class: "rw-box", x, y, width, height: 56, rx: 7 }),
        this.text(socket.label, x + 12, y + 23, width - 24, "title"),
        this.text(socket.note, x + 29, y + 43, width - 40, "note", "rw-soft-text"),
      );
      this.icon(box, met ? "ok" : "missing", x + 12, y + 33);
      group.append(box);
      for (const [index, id] of socket.met_by.entries()) {
        const from = sources.get(id);
        if (from !== undefined) this.link(id, 3, from, 4, y + 28 + index * 6, 5);
      }
      y += 68;
    }
    for (const line of rwWrap(this.story.verdict, width, this.fonts.head)) {
      group.append(this.text(line, x, y + 12, width, "head", "rw-verdict"));
      y += 18;
    }
    this.cards.append(group);
    this.bottom = Math.max(this.bottom, y);
  }
}

// ---- one view -------------------------------------------------------------------------------------

/** One view of the player. */
class Player {
  /**
   * @param {RwModel} model @param {RwAsker} asker @param {Session} session @param {HTMLElement} el
   * @param {AbortSignal} signal
   */
  constructor(model, asker, session, el, signal) {
    this.model = model;
    this.asker = asker;
    this.session = session;
    this.signal = signal;
    const ui = this.view.ui;
    this.ui = ui;

    this.body = rwEl("div", { class: "rw-body" });
    this.dialog = rwEl("dialog", { class: "rw-dialog", "aria-label": ui.name });
    this.root = rwEl("div", {
      class: "rw-widget rw-walk", role: "group", "aria-label": ui.name, tabindex: "0", lang: this.view.story.lang,
    }, this.body, this.dialog);

    this.title = rwEl("h3", { class: "rw-title" });
    this.guide = rwEl("p", { class: "rw-guide" });
    this.question = rwEl("p", { class: "rw-question" });
    this.words = rwEl("div", { class: "rw-words", id: rwId("words") });
    this.frame = rwEl("div", { class: "rw-frame", tabindex: "0", role: "group", "aria-label": ui.picture });
    this.live = rwEl("div", { class: "rw-live", "aria-live": "polite", role: "status" });
    this.silent = rwEl("div", { class: "rw-silent", role: "alert" });
    this.guess = new Guess(this);
    this.controls = new ControlPanel(this);
    this.buttons = {
      first: rwButton({ icon: "first", label: ui.first, click: () => session.go(1) }),
      previous: rwButton({ icon: "previous", text: ui.previous, click: () => session.go(session.step - 1) }),
      play: rwButton({ icon: "play", text: ui.play, class: "rw-main rw-play", click: () => this.togglePlay() }),
      next: rwButton({ icon: "next", text: ui.next, click: () => session.go(session.step + 1) }),
      last: rwButton({ icon: "last", label: ui.last, click: () => session.go(STEPS) }),
    };
    this.dwell = rwEl("select", { class: "rw-input", "aria-label": ui.dwell, onchange: () => session.setDwell(Number(this.dwell.value)) });
    for (const n of DWELL_SECONDS) this.dwell.append(rwEl("option", { value: n }, rwFill(ui.seconds, { n })));
    this.pips = rwEl("span", { class: "rw-pips", "aria-hidden": "true" });
    for (let n = 1; n <= STEPS; n += 1) this.pips.append(rwEl("span", { class: "rw-pip" }));
    this.transport = rwEl(
      "div", { class: "rw-transport" }, ...Object.values(this.buttons),
      rwEl("span", { class: "rw-dwell", "aria-hidden": "true" }, ui.dwell), this.dwell, this.pips,
    );
    this.enlargeButton = rwButton({ icon: "enlarge", text: ui.enlarge, class: "rw-enlarge", click: () => this.toggleDialog() });
    this.body.append(
      rwEl("div", { class: "rw-top" }, rwEl("div", {}, this.guide, this.question), this.enlargeButton),
      this.title, this.transport, this.frame, this.words, this.guess.element, this.silent, this.controls.element, this.live,
    );
    el.append(this.root);

    rwGuardKeys(this.root, signal, (event) => this.key(event));
    const onView = () => this.showView(true);
    const onStep = () => this.showStep(true);
    model.on("change:_view", onView);
    model.on("change:step", onStep);
    model.on("change:_predict", onStep);
    signal.addEventListener("abort", () => {
      model.off("change:_view", onView);
      model.off("change:step", onStep);
      model.off("change:_predict", onStep);
      if (this.dialog.open) this.dialog.close();
      this.root.remove();
    });
    session.watch(signal);
    session.addEventListener("change", () => this.showSession(), { signal });
    asker.addEventListener("silence", () => this.showSilence(), { signal });
    asker.addEventListener("refused", (event) => this.controls.refuse(/** @type {CustomEvent<RwRefusal>} */ (event).detail), { signal });
    this.dialog.addEventListener("close", () => this.shrunk(), { signal });
    this.showView(false);
    this.showSession();
    this.showSilence();
    const observer = new ResizeObserver(() => this.resized());
    observer.observe(this.root);
    signal.addEventListener("abort", () => observer.disconnect());
  }

  /** @returns {View} */
  get view() {
    return this.model.get("_view");
  }

  togglePlay() {
    if (this.session.playing) this.session.pause();
    else this.session.play();
  }

  // ---- keys ----

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.shiftKey || rwIsField(event.target)) return false;
    const { session } = this;
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowRight: () => session.go(session.step + 1),
      ArrowLeft: () => session.go(session.step - 1),
      PageDown: () => session.go(session.step + 1),
      PageUp: () => session.go(session.step - 1),
      Home: () => session.go(1),
      End: () => session.go(STEPS),
      " ": () => this.togglePlay(),
    };
    const action = actions[event.key];
    const pressed = event.target instanceof Element ? event.target.closest("button, summary") : null;
    if (!action || (event.key === " " && pressed)) return false; // Space on a button presses that button
    action();
    return true;
  }

  // ---- enlarging ----

  toggleDialog() {
    if (this.dialog.open) {
      this.dialog.close();
      return;
    }
    this.dialog.append(this.body);
    this.dialog.showModal();
    this.setEnlarge("shrink");
    this.enlargeButton.focus({ preventScroll: true });
  }

  shrunk() {
    this.root.prepend(this.body);
    this.setEnlarge("enlarge");
    this.enlargeButton.focus({ preventScroll: true });
  }

  /** @param {"enlarge" | "shrink"} name */
  setEnlarge(name) {
    this.enlargeButton.replaceChildren(rwIcon(name), rwEl("span", {}, this.ui[name]));
  }

  // ---- showing ----

  /** A new story. @param {boolean} announce */
  showView(announce) {
    const { story } = this.view;
    this.draw();
    this.guide.textContent = story.guide;
    this.question.textContent = story.question;
    this.controls.update(this.view);
    this.guess.update(story);
    this.showStep(announce);
  }

  /** Draw the picture, whose text is measured in the font that the page gives it. */
  draw() {
    this.family = getComputedStyle(this.root).fontFamily;
    const { story, ui } = this.view;
    this.frame.replaceChildren(new Picture(story, ui, this.family || "sans-serif", this.words.id).svg);
  }

  /** On the page, or of another size there. Before it is on the page it has no font and no size. */
  resized() {
    if (getComputedStyle(this.root).fontFamily !== this.family) this.draw();
    this.follow(this.session.step);
  }

  /** @param {boolean} announce */
  showStep(announce) {
    const { story, ui } = this.view;
    const step = this.session.step;
    const shown = story.steps[step - 1];
    this.root.dataset.step = String(step);
    this.title.replaceChildren(
      rwEl("span", { class: "rw-count" }, rwFill(ui.step_of, { step, steps: STEPS })), ` · ${shown.title}`,
    );
    const list = rwEl("ul", { class: "rw-sentences" });
    for (const sentence of shown.sentences) list.append(rwEl("li", {}, sentence));
    this.words.replaceChildren(
      rwEl("p", { class: "rw-upshot" }, shown.upshot), list, rwEl("p", { class: "rw-scope" }, story.scope),
    );
    for (const name of ["first", "previous"]) this.able(name, step > 1);
    for (const name of ["next", "last"]) this.able(name, step < STEPS);
    this.pips.querySelectorAll(".rw-pip").forEach((pip, index) => pip.classList.toggle("rw-here", index === step - 1));
    this.guess.show(step);
    this.controls.showCall(this.view.call, step, Boolean(this.model.get("_predict")));
    this.follow(step);
    // Only the view in use speaks, or two views of one widget would say everything twice.
    if (announce && this.root.contains(document.activeElement))
      this.say(`${rwFill(ui.step_of, { step, steps: STEPS })} ${shown.title} ${shown.upshot}`);
  }

  /** @param {string} name @param {boolean} able */
  able(name, able) {
    const button = /** @type {Record<string, HTMLElement>} */ (this.buttons)[name];
    if (able) button.removeAttribute("aria-disabled");
    else button.setAttribute("aria-disabled", "true");
  }

  /** Where the picture is wider than its frame, bring the step's column into sight. @param {number} step */
  follow(step) {
    const wide = this.frame.scrollWidth - this.frame.clientWidth;
    if (wide <= 0) return;
    const scale = this.frame.scrollWidth / TOTAL;
    this.frame.scrollLeft = (columnX(step - 1) + WIDTHS[step - 1] + GAP) * scale - this.frame.clientWidth;
  }

  /** @param {string} words */
  say(words) {
    if (this.live.textContent !== words) this.live.textContent = words;
  }

  showSession() {
    const { playing, dwell } = this.session;
    this.buttons.play.replaceChildren(rwIcon(playing ? "pause" : "play"), rwEl("span", {}, playing ? this.ui.pause : this.ui.play));
    this.dwell.value = String(dwell);
    this.guess.show(this.session.step);
  }

  showSilence() {
    this.silent.textContent = this.asker.silent ? this.ui.silent : "";
  }
}

// ---- the learner's guess --------------------------------------------------------------------------

const GUESS_PLACES = 5;

/** Before step 2 the learner may put down an order; from step 2 on it stands beside the fused one. */
class Guess {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.element = rwEl("div", { class: "rw-guess" });
    /** @type {HTMLSelectElement[]} */
    this.selects = [];
    this.candidates = "";
    /** @type {Story | null} */
    this.story = null;
  }

  /** @param {Story} story */
  update(story) {
    this.story = story;
    const ids = [...new Set([...story.keyword.cards, ...story.semantic.cards].map((card) => card.id))];
    const key = JSON.stringify(ids);
    if (key === this.candidates) return;
    const first = this.candidates === "";
    this.candidates = key;
    if (!first && this.player.session.guess) this.player.session.setGuess(null);
    this.build(ids);
  }

  /** @param {string[]} ids */
  build(ids) {
    const { ui, session } = this.player;
    this.selects = [];
    const fields = rwEl("div", { class: "rw-guess-fields" });
    for (let place = 1; place <= Math.min(ids.length, GUESS_PLACES); place += 1) {
      /** @type {[string, string][]} */
      const options = [["", ui.guess_none], ...ids.map((id) => /** @type {[string, string]} */ ([id, rwShort(id)]))];
      const { field, control } = rwSelect({ label: rwFill(ui.guess_place, { place }), options, ask: () => this.problem("") });
      this.selects.push(field);
      fields.append(control.element);
    }
    this.error = rwEl("p", { class: "rw-error", role: "alert" });
    this.form = rwEl(
      "fieldset", {}, rwEl("legend", {}, ui.guess_title), rwEl("p", {}, ui.guess_ask), fields, this.error,
      rwButton({ text: ui.guess_keep, click: () => this.keep() }),
    );
    this.kept = rwEl(
      "div", { class: "rw-kept" }, rwEl("p", {}, ui.guess_kept),
      rwButton({ text: ui.guess_again, click: () => session.setGuess(null) }),
    );
    this.table = rwEl("div", { class: "rw-scroll" });
    this.element.replaceChildren(...(ids.length > 1 ? [this.form, this.kept, this.table] : []));
  }

  keep() {
    const guess = this.selects.map((field) => field.value);
    const twice = guess.find((id, index) => id && guess.indexOf(id) !== index);
    if (twice) this.problem(rwFill(this.player.ui.guess_twice, { id: rwShort(twice) }));
    else if (guess.some((id) => id)) this.player.session.setGuess(guess);
    else this.problem(this.player.ui.guess_ask);
  }

  /** @param {string} words */
  problem(words) {
    if (this.error) this.error.textContent = words;
  }

  /** @param {number} step */
  show(step) {
    if (!this.form || !this.kept || !this.table || !this.story) return;
    const { guess } = this.player.session;
    const wanted = Boolean(this.player.model.get("_predict"));
    this.form.hidden = !wanted || step !== 1 || guess !== null;
    this.kept.hidden = !wanted || step !== 1 || guess === null;
    this.table.hidden = !wanted || step !== 2 || guess === null;
    if (guess && !this.table.hidden) this.table.replaceChildren(this.compared(guess, this.story));
    else this.table.replaceChildren();
  }

  /** @param {string[]} guess @param {Story} story */
  compared(guess, story) {
    const { ui } = this.player;
    const reasons = new Map(story.reasons);
    const places = story.fused.cards.slice(0, guess.length);
    const rows = places.map((card, index) => {
      const right = guess[index] === card.id;
      return rwEl(
        "tr", {},
        rwEl("td", {}, String(index + 1)),
        rwEl("td", {}, guess[index] ? rwShort(guess[index]) : "–"),
        rwEl("td", {}, rwShort(card.id)),
        rwEl("td", { class: right ? "rw-right" : "rw-differs" }, rwIcon(right ? "ok" : "out"), ` ${right ? ui.guess_right : ui.guess_differs}`),
        rwEl("td", {}, reasons.get(card.id) ?? ""),
      );
    });
    const right = places.filter((card, index) => guess[index] === card.id).length;
    return rwEl(
      "table", { class: "rw-table" },
      rwEl("caption", {}, `${ui.guess_table}: ${rwFill(ui.guess_score, { right, all: places.length })}`),
      rwEl("thead", {}, rwEl("tr", {}, ...["#", ui.guess_yours, ui.guess_fused, ui.guess_title, ui.guess_why].map((words) => rwEl("th", { scope: "col" }, words)))),
      rwEl("tbody", {}, ...rows),
    );
  }
}

// ---- the controls ---------------------------------------------------------------------------------

const SLIDER = 300;
const LARGEST_K = 1000;
const PAPER_K = 60;

/** A slider's position for a k, so that equal ways multiply k + 1 by equal amounts. @param {number} k */
function sliderFromK(k) {
  return (SLIDER * Math.log(k + 1)) / Math.log(LARGEST_K + 1);
}

/** @param {number} position */
function kFromSlider(position) {
  if (Math.abs(position - sliderFromK(PAPER_K)) < 1.5) return PAPER_K;
  const k = (LARGEST_K + 1) ** (position / SLIDER) - 1;
  return k < 10 ? Math.round(k * 10) / 10 : Math.round(k);
}

class ControlPanel {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    const { ui } = player;
    this.ui = ui;
    /** @type {Map<string, RwControl>} */
    this.byField = new Map();
    /** What to say with the next story: the move of a row is part of the same announcement. */
    this.general = rwEl("p", { class: "rw-error", role: "alert" });
    this.element = rwEl("details", { class: "rw-controls", open: true }, rwEl("summary", {}, ui.controls));
    this.lists = { keyword: new ListEditor(this, "keyword"), semantic: new ListEditor(this, "semantic") };
    this.element.append(
      rwEl("div", { class: "rw-panel" }, this.listSet(), this.kSet(), this.stageSet(), this.noiseSet()), this.general, this.bottomRow(),
    );
  }

  /** @param {Record<string, unknown>} changes */
  ask(changes) {
    this.player.asker.ask(changes);
  }

  listSet() {
    const { ui } = this;
    return rwEl(
      "fieldset", { class: "rw-wide" }, rwEl("legend", {}, ui.lists),
      rwEl("div", { class: "rw-lists" }, this.lists.keyword.element, this.lists.semantic.element),
      rwButton({ icon: "swap", text: ui.exchange, click: () => this.ask({ keyword: this.lists.semantic.order(), semantic: this.lists.keyword.order() }) }),
    );
  }

  kSet() {
    const { ui } = this;
    this.k = rwNumber({ label: ui.k_typed, free: true, ask: (value) => this.ask({ k: value }) });
    this.byField.set("k", this.k.control);
    this.slider = rwEl("input", {
      type: "range", min: 0, max: SLIDER, step: 1, class: "rw-slider", "aria-label": ui.k_slider,
      oninput: () => {
        const k = kFromSlider(Number(this.slider?.value));
        this.slider?.setAttribute("aria-valuetext", String(k));
        this.ask({ k });
      },
    });
    const mark = rwEl("span", { class: "rw-mark60" }, ui.k_mark);
    mark.style.insetInlineStart = `calc(${(100 * sliderFromK(PAPER_K)) / SLIDER}% * var(--rw-thumb-room) + 8px)`;
    this.smallest = rwButton({ text: ui.smallest, class: "rw-smallest", click: () => this.ask({ scenario: "flip", k: 1 }) });
    this.kNote = rwEl("p", { class: "rw-note rw-k-note" });
    return rwEl(
      "fieldset", {}, rwEl("legend", {}, ui.k), this.k.control.element,
      rwEl("div", { class: "rw-slider-room" }, this.slider, mark), this.kNote, this.smallest,
    );
  }

  stageSet() {
    const { ui } = this;
    this.rerank = rwEl("input", { type: "checkbox", onchange: () => this.ask({ rerank: this.rerank?.checked }) });
    this.byField.set("rerank", rwControl(ui.rerank, this.rerank, rwEl("span", { "aria-hidden": "true" }, ui.rerank_on)));
    this.depth = this.number("depth", ui.depth);
    this.budget = this.number("budget", ui.budget);
    this.check = rwSelect({ label: ui.check, options: [["after", ui.check_after], ["before", ui.check_before]], ask: (check) => this.ask({ check }) });
    this.byField.set("check", this.check.control);
    this.day = rwEl("input", { type: "date", class: "rw-input", onchange: () => this.ask({ day: this.day?.value || null }) });
    this.byField.set("day", rwControl(ui.day, this.day));
    const parts = ["rerank", "depth", "budget", "check", "day"].map((name) => this.part(name));
    return rwEl("fieldset", {}, rwEl("legend", {}, `${ui.rerank} · ${ui.check}`), rwEl("div", { class: "rw-grid" }, ...parts));
  }

  noiseSet() {
    const { ui } = this;
    this.noise = this.number("noise", ui.noise);
    this.swaps = this.number("swaps", ui.swaps);
    this.seed = this.number("seed", ui.seed);
    const parts = ["noise", "swaps", "seed"].map((name) => this.part(name));
    return rwEl(
      "fieldset", {}, rwEl("legend", {}, ui.noise_title), rwEl("div", { class: "rw-grid" }, ...parts),
      rwButton({ text: ui.another, click: () => {
        const { value, max } = this.player.view.controls.seed;
        this.ask({ seed: value >= max ? 0 : value + 1 });
      } }),
    );
  }

  /** @param {string} name @param {string} label */
  number(name, label) {
    const made = rwNumber({ label, step: "1", ask: (value) => this.ask({ [name]: value }) });
    this.byField.set(name, made.control);
    return made;
  }

  /** @param {string} name */
  part(name) {
    const control = this.byField.get(name);
    if (!control) throw new Error(name);
    return control.element;
  }

  bottomRow() {
    const { ui } = this;
    this.scenario = rwSelect({ label: ui.scenario_name, options: [], ask: (scenario) => scenario && this.ask({ scenario }) });
    this.byField.set("scenario", this.scenario.control);
    this.code = rwEl("input", { class: "rw-input rw-code", readonly: true, "aria-label": ui.copy });
    this.copied = rwEl("span", { class: "rw-copied", role: "status" });
    return rwEl(
      "div", { class: "rw-bottom" }, this.scenario.control.element,
      rwButton({ text: ui.reset, class: "rw-reset", click: () => this.ask(this.player.view.controls.defaults) }),
      rwEl("span", { class: "rw-copy" }, this.code, rwButton({ text: ui.copy, click: () => this.copy() }), this.copied),
    );
  }

  async copy() {
    const { code, copied, ui } = this;
    if (!code || !copied) return;
    try {
      await navigator.clipboard.writeText(code.value);
      copied.textContent = ui.copied;
    } catch {
      code.select();
      copied.textContent = ui.copy_failed;
    }
  }

  /** @param {string[]} call @param {number} step @param {boolean} predict */
  showCall(call, step, predict) {
    const rest = [...(step === 1 ? [] : [`step=${step}`]), ...(predict ? [] : ["predict=False"])];
    if (this.code) this.code.value = `Walkthrough(${[...call, ...rest].join(", ")})`;
    if (this.copied) this.copied.textContent = "";
  }

  /** @param {RwRefusal} refusal */
  refuse(refusal) {
    const control = this.byField.get(refusal.field);
    if (control) control.setError(refusal.text);
    else this.general.textContent = refusal.text;
  }

  /** @param {View} view */
  update(view) {
    const { controls, ui, story } = view;
    this.general.textContent = "";
    for (const [name, control] of this.byField) {
      control.setError("");
      control.setNote(controls.notes[name] ?? "");
    }
    for (const name of /** @type {ListName[]} */ (["keyword", "semantic"]))
      this.lists[name].update(controls.lists[name], story[name].title, new Map(story.badges), controls.removed);
    if (this.k) rwShowValue(this.k.field, controls.k.value);
    if (this.slider && document.activeElement !== this.slider) this.slider.value = String(sliderFromK(controls.k.value));
    this.slider?.setAttribute("aria-valuetext", String(controls.k.value));
    if (this.kNote) this.kNote.textContent = controls.k.note;
    if (this.smallest) this.smallest.hidden = controls.k.flips;
    if (this.rerank) this.rerank.checked = controls.rerank;
    for (const name of /** @type {const} */ (["depth", "budget", "noise", "swaps", "seed"])) {
      const made = this[name];
      if (made) rwShowValue(made.field, controls[name].value);
    }
    if (this.check) rwShowValue(this.check.field, controls.check);
    if (this.day) rwShowValue(this.day, controls.day.value);
    if (this.day) this.day.disabled = !controls.day.able;
    if (this.scenario) {
      const { field } = this.scenario;
      field.replaceChildren(...controls.scenarios.map(([value, words]) => rwEl("option", { value }, words)));
      if (controls.scenario === "") field.append(rwEl("option", { value: "" }, ui.own));
      field.value = controls.scenario;
    }
  }
}

/** One list's rows: buttons on each row, and a grip to drag by mouse or finger. */
class ListEditor {
  /** @param {ControlPanel} panel @param {ListName} name */
  constructor(panel, name) {
    this.panel = panel;
    this.name = name;
    this.title = rwEl("h4", { id: rwId("list") });
    this.rows = rwEl("ol", { class: "rw-rows", "aria-labelledby": this.title.id });
    this.error = rwEl("p", { class: "rw-error", role: "alert" });
    this.element = rwEl("div", { class: "rw-list" }, this.title, this.rows, this.error);
    /** @type {Map<string, {row: HTMLLIElement, up: HTMLButtonElement, down: HTMLButtonElement, out: HTMLButtonElement, label: HTMLElement, badge: HTMLElement}>} */
    this.made = new Map();
    /** @type {string[]} */
    this.removed = [];
    panel.byField.set(name, { element: this.element, setNote: () => {}, setError: (text) => { this.error.textContent = text; } });
    if (name === "keyword") panel.byField.set("removed", panel.byField.get(name) ?? { element: this.element, setNote() {}, setError() {} });
  }

  order() {
    return [...this.rows.children].map((row) => /** @type {HTMLElement} */ (row).dataset.id ?? "");
  }

  /** @param {string} id @param {number} by */
  move(id, by) {
    const order = this.order();
    const from = order.indexOf(id);
    this.moveTo(id, from + by);
  }

  /** @param {string} id @param {number} to */
  moveTo(id, to) {
    const order = this.order();
    const from = order.indexOf(id);
    if (to < 0 || to >= order.length || to === from) return;
    order.splice(from, 1);
    order.splice(to, 0, id);
    this.panel.ask({ [this.name]: order });
  }

  /** @param {string} id */
  toggleOut(id) {
    const removed = this.removed.includes(id) ? this.removed.filter((other) => other !== id) : [...this.removed, id];
    this.panel.ask({ removed });
  }

  /** @param {ListRow[]} rows @param {string} title @param {Map<string, string>} badges @param {string[]} removed */
  update(rows, title, badges, removed) {
    this.title.textContent = title;
    this.removed = removed;
    const { ui } = this.panel;
    const focused = this.rows.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
    const colours = new Map([...badges.keys()].map((id, index) => [id, index % COLOURS]));
    const wanted = rows.map((row, index) => {
      const made = this.made.get(row.id) ?? this.make(row.id);
      const words = { id: rwShort(row.id), list: title };
      made.badge.textContent = badges.get(row.id) ?? "";
      made.badge.className = `rw-badge rw-k${colours.get(row.id) ?? 0}`;
      made.label.textContent = row.out ? `${row.label} (${ui.is_out})` : row.label;
      made.row.classList.toggle("rw-row-out", row.out);
      made.up.setAttribute("aria-label", rwFill(ui.row_up, words));
      made.down.setAttribute("aria-label", rwFill(ui.row_down, words));
      made.out.setAttribute("aria-label", rwFill(row.out ? ui.row_in : ui.row_out, words));
      made.out.replaceChildren(rwIcon(row.out ? "added" : "out"));
      made.up.toggleAttribute("data-end", index === 0);
      made.up.setAttribute("aria-disabled", String(index === 0));
      made.down.setAttribute("aria-disabled", String(index === rows.length - 1));
      return made.row;
    });
    for (const [id, made] of this.made)
      if (!wanted.includes(made.row)) this.made.delete(id);
    if (wanted.length !== this.rows.children.length || wanted.some((row, index) => this.rows.children[index] !== row))
      this.rows.replaceChildren(...wanted);
    // A moved row takes the focus along, so that the same key can move it on.
    if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
  }

  /** @param {string} id */
  make(id) {
    const badge = rwEl("span", { class: "rw-badge", "aria-hidden": "true" });
    const label = rwEl("span", { class: "rw-row-label", dir: "auto" });
    const up = rwButton({ icon: "up", class: "rw-small", label: " ", click: () => this.move(id, -1) });
    const down = rwButton({ icon: "down", class: "rw-small", label: " ", click: () => this.move(id, 1) });
    const out = rwButton({ icon: "out", class: "rw-small", label: " ", click: () => this.toggleOut(id) });
    for (const button of [up, down, out]) button.removeAttribute("title");
    const grip = rwEl("span", { class: "rw-grip", title: this.panel.ui.drag, "aria-hidden": "true" }, rwIcon("grip"));
    const row = rwEl("li", { class: "rw-row", "data-id": id }, grip, badge, label, up, down, out);
    grip.addEventListener("pointerdown", (event) => this.drag(event, grip, row, id));
    const made = { row, up, down, out, label, badge };
    this.made.set(id, made);
    return made;
  }

  /** @param {PointerEvent} event @param {HTMLElement} grip @param {HTMLElement} row @param {string} id */
  drag(event, grip, row, id) {
    if (event.button !== 0) return;
    event.preventDefault();
    grip.setPointerCapture(event.pointerId);
    row.classList.add("rw-dragged");
    const over = new AbortController();
    const { signal } = over;
    const start = event.clientY;
    let target = this.order().indexOf(id);
    const end = () => {
      over.abort();
      row.classList.remove("rw-dragged");
      row.style.transform = "";
      for (const other of this.rows.children) other.classList.remove("rw-drop");
    };
    grip.addEventListener("pointermove", (moved) => {
      row.style.transform = `translateY(${moved.clientY - start}px)`;
      const rows = [...this.rows.children];
      const own = rows.indexOf(row);
      target = own;
      for (const [index, other] of rows.entries()) {
        const box = other.getBoundingClientRect();
        const middle = box.top + box.height / 2;
        if (other !== row && index < own && moved.clientY < middle && target >= index) target = Math.min(target, index);
        if (other !== row && index > own && moved.clientY > middle) target = Math.max(target, index);
        other.classList.remove("rw-drop");
      }
      if (target !== own) rows[target].classList.add("rw-drop");
    }, { signal });
    grip.addEventListener("pointerup", () => { end(); this.moveTo(id, target); }, { signal });
    grip.addEventListener("pointercancel", end, { signal });
    grip.addEventListener("lostpointercapture", end, { signal });
  }
}

// ---- what anywidget calls -------------------------------------------------------------------------

export default () => {
  /** @type {RwAsker} */
  let asker;
  /** @type {Session} */
  let session;
  return {
    /** @param {{model: RwModel, signal: AbortSignal}} context */
    initialize({ model, signal }) {
      asker = new RwAsker(model, signal);
      session = new Session(model, signal);
    },
    /** @param {{model: RwModel, el: HTMLElement, signal: AbortSignal}} context */
    render({ model, el, signal }) {
      new Player(model, asker, session, el, signal);
    },
  };
};
