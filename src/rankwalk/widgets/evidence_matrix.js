// The evidence matrix: draws both sides of a case that Python examined, and asks for changes.
// It computes no ratio and no metric. The learner's own marks stay in the page.

/**
 * @typedef {{id: string, text: string, source: string, dates: string, validity: string, in_force: boolean, needed: string}} Passage
 * @typedef {{source: string, cited: boolean, words: string, sign: string}} Cell
 * @typedef {{id: string, text: string, made: boolean, verdict: string, sign: string, cells: Cell[]}} Claim
 * @typedef {{claim: string, claim_text: string, source: string, source_text: string, holds: boolean, sign: string,
 *   words: string, basis: string}} Link
 * @typedef {{lang: string, case: string, cases: {name: string, title: string, see: string, where: string}[], day: string,
 *   revealed: boolean, passages: Passage[], sources: string[], never: string, claims: Claim[], links: Link[],
 *   ranking: {heads: string[], rows: {label: string, values: string[]}[]}, answer: {label: string, value: string}[],
 *   sentences: string[], told: string, call: string, ui: any, answers: string}} View
 */

/** The learner's marks: one set for a model, so that two views agree. */
class Marks extends EventTarget {
  constructor() {
    super();
    /** @type {Map<string, string>} */
    this.of = new Map();
  }

  /** @param {string} link @param {string} mark */
  set(link, mark) {
    this.of.set(link, mark);
    this.dispatchEvent(new Event("change"));
  }
}

/** @param {{claim: string, source: string}} link */
function linkKey(link) {
  return `${link.claim} ${link.source}`;
}

/**
 * A frame that scrolls sideways where a table is wider than the page, by keyboard too.
 * @param {string} name @param {...Node} children
 */
function scroller(name, ...children) {
  return rwEl("div", { class: "rw-scroll", role: "group", tabindex: "0", "aria-label": name }, ...children);
}

class MatrixView {
  /** @param {RwModel} model @param {RwAsker} asker @param {Marks} marks @param {HTMLElement} el @param {AbortSignal} signal */
  constructor(model, asker, marks, el, signal) {
    this.model = model;
    this.asker = asker;
    this.marks = marks;
    const { ui, lang, cases } = this.view;
    this.ui = ui;
    /** What the numbers were before the last change. @type {Map<string, string>} */
    this.before = new Map();
    /** @type {View | null} */
    this.last = null;

    this.case = rwSelect({ label: ui.case, options: cases.map((one) => [one.name, one.title]), ask: (name) => asker.ask({ case: name }) });
    const day = rwEl("input", { type: "date", class: "rw-input", onchange: () => day.value && asker.ask({ day: day.value }) });
    this.day = day;
    this.dayControl = rwControl(ui.day, day);
    this.passages = rwEl("ol", { class: "rw-passages", "aria-label": ui.passages });
    this.matrix = rwEl("div", { class: "rw-scroll rw-matrix", role: "group", "aria-label": ui.matrix });
    this.ranking = rwEl("div", { class: "rw-side rw-ranking" });
    this.answer = rwEl("div", { class: "rw-side rw-answer-side" });
    this.told = rwEl("p", { class: "rw-told-change" });
    this.sentences = rwEl("ul", { class: "rw-told-list" });
    this.marking = rwEl("div", { class: "rw-marking" });
    this.links = scroller(ui.labels);
    this.controls = new RwControls(asker, ui.silent, signal);
    this.controls.add("case", this.case.control);
    this.controls.add("day", this.dayControl);
    this.live = rwEl("div", { class: "rw-live", role: "status", "aria-live": "polite" });
    this.call = rwEl("input", { class: "rw-input rw-code", readonly: true, "aria-label": ui.call });
    this.root = rwEl(
      "div", { class: "rw-widget rw-evidence", role: "group", "aria-label": ui.name, lang },
      rwEl("p", { class: "rw-question" }, ui.question),
      rwEl("div", { class: "rw-choose" }, this.case.control.element, this.dayControl.element, rwButton({ text: ui.reset, class: "rw-reset", click: () => asker.ask({ case: "base" }) })),
      this.controls.general, this.controls.silent,
      rwEl("h4", {}, ui.passages), this.passages,
      rwEl("h4", {}, ui.matrix), rwEl("p", { class: "rw-note" }, ui.matrix_hint), this.matrix,
      this.marking, this.told,
      rwEl("div", { class: "rw-sides" }, this.ranking, this.answer),
      this.sentences, this.links, this.lookPart(), this.call, rwEl("p", { class: "rw-note rw-scope" }, ui.scope), this.live,
    );
    el.append(this.root);

    rwGuardKeys(this.root, signal, (event) => this.key(event));
    const onView = () => this.show(true);
    model.on("change:_view", onView);
    signal.addEventListener("abort", () => {
      model.off("change:_view", onView);
      this.root.remove();
    });
    marks.addEventListener("change", () => this.showMarks(), { signal });
    this.show(false);
  }

  /** @returns {View} */
  get view() {
    return this.model.get("_view");
  }

  // ---- keys: arrows move within the matrix ----

  /** @param {KeyboardEvent} event */
  key(event) {
    const box = event.target;
    if (!(box instanceof HTMLInputElement) || !this.matrix.contains(box)) return false;
    const row = Number(box.dataset.row);
    const column = Number(box.dataset.column);
    /** @type {Record<string, [number, number]>} */
    const moves = { ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1] };
    const to = moves[event.key];
    if (!to) return false;
    this.box(to[0], to[1])?.focus();
    return true;
  }

  /** @param {number} row @param {number} column @returns {HTMLInputElement | null} */
  box(row, column) {
    return this.matrix.querySelector(`input[data-row="${row}"][data-column="${column}"]`);
  }

  // ---- showing ----

  /** @param {boolean} answered */
  show(answered) {
    const { view } = this;
    this.controls.update();
    rwShowValue(this.case.field, view.case, this.asker.wished.case);
    rwShowValue(this.day, view.day, this.asker.wished.day);
    this.remember(view);
    this.keepingFocus(() => {
      this.showPassages(view);
      this.showMatrix(view);
      this.showMarking(view);
    });
    this.showSides(view);
    this.told.textContent = view.told;
    this.sentences.replaceChildren(...(view.revealed ? view.sentences.map((words) => rwEl("li", {}, words)) : []));
    this.call.value = view.call;
    if (answered && this.root.contains(document.activeElement)) {
      const opened = this.last && this.last.case !== view.case ? rwFill(this.ui.opened, { case: this.title(view) }) : "";
      this.live.textContent = [opened, view.told].join(" ").trim();
    }
    this.last = view;
  }

  /** @param {View} view */
  title(view) {
    return view.cases.find((one) => one.name === view.case)?.title ?? "";
  }

  /** Keep the numbers from before this change, so that they can stand beside the new ones. @param {View} view */
  remember(view) {
    this.before.clear();
    if (!this.last || this.last.case !== view.case) return;
    for (const row of this.last.ranking.rows) row.values.forEach((value, index) => this.before.set(`${row.label} ${index}`, value));
    for (const row of this.last.answer) this.before.set(row.label, row.value);
  }

  /** Redraw, and give the focus back to what has the same name. @param {() => void} draw */
  keepingFocus(draw) {
    const active = document.activeElement;
    const name = active instanceof HTMLElement && this.root.contains(active) ? active.dataset.name : undefined;
    draw();
    if (!name) return;
    for (const element of this.root.querySelectorAll("[data-name]"))
      if (element instanceof HTMLElement && element.dataset.name === name) element.focus({ preventScroll: true });
  }

  /** @param {View} view */
  showPassages(view) {
    const { ui, asker } = this;
    const ids = view.passages.map((passage) => passage.id);
    /** @param {string} id @param {number} by */
    const move = (id, by) => {
      const order = [.../** @type {string[]} */ (asker.wished.order ?? ids)];
      const to = order.indexOf(id) + by;
      if (to < 0 || to >= order.length) return;
      order.splice(order.indexOf(id), 1);
      order.splice(to, 0, id);
      asker.ask({ order });
    };
    this.passages.replaceChildren(...view.passages.map((passage, index) => {
      const up = rwButton({ icon: "up", class: "rw-small", label: rwFill(ui.up, { id: passage.id }), click: () => move(passage.id, -1) });
      const down = rwButton({ icon: "down", class: "rw-small", label: rwFill(ui.down, { id: passage.id }), click: () => move(passage.id, 1) });
      up.dataset.name = `up ${passage.id}`;
      down.dataset.name = `down ${passage.id}`;
      up.setAttribute("aria-disabled", String(index === 0));
      down.setAttribute("aria-disabled", String(index === ids.length - 1));
      const words = rwEl("div", { class: "rw-passage-words" }, rwEl("p", {}, passage.text));
      const about = rwEl("p", { class: "rw-note" }, `${passage.source} · ${passage.dates} · `);
      about.append(rwEl("span", { class: passage.in_force ? "rw-right" : "rw-differs" }, rwIcon(passage.in_force ? "ok" : "out"), ` ${passage.validity}`));
      words.append(about);
      const badge = rwEl("span", { class: "rw-badge" }, passage.id);
      const needed = passage.needed ? [rwEl("span", { class: "rw-needed" }, passage.needed)] : [];
      return rwEl("li", { "data-id": passage.id }, rwEl("span", { class: "rw-passage-head" }, badge, ...needed, up, down), words);
    }));
  }

  /** @param {View} view */
  showMatrix(view) {
    const { ui, asker } = this;
    // As wished for, where Python has not answered yet: a tick that is set stays set, and the next one counts on it.
    const made = () => /** @type {string[]} */ (asker.wished.claims ?? view.claims.filter((claim) => claim.made).map((claim) => claim.id));
    /** Ticks are for the case that is shown. @param {RwWish} wish */
    const tick = (wish) => {
      if (!("case" in asker.wished)) asker.ask(wish);
    };
    const links = () => /** @type {string[][]} */ (asker.wished.links ?? view.links.map((link) => [link.claim, link.source]));
    const heads = view.sources.map((source) => rwEl("th", { scope: "col" }, source, ...(source === view.never ? [rwEl("div", { class: "rw-note" }, ui.never)] : [])));
    const rows = view.claims.map((claim, row) => {
      const says = rwEl("input", {
        type: "checkbox", "data-row": row, "data-column": 0, "data-name": `says ${claim.id}`, "aria-label": rwFill(ui.in_answer, { claim: claim.text }),
        onchange: () => tick({ claims: [...made().filter((id) => id !== claim.id), ...(says.checked ? [claim.id] : [])] }),
      });
      says.checked = made().includes(claim.id);
      const cells = claim.cells.map((cell, index) => {
        /** @param {string[]} link */
        const isLink = ([of, source]) => of === claim.id && source === cell.source;
        const box = rwEl("input", {
          type: "checkbox", "data-row": row, "data-column": index + 1, "data-name": `cites ${claim.id} ${cell.source}`,
          "aria-label": rwFill(ui.cites, { claim: claim.text, source: cell.source }),
          onchange: () => tick({
            // To cite for a claim is to make it.
            claims: [...new Set([...made(), claim.id])],
            links: [...links().filter((link) => !isLink(link)), ...(box.checked ? [[claim.id, cell.source]] : [])],
          }),
        });
        box.checked = links().some(isLink);
        const words = view.revealed && cell.words ? [this.mark(cell.sign, cell.words)] : [];
        return rwEl("td", { class: cell.cited ? "rw-cited" : "" }, box, ...words);
      });
      const verdict = rwEl("td", { class: "rw-verdict-cell" });
      if (view.revealed) verdict.append(this.mark(claim.sign, claim.verdict));
      else verdict.append(rwEl("span", { class: "rw-note" }, ui.hidden));
      return rwEl("tr", { class: claim.made ? "" : "rw-not-made" }, rwEl("th", { scope: "row" }, rwEl("label", { class: "rw-option" }, says, rwEl("span", {}, claim.text))), ...cells, verdict);
    });
    this.matrix.replaceChildren(rwEl(
      "table", { class: "rw-table" },
      rwEl("thead", {}, rwEl("tr", {}, rwEl("th", { scope: "col" }, ui.claim), ...heads, rwEl("th", { scope: "col" }, ui.verdicts))),
      rwEl("tbody", {}, ...rows),
    ));
  }

  /** @param {string} sign @param {string} words */
  mark(sign, words) {
    const look = sign === "ok" ? "rw-right" : sign === "out" ? "rw-differs" : "";
    return rwEl("span", { class: `rw-verdict-words ${look}` }, ...(sign ? [rwIcon(sign), " "] : []), words);
  }

  // ---- first the learner's own eye ----

  /** @param {View} view */
  showMarking(view) {
    const { ui, asker, marks } = this;
    const button = rwButton({
      text: view.revealed ? ui.hide : ui.reveal, class: view.revealed ? "" : "rw-main",
      click: () => asker.ask({ revealed: !(asker.wished.revealed ?? view.revealed) }),
    });
    button.dataset.name = "reveal";
    button.classList.add("rw-reveal");
    if (view.revealed) {
      this.marking.replaceChildren(button);
      this.showLinks(view);
      return;
    }
    this.links.hidden = true;
    const rows = view.links.map((link) => {
      const key = linkKey(link);
      const made = rwSelect({
        label: rwFill(ui.mark_for, { claim: link.claim_text, source: link.source }),
        options: [["", ui.mark_none], ["holds", ui.mark_holds], ["fails", ui.mark_fails]],
        ask: (mark) => marks.set(key, mark),
      });
      made.field.dataset.name = `mark ${key}`;
      made.field.dataset.link = key;
      made.control.setNote(`${link.source}: ${link.source_text}`);
      return made.control.element;
    });
    this.marking.replaceChildren(rwEl("fieldset", { class: "rw-marks" }, rwEl("legend", {}, ui.marks), ...rows, button));
    this.showMarks();
  }

  showMarks() {
    const { view, marks } = this;
    if (view.revealed) this.showLinks(view);
    else
      for (const field of this.marking.querySelectorAll("select"))
        field.value = marks.of.get(field.dataset.link ?? "") ?? "";
  }

  /** The labels, each with the words it rests on, and beside it the learner's mark. @param {View} view */
  showLinks(view) {
    const { ui, marks } = this;
    this.links.hidden = !view.links.length;
    const asked = view.links.some((link) => marks.of.get(linkKey(link)));
    const rows = view.links.map((link) => {
      const mark = marks.of.get(linkKey(link)) ?? "";
      const right = mark === (link.holds ? "holds" : "fails");
      const own = mark === "" ? rwEl("span", { class: "rw-note" }, ui.mark_missing) : this.mark(right ? "ok" : "out", right ? ui.mark_right : ui.mark_differs);
      return rwEl(
        "tr", {}, rwEl("td", {}, link.claim_text), rwEl("td", {}, link.source),
        rwEl("td", {}, this.mark(link.sign, link.words)), rwEl("td", {}, link.basis), ...(asked ? [rwEl("td", {}, own)] : []),
      );
    });
    this.links.replaceChildren(rwEl("table", { class: "rw-table rw-links" }, rwEl("caption", {}, ui.labels), rwEl("tbody", {}, ...rows)));
  }

  // ---- the two sides ----

  /** @param {View} view */
  showSides(view) {
    const { ui } = this;
    this.ranking.replaceChildren(
      rwEl("h4", {}, ui.ranking), rwEl("p", { class: "rw-note" }, ui.ranking_note),
      this.hiddenOr(view, () => rwEl(
        "table", { class: "rw-table" },
        rwEl("thead", {}, rwEl("tr", {}, ...[ui.metric, ...view.ranking.heads].map((words) => rwEl("th", { scope: "col" }, words)))),
        rwEl("tbody", {}, ...view.ranking.rows.map((row) => rwEl(
          "tr", {}, rwEl("th", { scope: "row" }, row.label), ...row.values.map((value, index) => this.number(value, `${row.label} ${index}`)),
        ))),
      ), ui.ranking),
    );
    this.answer.replaceChildren(
      rwEl("h4", {}, ui.answer), rwEl("p", { class: "rw-note" }, ui.answer_note),
      this.hiddenOr(view, () => rwEl(
        "table", { class: "rw-table" },
        rwEl("thead", {}, rwEl("tr", {}, ...[ui.measure, ui.value].map((words) => rwEl("th", { scope: "col" }, words)))),
        rwEl("tbody", {}, ...view.answer.map((row) => rwEl("tr", {}, rwEl("th", { scope: "row" }, row.label), this.number(row.value, row.label)))),
      ), ui.answer),
    );
  }

  /** @param {View} view @param {() => HTMLElement} draw @param {string} name */
  hiddenOr(view, draw, name) {
    return view.revealed ? scroller(name, draw()) : rwEl("p", { class: "rw-hidden-note" }, this.ui.hidden);
  }

  /** A number, with what it was where it has changed. @param {string} value @param {string} name */
  number(value, name) {
    const old = this.before.get(name);
    const cell = rwEl("td", {}, value);
    if (old !== undefined && old !== value) {
      cell.classList.add("rw-moved");
      cell.append(rwEl("div", { class: "rw-note" }, rwFill(this.ui.was, { old })));
    }
    return cell;
  }

  // ---- what you see, where to look ----

  lookPart() {
    const { ui, asker } = this;
    const rows = this.view.cases.map((one) => rwEl(
      "tr", { "data-case": one.name }, rwEl("td", {}, rwEl("b", {}, one.title), rwEl("br"), one.see), rwEl("td", {}, one.where),
      rwEl("td", {}, rwButton({ text: ui.open, label: `${ui.open}: ${one.title}`, click: () => asker.ask({ case: one.name, revealed: true }) })),
    ));
    return rwEl("details", { class: "rw-look", open: true }, rwEl("summary", {}, ui.look), scroller(ui.look, rwEl(
      "table", { class: "rw-table" },
      rwEl("thead", {}, rwEl("tr", {}, ...[ui.see, ui.where, ui.open].map((words) => rwEl("th", { scope: "col" }, words)))),
      rwEl("tbody", {}, ...rows),
    )));
  }
}

export default () => {
  /** @type {RwAsker} */
  let asker;
  /** @type {Marks} */
  let marks;
  return {
    /** @param {{model: RwModel, signal: AbortSignal}} context */
    initialize({ model, signal }) {
      asker = new RwAsker(model, signal);
      marks = new Marks();
    },
    /** @param {RwContext} context */
    render({ model, el, signal }) {
      new MatrixView(model, asker, marks, el, signal);
    },
  };
};
