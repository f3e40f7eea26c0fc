// Four ways to fuse the same raw scores, and a scale for the keyword scores. Python computes every number.

/**
 * @typedef {{head: string[], rows: string[][]}} RawTable
 * @typedef {{lists: RawTable, methods: RawTable, sentences: string[], values: {example: string, scale: number},
 *   smallest: number, largest: number, examples: [string, string][], ui: any}} RawView
 */

class RawWidget {
  /** @param {RwContext} context @param {RwAsker} asker */
  constructor(context, asker) {
    /** @type {RawView} */
    const view = context.model.get("_view");
    const { ui } = view;
    this.ui = ui;
    this.asker = asker;
    this.panel = new RwPanel({ ...context, asker, look: "rw-raw", label: ui.name, silent: ui.silent, show: (next) => this.show(next) });
    this.example = rwSelect({ label: ui.example_label, options: view.examples, ask: (example) => asker.ask({ example }) });
    this.scale = rwNumber({ label: ui.scale_label, min: view.smallest, max: view.largest, ask: (scale) => asker.ask({ scale }) });
    this.slider = rwEl("input", {
      type: "range", min: Math.log10(view.smallest), max: Math.log10(view.largest), step: 0.1, "aria-label": ui.slider_label,
      class: "rw-range", oninput: () => asker.ask({ scale: this.asScale() }),
    });
    this.scale.control.element.querySelector(".rw-field")?.append(this.slider);
    this.lists = rwScroll(ui.lists);
    this.methods = rwScroll(ui.results);
    this.words = rwEl("ul", { class: "rw-findings" });
    this.panel.body.append(
      rwEl("h3", {}, ui.name),
      rwEl("div", { class: "rw-beside" }, this.panel.add("example", this.example.control), this.panel.add("scale", this.scale.control)),
      this.words, this.methods, this.lists, rwEl("p", { class: "rw-note" }, ui.scope),
    );
    this.panel.show(false);
  }

  /** The slider's place as a number of three digits. */
  asScale() {
    return Number((10 ** Number(this.slider.value)).toPrecision(3));
  }

  /** @param {RawView} view */
  show(view) {
    rwShowValue(this.example.field, view.values.example, this.asker.wished.example);
    rwShowValue(this.scale.field, view.values.scale, this.asker.wished.scale);
    if (document.activeElement !== this.slider) this.slider.value = String(Math.log10(view.values.scale));
    this.slider.setAttribute("aria-valuetext", String(view.values.scale));
    this.lists.replaceChildren(rwTable(this.ui.lists, view.lists.head, view.lists.rows));
    this.methods.replaceChildren(rwTable(this.ui.results, view.methods.head, view.methods.rows));
    this.words.replaceChildren(...view.sentences.map((sentence) => rwEl("li", {}, sentence)));
  }
}

export default rwWidget((context, asker) => new RawWidget(context, asker));
