// Guess which metric moves, then compare. The guesses stay in the browser; Python computed what is right.

/**
 * @typedef {{moves: boolean, words: string, numbers: string}} GridCell
 * @typedef {{words: string, ranking: string, cells: GridCell[]}} GridRow
 * @typedef {{start: string, judged: string, head: string[], rows: GridRow[], values: {n: number}, largest: number,
 *   ui: any}} GridView
 */

class GridWidget {
  /** @param {RwContext} context @param {RwAsker} asker */
  constructor(context, asker) {
    /** @type {GridView} */
    const view = context.model.get("_view");
    const { ui } = view;
    this.ui = ui;
    this.panel = new RwPanel({ ...context, asker, look: "rw-grid-metrics", label: ui.name, silent: ui.silent, show: (next) => this.show(next) });
    this.start = rwEl("p", {});
    this.judged = rwEl("p", {});
    this.n = rwNumber({ label: ui.n, min: 1, max: view.largest, step: "1", ask: (n) => asker.ask({ n }) });
    this.table = rwScroll(ui.name);
    this.score = rwEl("p", { class: "rw-points", role: "status" });
    /** @type {{select: HTMLSelectElement, answer: HTMLElement, cell: GridCell}[]} */
    this.cells = [];
    this.panel.body.append(
      rwEl("h3", {}, ui.name), this.start, this.judged, this.panel.add("n", this.n.control), this.table,
      rwEl("div", { class: "rw-beside" },
        rwButton({ text: ui.check, class: "rw-main rw-check", click: () => this.check() }),
        rwButton({ text: ui.reveal, class: "rw-reveal", click: () => this.reveal() }),
        rwButton({ text: ui.clear, class: "rw-clear", click: () => this.draw() })),
      this.score, rwEl("p", { class: "rw-note" }, ui.scope),
    );
    this.panel.show(false);
  }

  /** @param {GridView} view */
  show(view) {
    this.view = view;
    this.start.textContent = view.start;
    this.judged.textContent = view.judged;
    rwShowValue(this.n.field, view.values.n, this.panel.controls.wish("n"));
    this.draw();
  }

  /** An empty grid. */
  draw() {
    const view = /** @type {GridView} */ (this.view);
    this.cells = [];
    this.score.textContent = "";
    const rows = view.rows.map((row) => [
      rwEl("span", {}, row.words, rwEl("br"), rwEl("span", { class: "rw-ranked" }, row.ranking)),
      ...row.cells.map((cell, index) => this.cell(cell, `${row.words}, ${view.head[index]}`)),
    ]);
    this.table.replaceChildren(rwTable(this.ui.caption, [this.ui.edit, ...view.head], rows));
  }

  /** @param {GridCell} cell @param {string} label */
  cell(cell, label) {
    const answer = rwEl("span", { class: "rw-computed" });
    const select = rwEl("select", { class: "rw-input", "aria-label": label, onchange: () => answer.replaceChildren() });
    for (const [value, words] of [["", "?"], ["moves", this.ui.moves], ["stays", this.ui.stays]]) select.append(rwEl("option", { value }, words));
    this.cells.push({ select, answer, cell });
    return rwEl("div", {}, select, answer);
  }

  check() {
    let asked = 0;
    let right = 0;
    for (const { select, answer, cell } of this.cells) {
      if (!select.value) {
        answer.replaceChildren();
        continue;
      }
      asked += 1;
      const good = (select.value === "moves") === cell.moves;
      right += Number(good);
      answer.replaceChildren(
        rwEl("span", { class: good ? "rw-guess-right" : "rw-guess-wrong" }, rwIcon(good ? "ok" : "out"), ` ${good ? this.ui.right : this.ui.wrong}`),
        rwEl("br"), cell.numbers,
      );
    }
    this.score.textContent = asked ? rwFill(this.ui.score, { right, asked }) : this.ui.none;
  }

  reveal() {
    for (const { answer, cell } of this.cells) answer.replaceChildren(cell.words, rwEl("br"), cell.numbers);
    this.score.textContent = this.ui.revealed;
  }
}

export default rwWidget((context, asker) => new GridWidget(context, asker));
