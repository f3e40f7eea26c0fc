// A reranker that fails: settings, what was served with its marks, and the timings. Python runs the pipeline.

/**
 * @typedef {{scope: string, question: string, needed: string, ended: string, said: string, head: string[],
 *   rows: string[][], needed_id: string, timings: [string, number][], deadline_ms: number, reserve_ms: number,
 *   values: Record<string, string | number>, providers: [string, string][], strategies: [string, string][],
 *   ui: Record<string, string>}} OutageView
 */

class OutageWidget {
  /** @param {RwContext} context @param {RwAsker} asker */
  constructor(context, asker) {
    /** @type {OutageView} */
    const view = context.model.get("_view");
    const { ui } = view;
    this.ui = ui;
    this.panel = new RwPanel({ ...context, asker, look: "rw-outage", label: ui.name, silent: ui.silent, show: (next) => this.show(next) });
    this.provider = rwSelect({ label: ui.provider, options: view.providers, ask: (value) => asker.ask({ provider: value }) });
    this.strategy = rwSelect({ label: ui.strategy, options: view.strategies, ask: (value) => asker.ask({ strategy: value }) });
    this.delay = rwNumber({ label: ui.delay_s, min: 0, max: 60, step: "any", ask: (value) => asker.ask({ delay_s: value }) });
    this.deadline = rwNumber({ label: ui.deadline_s, min: 0.5, max: 60, step: "any", ask: (value) => asker.ask({ deadline_s: value }) });
    this.question = rwEl("p", {});
    this.said = rwEl("p", { class: "rw-ended" });
    this.served = rwScroll(ui.table);
    this.timings = rwScroll(ui.timings, "rw-timings");
    this.scope = rwEl("p", { class: "rw-small-print" });
    this.panel.body.append(
      rwEl("h3", {}, ui.name), this.question,
      rwEl(
        "fieldset", {}, rwEl("legend", {}, ui.settings),
        rwEl(
          "div", { class: "rw-grid" },
          this.panel.add("provider", this.provider.control), this.panel.add("strategy", this.strategy.control),
          this.panel.add("delay_s", this.delay.control), this.panel.add("deadline_s", this.deadline.control),
        ),
      ),
      this.said, this.served, this.timings, rwEl("p", { class: "rw-small-print" }, ui.stand_in), this.scope,
    );
    this.panel.show(false);
  }

  /** @param {OutageView} view */
  show(view) {
    this.panel.root.dataset.ended = view.ended;
    this.question.replaceChildren(rwEl("b", {}, view.question), rwEl("br"), view.needed);
    const icon = { raised: "out", degraded: "missing", served: "ok" }[view.ended] ?? "";
    this.said.replaceChildren(rwIcon(icon), ` ${view.said}`);
    this.served.hidden = view.rows.length === 0;
    this.served.replaceChildren(rwTable(view.ui.table, view.head, view.rows));
    this.timings.replaceChildren(this.drawn(view));
    this.scope.textContent = view.scope;
    rwShowValue(this.provider.field, view.values.provider, this.panel.controls.wish("provider"));
    rwShowValue(this.strategy.field, view.values.strategy, this.panel.controls.wish("strategy"));
    rwShowValue(this.delay.field, view.values.delay_s, this.panel.controls.wish("delay_s"));
    rwShowValue(this.deadline.field, view.values.deadline_s, this.panel.controls.wish("deadline_s"));
  }

  /** @param {OutageView} view */
  drawn(view) {
    const rows = view.timings.map(([name, ms]) => {
      const bar = rwEl("div", { class: "rw-ms-room", "aria-hidden": "true" });
      if (name !== "rerank_degraded") {
        const share = Math.min(100, (100 * ms) / view.deadline_ms);
        const reserve = (100 * view.reserve_ms) / view.deadline_ms;
        bar.append(rwEl("div", { class: "rw-ms", style: `width:${share.toFixed(2)}%` }), rwEl("div", { class: "rw-reserve", style: `width:${reserve.toFixed(2)}%` }));
      }
      return [name, name === "rerank_degraded" ? ms.toFixed(1) : String(Math.round(ms)), bar];
    });
    return rwTable(view.ui.timings, [view.ui.stage, view.ui.ms, view.ui.of_deadline], rows);
  }
}

export default rwWidget((context, asker) => new OutageWidget(context, asker));
