// Change a ranking and see which metrics notice. Python makes every edit and computes every number.

/**
 * @typedef {{id: string, needed: boolean, words: string, within: boolean}} PlayPlace
 * @typedef {{places: PlayPlace[], missing: string[], head: string[], rows: string[][], moved: string[], said: string,
 *   values: {n: number, gain: string}, gains: [string, string][], longest: number, ui: any}} PlayView
 */

const MOVED_ICONS = /** @type {Record<string, string>} */ ({ up: "up", down: "down", same: "same", undefined: "missing" });

class PlayWidget {
  /** @param {RwContext} context @param {RwAsker} asker */
  constructor(context, asker) {
    /** @type {PlayView} */
    const view = context.model.get("_view");
    const { ui } = view;
    this.ui = ui;
    this.asker = asker;
    this.panel = new RwPanel({ ...context, asker, look: "rw-playground", label: ui.name, silent: ui.silent, show: (next) => this.show(next) });
    this.list = rwEl("ol", { class: "rw-places", "aria-label": ui.ranking });
    this.table = rwScroll(ui.table);
    this.said = rwEl("p", { class: "rw-said" });
    this.n = rwNumber({ label: ui.n, min: 1, max: view.longest, step: "1", ask: (n) => asker.ask({ n }) });
    this.gain = rwSelect({ label: ui.gain, options: view.gains, ask: (gain) => asker.ask({ gain }) });
    const adds = rwEl("div", { class: "rw-beside" }, rwEl("span", {}, ui.add));
    for (const where of ["top", "middle", "end"])
      adds.append(rwButton({ icon: "added", text: ui[where], class: `rw-add-${where}`, click: () => this.edit(["add", where]) }));
    adds.append(rwButton({ text: ui.reset, class: "rw-reset", click: () => this.edit(["reset"]) }));
    this.panel.body.append(
      rwEl("h3", {}, ui.name), adds,
      rwEl("div", { class: "rw-columns" },
        rwEl("div", {}, rwEl("h4", {}, ui.ranking), this.list),
        rwEl("div", { class: "rw-measured" },
          rwEl("div", { class: "rw-beside" }, this.panel.add("n", this.n.control), this.panel.add("gain", this.gain.control)), this.table, this.said)),
      rwEl("p", { class: "rw-note" }, ui.scope),
    );
    this.panel.show(false);
  }

  /** @param {(string | number)[]} edit */
  edit(edit) {
    this.asker.act({ edit });
  }

  /** @param {PlayView} view */
  show(view) {
    const focus = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.at : undefined;
    this.list.replaceChildren(...view.places.map((place, index) => this.place(place, index, view)));
    if (focus) {
      const same = this.list.querySelector(`[data-at="${focus}"]`);
      const last = [...this.list.querySelectorAll("[data-at]")].at(-1);
      /** @type {HTMLElement | null} */ (same ?? last ?? this.panel.body.querySelector("button"))?.focus();
    }
    rwShowValue(this.n.field, view.values.n, this.asker.wished.n);
    rwShowValue(this.gain.field, view.values.gain, this.asker.wished.gain);
    const rows = view.rows.map((row, index) => [
      ...row.slice(0, -1), rwEl("span", { class: `rw-effect rw-effect-${view.moved[index]}` }, rwIcon(MOVED_ICONS[view.moved[index]]), ` ${row[row.length - 1]}`),
    ]);
    this.table.replaceChildren(rwTable(this.ui.table, view.head, rows));
    this.said.textContent = view.said;
  }

  /** @param {PlayPlace} place @param {number} index @param {PlayView} view */
  place(place, index, view) {
    const row = rwEl("li", { class: `rw-place${place.within ? "" : " rw-beyond"}${index + 1 === view.values.n ? " rw-cut" : ""}` },
      rwEl("bdi", { class: "rw-id" }, rwShort(place.id)), rwEl("span", { class: "rw-judged" }, place.words));
    const buttons = rwEl("span", { class: "rw-tools" });
    if (index < view.places.length - 1) {
      const label = rwFill(this.ui.swap, { id: rwShort(place.id), other: rwShort(view.places[index + 1].id) });
      buttons.append(this.marked(rwButton({ icon: "down", label, class: "rw-small", click: () => this.edit(["swap", place.id, view.places[index + 1].id]) }), `swap${index}`));
    }
    const label = rwFill(this.ui.remove, { id: rwShort(place.id) });
    buttons.append(this.marked(rwButton({ icon: "out", label, class: "rw-small", click: () => this.edit(["remove", place.id]) }), `out${index}`));
    row.append(buttons);
    return row;
  }

  /** So that focus finds its place again when the list is drawn anew. @param {HTMLElement} button @param {string} at */
  marked(button, at) {
    button.dataset.at = at;
    return button;
  }
}

export default rwWidget((context, asker) => new PlayWidget(context, asker));
