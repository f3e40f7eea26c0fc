// The 36 pairs of orders as a table of buttons. Python computes every cell.

/**
 * @typedef {{keyword: string[], semantic: string[], text: string, winner: number, tie: boolean, words: string,
 *   chosen: boolean}} SwapCell
 * @typedef {{orders: string[], cells: SwapCell[], count: string, said: string, ui: any}} SwapView
 */

class SwapWidget {
  /** @param {RwContext} context @param {RwAsker} asker */
  constructor(context, asker) {
    /** @type {SwapView} */
    const view = context.model.get("_view");
    const { ui } = view;
    this.ui = ui;
    this.asker = asker;
    this.width = view.orders.length;
    this.panel = new RwPanel({ ...context, asker, look: "rw-swaps", label: ui.name, silent: ui.silent, show: (next) => this.show(next) });
    this.count = rwEl("p", { class: "rw-how-many" });
    this.said = rwEl("p", { class: "rw-said" });
    /** @type {HTMLButtonElement[]} */
    this.buttons = view.cells.map((cell, index) => this.button(cell, index));
    this.panel.body.append(
      rwEl("h3", {}, ui.name), this.count, rwEl("p", { class: "rw-note" }, ui.hint),
      rwEl("div", { class: "rw-scroll" }, this.table(view)), this.said, rwEl("p", { class: "rw-note" }, ui.scope),
    );
    this.panel.show(false);
  }

  /** @param {SwapCell} cell @param {number} index */
  button(cell, index) {
    const button = rwEl("button", {
      type: "button", class: `rw-cell rw-winner-${cell.winner}${cell.tie ? " rw-tied" : ""}`, "aria-label": cell.words,
      onclick: () => this.asker.ask({ keyword: cell.keyword, semantic: cell.semantic }),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event, index),
    }, cell.text);
    if (cell.tie) button.append(rwEl("span", { class: "rw-tie-word" }, this.ui.tie));
    return button;
  }

  /** @param {SwapView} view */
  table(view) {
    const head = rwEl("tr", {}, rwEl("th", { scope: "col" }, this.ui.corner), ...view.orders.map((order) => rwEl("th", { scope: "col" }, order)));
    const rows = view.orders.map((order, row) =>
      rwEl("tr", {}, rwEl("th", { scope: "row" }, order),
        ...this.buttons.slice(row * this.width, (row + 1) * this.width).map((button) => rwEl("td", {}, button))),
    );
    return rwEl("table", { class: "rw-table" }, rwEl("caption", { class: "rw-live" }, this.ui.name), rwEl("thead", {}, head), rwEl("tbody", {}, ...rows));
  }

  /** @param {KeyboardEvent} event @param {number} index */
  key(event, index) {
    const column = index % this.width;
    /** @type {Record<string, number>} */
    const steps = {
      ArrowLeft: column > 0 ? -1 : 0, ArrowRight: column < this.width - 1 ? 1 : 0, ArrowUp: -this.width, ArrowDown: this.width,
      Home: -column, End: this.width - 1 - column,
    };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const next = this.buttons[index + steps[event.key]];
    if (!next) return;
    this.reachable(next);
    next.focus();
  }

  /** One stop for Tab in the whole table. @param {HTMLButtonElement} chosen */
  reachable(chosen) {
    for (const button of this.buttons) button.tabIndex = button === chosen ? 0 : -1;
  }

  /** @param {SwapView} view */
  show(view) {
    this.count.textContent = view.count;
    this.said.textContent = view.said;
    for (const [index, cell] of view.cells.entries()) this.buttons[index].setAttribute("aria-pressed", String(cell.chosen));
    this.reachable(this.buttons[view.cells.findIndex((cell) => cell.chosen)]);
  }
}

export default rwWidget((context, asker) => new SwapWidget(context, asker));
