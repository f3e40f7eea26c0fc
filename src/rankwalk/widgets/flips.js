// Where two candidates change places: four fields, a strip over RRF k, a table. Python computes every number.

/**
 * @typedef {"first" | "second" | "tie"} Lead
 * @typedef {{at: number, text: string}} FlipMark
 * @typedef {{sentences: string[], stretches: {lead: Lead, from: number, to: number, words: string}[],
 *   marks: FlipMark[], ticks: FlipMark[], head: string[], rows: string[][],
 *   presets: {first: (number | null)[], second: (number | null)[], text: string}[],
 *   values: Record<"first" | "second", (number | null)[]>, largest: number, ui: any}} FlipView
 */

const STRIP = { width: 720, left: 24, right: 24, top: 34, bar: 46, height: 124 };

class FlipWidget {
  /** @param {RwContext} context @param {RwAsker} asker */
  constructor(context, asker) {
    /** @type {FlipView} */
    const view = context.model.get("_view");
    const { ui } = view;
    this.ui = ui;
    this.asker = asker;
    this.panel = new RwPanel({ ...context, asker, look: "rw-flips", label: ui.name, silent: ui.silent, show: (next) => this.show(next) });
    /** @type {Record<"first" | "second", HTMLInputElement[]>} */
    this.fields = { first: [], second: [] };
    this.words = rwEl("ul", { class: "rw-findings", id: rwId("words") });
    this.strip = rwScroll(ui.axis);
    this.table = rwScroll(ui.table);
    const presets = rwEl("div", { class: "rw-beside rw-presets" }, rwEl("span", {}, ui.presets));
    for (const { first, second, text } of view.presets)
      presets.append(rwButton({ text, class: "rw-small", click: () => asker.ask({ first, second }) }));
    this.panel.body.append(
      rwEl("h3", {}, ui.name), this.controls(view), presets, this.strip, this.words,
      rwEl("details", {}, rwEl("summary", {}, ui.table), this.table), rwEl("p", { class: "rw-note" }, ui.scope),
    );
    this.panel.show(false);
  }

  /** @param {FlipView} view */
  controls(view) {
    const { ui } = this;
    const row = rwEl("div", { class: "rw-beside" });
    for (const name of /** @type {("first" | "second")[]} */ (["first", "second"])) {
      const group = rwEl("div", { class: `rw-beside rw-${name}` });
      for (const list of [0, 1]) {
        const label = rwFill(ui[name], { list: list ? ui.list2 : ui.list1 });
        const { field, control } = rwNumber({ label, min: 1, max: view.largest, step: "1", ask: () => this.ask(name) });
        this.fields[name].push(field);
        group.append(control.element);
      }
      const error = rwEl("p", { class: "rw-error", id: rwId("error"), role: "alert" }); // it may be of either rank
      for (const field of this.fields[name]) field.setAttribute("aria-describedby", error.id);
      group.append(this.panel.add(name, rwPlainControl(error)));
      row.append(group);
    }
    return rwEl("div", {}, row, rwEl("p", { class: "rw-note" }, ui.empty));
  }

  /** @param {"first" | "second"} name */
  ask(name) {
    this.asker.ask({ [name]: this.fields[name].map((field) => (field.value.trim() === "" ? null : rwTyped(field.value))) });
  }

  /** @param {FlipView} view */
  show(view) {
    for (const name of /** @type {("first" | "second")[]} */ (["first", "second"])) {
      const ranks = /** @type {(number | null)[]} */ (this.asker.wished[name] ?? view.values[name]);
      for (const [list, field] of this.fields[name].entries()) rwShowValue(field, ranks[list] ?? "");
    }
    this.words.replaceChildren(...view.sentences.map((sentence) => rwEl("li", {}, sentence)));
    this.strip.replaceChildren(this.drawn(view));
    this.table.replaceChildren(rwTable(view.ui.table, view.head, view.rows));
  }

  /** @param {FlipView} view */
  drawn(view) {
    const { width, left, right, top, bar, height } = STRIP;
    /** @param {number} at */
    const x = (at) => left + at * (width - left - right);
    const svg = rwSvg("svg", { class: "rw-strip", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": this.ui.axis, "aria-describedby": this.words.id });
    for (const { lead, from, to, words } of view.stretches) {
      const long = x(to) - x(from);
      const part = rwSvg("g", { class: `rw-lead rw-lead-${lead}` }, rwSvg("rect", { x: x(from), y: top, width: Math.max(long, 1), height: bar }));
      if (long > 60) part.append(rwSvg("text", { x: x(from) + long / 2, y: top + bar / 2 + 5, "text-anchor": "middle" }, words));
      svg.append(part);
    }
    for (const { at, text } of view.marks)
      svg.append(
        rwSvg("path", { class: "rw-flip", d: `M${x(at)} ${top - 8}v${bar + 16}` }),
        rwSvg("text", { class: "rw-flip-words", x: x(at), y: top - 13, "text-anchor": at > 0.85 ? "end" : at < 0.15 ? "start" : "middle" }, text),
      );
    for (const { at, text } of view.ticks)
      svg.append(
        rwSvg("path", { class: "rw-tick", d: `M${x(at)} ${top + bar}v6` }),
        rwSvg("text", { class: "rw-tick-words", x: x(at), y: top + bar + 21, "text-anchor": at === 1 ? "end" : "middle" }, text),
      );
    svg.append(rwSvg("text", { class: "rw-tick-words", x: width / 2, y: height - 6, "text-anchor": "middle" }, this.ui.axis));
    return svg;
  }
}

export default rwWidget((context, asker) => new FlipWidget(context, asker));
