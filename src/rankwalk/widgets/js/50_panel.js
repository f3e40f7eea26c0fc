// The frame of a widget whose picture is redrawn from each view: words, controls, notices, one live region.

/**
 * @typedef {object} RwPanelSpec
 * @property {RwModel} model
 * @property {HTMLElement} el
 * @property {AbortSignal} signal
 * @property {RwAsker} [asker] none where nothing is asked of Python
 * @property {string} look the class of the root
 * @property {string} label its name for screen readers
 * @property {string} [silent] what to say when Python is not answering
 * @property {(view: any) => void} show draw a view
 */

/** Puts a root element on the page, shows each view, and brings what was refused to its control. */
class RwPanel {
  /** @param {RwPanelSpec} spec */
  constructor(spec) {
    const { model, el, signal, asker } = spec;
    this.spec = spec;
    this.controls = new RwControls(asker, spec.silent ?? "", signal);
    this.live = rwEl("div", { class: "rw-live", "aria-live": "polite", role: "status" });
    this.body = rwEl("div", { class: "rw-body" });
    this.root = rwEl(
      "div", { class: `rw-widget rw-panelled ${spec.look}`, role: "group", "aria-label": spec.label, tabindex: "-1" },
      this.body, this.controls.general, this.controls.silent, this.live,
    );
    el.append(this.root);
    rwGuardKeys(this.root, signal);
    const onView = () => this.show(true);
    model.on("change:_view", onView);
    signal.addEventListener("abort", () => {
      model.off("change:_view", onView);
      this.root.remove();
    });
  }

  /** Add a control for a setting. @param {string} field @param {RwControl} control */
  add(field, control) {
    return this.controls.add(field, control);
  }

  /** Show the view; `said` is announced when this view of the widget is the one in use. @param {boolean} announce */
  show(announce) {
    const view = this.spec.model.get("_view");
    this.controls.update(view.notes);
    this.spec.show(view);
    if (announce && this.root.contains(document.activeElement)) this.say(view.said ?? "");
  }

  /** @param {string} words */
  say(words) {
    rwText(this.live, words);
  }
}

/**
 * A table from plain data; without a head if it has no words for one.
 * @param {string} caption @param {string[]} head @param {(string | Node)[][]} rows
 */
function rwTable(caption, head, rows) {
  const table = rwEl("table", { class: "rw-table" }, rwEl("caption", {}, caption));
  if (head.length) table.append(rwEl("thead", {}, rwEl("tr", {}, ...head.map((words) => rwEl("th", { scope: "col" }, words)))));
  const cells = (/** @type {(string | Node)[]} */ row) =>
    row.map((cell, index) => (index === 0 ? rwEl("th", { scope: "row" }, cell) : rwEl("td", {}, cell)));
  table.append(rwEl("tbody", {}, ...rows.map((row) => rwEl("tr", {}, ...cells(row)))));
  return table;
}

/** A frame in which what is too wide scrolls, by keyboard too. @param {string} label @param {string} [look] */
function rwScroll(label, look = "") {
  return rwEl("div", { class: `rw-scroll ${look}`, tabindex: "0", role: "region", "aria-label": label });
}
