// The player: draws a story that Python computed and steps through it. It computes no score and no rank.
// The whole picture is drawn once for a story; a step only changes `data-step`, and the style sheet shows.

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
    this.width = 0;
    this.told = "";
    this.sight = { whole: 0, shown: 0 };
    this.root = rwEl("div", {
      class: "rw-widget rw-walk", role: "group", "aria-label": ui.name, tabindex: "0", lang: this.view.story.lang,
    }, this.body, this.dialog);

    this.guide = rwEl("p", { class: "rw-guide" });
    this.question = rwEl("p", { class: "rw-question" });
    this.frame = rwEl("div", { class: "rw-frame", tabindex: "0", role: "group", "aria-label": ui.picture });
    this.live = rwEl("div", { class: "rw-live", "aria-live": "polite", role: "status" });
    /** @type {RwNode | null} */
    this.drawn = null;
    this.showCall = rwSoon(() => this.controls.showCall(), signal);
    this.guess = new Guess(this);
    this.steps = Array.from({ length: STEPS }, (_, index) => stepWords(index + 1, ui));
    this.titles = rwEl("div", { class: "rw-stack" }, ...this.steps.map((step) => step.heading));
    this.words = rwEl("div", { class: "rw-stack rw-words", id: rwId("words") }, ...this.steps.map((step) => step.body));
    this.table = new PassageTable(this);
    this.controls = new ControlPanel(this, signal);
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
      rwEl("div", { class: "rw-over" }, this.titles, this.transport), this.controls.underButtons.element, this.frame, this.words, this.table.element,
      this.guess.asked, this.guess.compared, this.controls.silent, this.controls.element, this.live,
    );
    el.append(this.root);

    rwGuardKeys(this.root, signal, (event) => this.key(event));
    const onView = () => this.showView(true);
    model.on("change:_view", onView);
    const onPredict = () => {
      this.controls.underButtons.setError("");
      this.guess.show();
      this.showCall();
    };
    model.on("change:_predict", onPredict);
    signal.addEventListener("abort", () => {
      model.off("change:_view", onView);
      model.off("change:_predict", onPredict);
      if (this.dialog.open) this.dialog.close();
      this.root.remove();
    });
    session.watch(signal);
    session.addEventListener("step", () => this.showStep(true), { signal });
    session.addEventListener("change", () => this.showSession(), { signal });
    this.dialog.addEventListener("close", () => this.shrunk(), { signal });
    this.showView(false);
    this.showSession();
    const observer = new ResizeObserver(([entry]) => {
      if (entry.contentRect.width !== this.width) this.resized(entry.contentRect.width);
    });
    observer.observe(this.frame); // the root keeps its width while the frame is in the dialog
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
    const pressed = event.target instanceof Element ? event.target.closest("button, summary, input") : null;
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
    const told = JSON.stringify(story);
    const same = told === this.told;
    this.told = told;
    this.draw();
    this.drawWords();
    rwText(this.guide, story.guide);
    rwText(this.question, story.question);
    this.controls.show(this.view);
    if (same) this.controls.showNoDifference(this.view);
    this.guess.update(story);
    this.showStep(announce);
  }

  /**
   * The words of all steps lie one upon the other, and the style sheet shows one of them. So nothing moves
   * in a step, and there is nothing to lay out.
   */
  drawWords() {
    const { story } = this.view;
    story.steps.forEach(({ title, upshot, sentences }, index) => {
      const words = this.steps[index];
      rwText(words.title, title);
      rwText(words.upshot, upshot);
      rwFillWith(words.sentences, ...sentences.map((sentence) => rwEl("li", {}, sentence)));
      rwText(words.scope, story.scope);
    });
  }

  /** Draw the picture, whose text is measured in the font that the page gives it. */
  draw() {
    this.family = getComputedStyle(this.root).fontFamily;
    const { story, ui } = this.view;
    const { svg } = new Picture(story, ui, this.family || "sans-serif", this.words.id);
    if (this.drawn) rwPatch(this.frame.children[0], this.drawn, svg);
    else this.frame.append(rwMake(svg));
    this.drawn = svg;
  }

  /**
   * On the page, or of another width there. Before it is on the page it has no font and no size. The frame
   * is measured here, since to measure it in a step would make the browser lay out the page twice.
   * @param {number} width
   */
  resized(width) {
    this.width = width;
    if (getComputedStyle(this.root).fontFamily !== this.family) this.draw();
    this.sight = { whole: this.frame.scrollWidth, shown: this.frame.clientWidth };
    this.follow(this.session.step);
  }

  /** @param {boolean} announce */
  showStep(announce) {
    const { story, ui } = this.view;
    const { step } = this.session;
    if (step > 1) this.guess.take();
    this.root.dataset.step = String(step);
    for (const name of ["first", "previous"]) this.able(name, step > 1);
    for (const name of ["next", "last"]) this.able(name, step < STEPS);
    this.pips.querySelectorAll(".rw-pip").forEach((pip, index) => pip.classList.toggle("rw-here", index === step - 1));
    this.follow(step);
    this.table.show();
    rwText(this.controls.underButtons.element, "");
    this.showCall();
    const { title, upshot } = story.steps[step - 1];
    // Only the view in use speaks, or two views of one widget would say everything twice.
    if (announce && this.root.contains(document.activeElement))
      this.say(`${rwFill(ui.step_of, { step, steps: STEPS })} ${title} ${upshot}`);
  }

  /** @param {string} name @param {boolean} able */
  able(name, able) {
    const button = /** @type {Record<string, HTMLElement>} */ (this.buttons)[name];
    if (able) button.removeAttribute("aria-disabled");
    else button.setAttribute("aria-disabled", "true");
  }

  /**
   * Where the picture is wider than its frame, bring the step's column into sight: with what comes before it
   * as far as there is room, and never without its own beginning.
   * @param {number} step
   */
  follow(step) {
    const { whole, shown } = this.sight;
    if (whole <= shown) return;
    const scale = whole / TOTAL;
    const start = columnX(step - 1);
    this.frame.scrollLeft = Math.min((start + WIDTHS[step - 1] + GAP) * scale - shown, (start - LEFT) * scale);
  }

  /** @param {string} words */
  say(words) {
    rwText(this.live, words);
  }

  showSession() {
    const { playing, dwell } = this.session;
    this.buttons.play.replaceChildren(rwIcon(playing ? "pause" : "play"), rwEl("span", {}, playing ? this.ui.pause : this.ui.play));
    this.dwell.value = String(dwell);
    this.guess.show();
  }
}

/** The room for a step's words. @param {number} step @param {any} ui */
function stepWords(step, ui) {
  const title = rwEl("span");
  const upshot = rwEl("p", { class: "rw-upshot" });
  const sentences = rwEl("ul", { class: "rw-sentences" });
  const scope = rwEl("p", { class: "rw-scope" });
  const count = rwEl("span", { class: "rw-count" }, rwFill(ui.step_of, { step, steps: STEPS }));
  return {
    title, upshot, sentences, scope,
    heading: rwEl("h3", { class: `rw-title rw-only${step}` }, count, " · ", title),
    body: rwEl("div", { class: `rw-only${step}` }, upshot, sentences, scope),
  };
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
    /** @param {RwContext} context */
    render({ model, el, signal }) {
      new Player(model, asker, session, el, signal);
    },
  };
};
