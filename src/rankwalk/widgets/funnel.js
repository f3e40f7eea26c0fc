// The two-stage funnel: bars for the stages, a chart of recall against latency. Python computes every number.

/**
 * @typedef {{key: string, title: string, count: string, width: number, share: number, lost_share: number,
 *   still: string, lost: string}} FunnelStage
 * @typedef {{depth: number, ms: number, retrieved: number, kept: number, cells: string[], verdict: string}} FunnelPoint
 * @typedef {{head: string[], words: string, points: FunnelPoint[], rule: number, now: {ms: number, kept: number}}} FunnelChart
 * @typedef {{name: string, scope: string, stages: FunnelStage[], facts: string[], chart: FunnelChart,
 *   values: Record<string, number>, ui: Record<string, string>}} FunnelView
 */

const PLOT = { width: 560, height: 250, left: 48, right: 16, top: 14, bottom: 44 };

/** A round step that gives about five ticks. @param {number} largest */
function tickStep(largest) {
  const rough = largest / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((n) => n * power).find((step) => step >= rough) ?? power;
}

const LARGEST_SEED = 999999999;

class FunnelWidget {
  /** @param {RwContext} context @param {RwAsker} asker */
  constructor(context, asker) {
    /** @type {FunnelView} */
    const view = context.model.get("_view");
    const ui = view.ui;
    this.ui = ui;
    this.asker = asker;
    this.panel = new RwPanel({ ...context, asker, look: "rw-funnel", label: ui.name, silent: ui.silent, show: (next) => this.show(next) });
    this.stages = rwEl("ol", { class: "rw-stages" });
    this.facts = rwEl("ul", { class: "rw-facts" });
    this.plot = rwScroll(ui.chart, "rw-plot");
    this.plotWords = rwEl("p", { class: "rw-small-print", id: rwId("plot") });
    this.table = rwScroll(ui.table);
    this.scope = rwEl("p", { class: "rw-small-print" });
    /** @type {Map<string, HTMLInputElement>} */
    this.fields = new Map();
    this.verdict = rwEl("p", { role: "status", class: "rw-verdict" });
    /** @type {[string, string][]} */
    const depths = [["", ui.choose], ...view.chart.points.map((point) => /** @type {[string, string]} */ ([String(point.depth), String(point.depth)]))];
    this.pick = rwSelect({ label: ui.knee_label, options: depths, ask: () => (this.verdict.textContent = "") });
    this.panel.body.append(
      rwEl("h3", {}, ui.name), this.stages, this.facts, this.controls(),
      rwEl("h4", {}, ui.chart), this.plotWords, this.plot, this.knee(),
      rwEl("details", {}, rwEl("summary", {}, ui.table), this.table), this.scope,
    );
    this.panel.show(false);
  }

  controls() {
    const { ui } = this;
    const spec = [
      ["vector_depth", ui.vector_depth, 1, 1000, "1"], ["keyword_depth", ui.keyword_depth, 1, 1000, "1"],
      ["overlap", ui.overlap, 0, 100, "1"], ["limit", ui.limit, 1, 100, "1"], ["budget", ui.budget_control, 1, 100, "1"],
      ["ms_a_pair", ui.ms_a_pair, 0, undefined, "any"], ["cost_a_million_pairs", ui.cost_a_million_pairs, 0, undefined, "any"],
      ["seed", ui.seed, 0, LARGEST_SEED, "1"],
    ];
    const grid = rwEl("div", { class: "rw-grid" });
    for (const [name, label, min, max, step] of /** @type {[string, string, number, number | undefined, string][]} */ (spec)) {
      const { field, control } = rwNumber({ label, min, max, step, ask: (value) => this.asker.ask({ [name]: value }) });
      this.fields.set(name, field);
      grid.append(this.panel.add(name, control));
    }
    grid.append(rwButton({ text: ui.another, click: () => this.anotherDraw() }));
    return rwEl("fieldset", {}, rwEl("legend", {}, ui.settings), grid);
  }

  anotherDraw() {
    const seed = Number(this.asker.wished.seed ?? this.view.values.seed);
    this.asker.ask({ seed: seed >= LARGEST_SEED ? 0 : seed + 1 });
  }

  knee() {
    const { ui } = this;
    const chosen = () => this.view.chart.points.find((point) => String(point.depth) === this.pick.field.value);
    return rwEl(
      "fieldset", {}, rwEl("legend", {}, ui.knee_ask),
      rwEl(
        "div", { class: "rw-row" }, this.pick.control.element,
        rwButton({ text: ui.knee_compare, class: "rw-compare", click: () => (this.verdict.textContent = chosen()?.verdict ?? ui.knee_ask) }),
        rwButton({
          text: ui.knee_use,
          click: () => {
            const point = chosen();
            if (point) this.asker.ask({ vector_depth: point.depth, keyword_depth: point.depth });
            else this.verdict.textContent = ui.knee_ask;
          },
        }),
      ),
      this.verdict,
    );
  }

  /** @returns {FunnelView} */
  get view() {
    return this.panel.spec.model.get("_view");
  }

  /** @param {FunnelView} view */
  show(view) {
    this.stages.replaceChildren(...view.stages.map((stage) => this.stage(stage)));
    this.facts.replaceChildren(...view.facts.map((fact) => rwEl("li", {}, fact)));
    this.scope.textContent = view.scope;
    this.verdict.textContent = "";
    this.plotWords.textContent = view.chart.words;
    this.plot.replaceChildren(this.drawn(view.chart));
    this.table.replaceChildren(rwTable(view.ui.chart, view.chart.head, view.chart.points.map((point) => point.cells)));
    for (const [name, field] of this.fields) rwShowValue(field, view.values[name], this.asker.wished[name]);
  }

  /** @param {FunnelStage} stage */
  stage(stage) {
    const bar = rwEl("div", { class: "rw-bar", style: `width:${(100 * stage.width).toFixed(2)}%` });
    bar.append(rwEl("div", { class: "rw-share", style: `width:${(100 * stage.share).toFixed(2)}%` }));
    return rwEl(
      "li", { class: `rw-stage rw-stage-${stage.key}` },
      rwEl("p", {}, rwEl("b", {}, stage.title), " ", rwEl("span", { class: "rw-count" }, stage.count)),
      rwEl("div", { class: "rw-track", "aria-hidden": "true" }, bar),
      rwEl("p", {}, stage.still, stage.lost ? rwEl("span", { class: "rw-lost" }, ` · ${stage.lost}`) : ""),
    );
  }

  /** @param {FunnelChart} chart */
  drawn(chart) {
    const { ui } = this;
    const { width, height, left, right, top, bottom } = PLOT;
    const largest = Math.max(chart.now.ms, ...chart.points.map((point) => point.ms)) * 1.04;
    /** @param {number} ms */
    const x = (ms) => left + (ms / largest) * (width - left - right);
    /** @param {number} share */
    const y = (share) => height - bottom - share * (height - top - bottom);
    const svg = rwSvg("svg", { class: "rw-chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": ui.chart, "aria-describedby": this.plotWords.id });
    const grid = rwSvg("g", { class: "rw-gridlines" });
    const words = rwSvg("g", { class: "rw-ticks" });
    for (let share = 0; share <= 1.001; share += 0.25) {
      grid.append(rwSvg("path", { d: `M${left} ${y(share)}H${width - right}` }));
      words.append(rwSvg("text", { x: left - 6, y: y(share) + 4, "text-anchor": "end" }, String(Math.round(100 * share))));
    }
    const step = tickStep(largest);
    for (let ms = 0; ms <= largest; ms += step) {
      grid.append(rwSvg("path", { d: `M${x(ms)} ${height - bottom}v5` }));
      words.append(rwSvg("text", { x: x(ms), y: height - bottom + 18, "text-anchor": "middle" }, String(Math.round(ms))));
    }
    words.append(
      rwSvg("text", { x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle" }, ui.chart_x),
      rwSvg("text", { x: 14, y: (top + height - bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${(top + height - bottom) / 2})` }, ui.chart_y),
    );
    svg.append(grid, words);
    for (const kind of /** @type {("retrieved" | "kept")[]} */ (["retrieved", "kept"])) {
      const path = chart.points.map((point, index) => `${index ? "L" : "M"}${x(point.ms).toFixed(1)} ${y(point[kind]).toFixed(1)}`).join("");
      const curve = rwSvg("g", { class: `rw-curve rw-curve-${kind}` }, rwSvg("path", { d: path }));
      for (const point of chart.points) curve.append(rwSvg("circle", { cx: x(point.ms), cy: y(point[kind]), r: 3 }));
      const last = chart.points[chart.points.length - 1];
      curve.append(rwSvg("text", { x: x(last.ms) - 4, y: y(last[kind]) + (kind === "kept" ? 20 : -9), "text-anchor": "end" }, ui[kind]));
      svg.append(curve);
    }
    const hereX = x(chart.now.ms);
    const hereY = y(chart.now.kept);
    svg.append(
      rwSvg(
        "g", { class: "rw-now" }, rwSvg("path", { d: `M${hereX} ${height - bottom}V${hereY}` }),
        rwSvg("circle", { cx: hereX, cy: hereY, r: 7 }),
        rwSvg("text", { x: hereX + (hereX > width / 2 ? -11 : 11), y: hereY + 26, "text-anchor": hereX > width / 2 ? "end" : "start" }, ui.now),
      ),
    );
    return svg;
  }
}

export default rwWidget((context, asker) => new FunnelWidget(context, asker));
