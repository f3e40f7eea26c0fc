// What the tests ask of JupyterLab's page, in one place. Injected before the page's own scripts.
// `jupyterapp` is there because the server runs with expose_app_in_browser.

window.lab = {
  running: null,
  failure: null,

  /** The open documents of the main area. */
  panels() {
    return [...jupyterapp.shell.widgets("main")].filter((widget) => widget.context);
  },

  panel(path) {
    return lab.panels().find((panel) => panel.context.path === path);
  },

  cells(path) {
    return lab.panel(path)?.content.widgets ?? [];
  },

  connected(path) {
    const panel = lab.panel(path);
    const kernel = panel?.sessionContext?.session?.kernel;
    return Boolean(
      panel?.context.isReady &&
        panel.sessionContext.isReady &&
        kernel?.connectionStatus === "connected" &&
        kernel.status === "idle",
    );
  },

  open(path) {
    lab.start(jupyterapp.commands.execute("docmanager:open", { path, factory: "Notebook" }));
  },

  /** Close all documents without asking whether to save them. */
  close(path) {
    for (const panel of lab.panels()) {
      if (path === undefined || panel.context.path === path) panel.dispose();
    }
  },

  activate(path) {
    jupyterapp.shell.activateById(lab.panel(path).id);
  },

  runAll(path) {
    lab.activate(path);
    lab.start(jupyterapp.commands.execute("notebook:run-all-cells"));
  },

  runCell(path, index) {
    lab.activate(path);
    const notebook = lab.panel(path).content;
    notebook.deselectAll();
    notebook.activeCellIndex = index;
    lab.start(jupyterapp.commands.execute("notebook:run-cell"));
  },

  save(path) {
    lab.start(lab.panel(path).context.save());
  },

  restart(path) {
    lab.start(lab.kernel(path).restart());
  },

  interrupt(path) {
    lab.start(lab.kernel(path).interrupt());
  },

  /** End the kernel and leave the notebook open, as when it died. */
  shutdown(path) {
    lab.start(lab.panel(path).sessionContext.shutdown());
  },

  kernel(path) {
    return lab.panel(path).sessionContext.session.kernel;
  },

  /** The error outputs as texts, to be shown when a test fails. */
  errors(path) {
    return lab.outputs(path).flatMap(({ cell, json }) =>
      json.output_type === "error" ? [`cell ${cell}: ${json.ename}: ${json.evalue}`] : [],
    );
  },

  /** Every output with the index of its cell and its place there. */
  outputs(path) {
    return lab.cells(path).flatMap((cell, index) =>
      (cell.model.outputs?.toJSON() ?? []).map((json, place) => ({ cell: index, place, json })),
    );
  },

  widgets(path) {
    return lab
      .outputs(path)
      .filter(({ json }) => json.data?.["application/vnd.jupyter.widget-view+json"])
      .map(({ cell, place }) => ({ cell, place }));
  },

  show(path, index) {
    lab.panel(path).content.scrollToItem(index, "start");
  },

  /** Run code in the kernel without a cell, and return what it printed. */
  async python(path, code) {
    const future = lab.kernel(path).requestExecute({ code, store_history: false });
    let text = "";
    future.onIOPub = ({ header, content }) => {
      if (header.msg_type === "stream") text += content.text;
      if (header.msg_type === "execute_result") text += content.data["text/plain"];
    };
    const reply = await future.done;
    if (reply.content.status !== "ok") {
      throw new Error(`${reply.content.ename}: ${reply.content.evalue}`);
    }
    return text;
  },

  theme(name) {
    lab.start(jupyterapp.commands.execute("apputils:change-theme", { theme: name }));
  },

  /** Note that something runs. Tests wait for `running` to be null, with a time limit of their own. */
  start(promise) {
    const mine = Promise.resolve(promise)
      .catch((error) => (lab.failure = String(error)))
      .finally(() => {
        if (lab.running === mine) lab.running = null;
      });
    lab.running = mine;
  },
};
