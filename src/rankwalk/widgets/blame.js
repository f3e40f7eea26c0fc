// Five complaints: read what was noted, choose a stage, compare. Everything was computed beforehand.

/**
 * @typedef {{id: string, text: string, asked: string, needed: string, notes: string[][], fate: string,
 *   right: string, wrong: Record<string, string>, why: string}} BlameCase
 * @typedef {{scope: string, options: [string, string][], cases: BlameCase[], ui: Record<string, string>}} BlameView
 */

class BlameWidget {
  /** @param {RwContext} context @param {Map<string, string>} guesses */
  constructor(context, guesses) {
    /** @type {BlameView} */
    const view = context.model.get("_view");
    this.view = view;
    this.guesses = guesses;
    const { ui } = view;
    this.panel = new RwPanel({ ...context, look: "rw-blame", label: ui.name, show: () => undefined });
    this.score = rwEl("p", { class: "rw-score" });
    this.panel.body.append(
      rwEl("h3", {}, ui.name), ...view.cases.map((one) => this.drawn(one)), this.score,
      rwEl("p", { class: "rw-small-print" }, ui.stand_in), rwEl("p", { class: "rw-small-print" }, view.scope),
    );
    this.showScore();
  }

  /** @param {BlameCase} one */
  drawn(one) {
    const { ui, options } = this.view;
    const name = rwId("blame");
    const answer = rwEl("p", { class: "rw-answer", role: "status" });
    const choices = rwEl("div", { class: "rw-choices" });
    for (const [value, words] of options) {
      const field = rwEl("input", { type: "radio", name, value });
      if (this.guesses.get(one.id) === value) field.checked = true;
      choices.append(rwEl("label", {}, field, ` ${words}`));
    }
    const check = () => {
      const chosen = /** @type {HTMLInputElement | null} */ (choices.querySelector("input:checked"));
      if (!chosen) {
        answer.textContent = ui.nothing;
        return;
      }
      this.guesses.set(one.id, chosen.value);
      this.answer(answer, one, chosen.value);
      this.showScore();
    };
    const kept = this.guesses.get(one.id);
    if (kept) this.answer(answer, one, kept);
    const notes = rwScroll(`${one.id} · ${ui.diagnostics}`);
    notes.append(rwTable(ui.diagnostics, [], one.notes));
    return rwEl(
      "section", { class: "rw-case", "data-case": one.id },
      rwEl("blockquote", {}, rwEl("b", {}, `${one.id} `), one.text),
      rwEl("p", {}, one.asked), rwEl("p", {}, one.needed),
      notes,
      rwEl("fieldset", {}, rwEl("legend", {}, ui.ask), choices, rwButton({ text: ui.check, click: check })),
      answer,
    );
  }

  /** @param {HTMLElement} element @param {BlameCase} one @param {string} guess */
  answer(element, one, guess) {
    const right = guess === one.fate;
    element.className = `rw-answer ${right ? "rw-is-right" : "rw-is-wrong"}`;
    element.replaceChildren(rwIcon(right ? "ok" : "out"), ` ${right ? one.right : one.wrong[guess]} ${one.why}`);
  }

  showScore() {
    const { cases, ui } = this.view;
    const right = cases.filter((one) => this.guesses.get(one.id) === one.fate).length;
    this.score.textContent = this.guesses.size ? rwFill(ui.score, { right, all: cases.length }) : "";
  }
}

export default () => {
  /** What was guessed: kept for a model, so that a view drawn anew shows it. @type {Map<string, string>} */
  const guesses = new Map();
  return {
    /** @param {RwContext} context */
    render(context) {
      new BlameWidget(context, guesses);
    },
  };
};
