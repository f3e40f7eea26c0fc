// An exercise: draws the question that Python worded, and hands an answer over when it is submitted.
// It grades nothing and runs nothing. What is typed stays in the page until then.

/**
 * @typedef {{id: string, label: string}} Option
 * @typedef {{about: string, mark: string, text: string}} Reason
 * @typedef {{holds: boolean | null, headline: string, reasons: Reason[], criteria: string[], example: string}} Feedback
 * @typedef {{lang: string, heading: string, point: string, kind: string, text: string, instruction: string,
 *   options: Option[], several: boolean, starter: string, answer: string | string[] | null, remembered: string,
 *   feedback: Feedback | null, silenced: string, told: string, problem: string, aside: string, kept: string, count: number,
 *   count_words: string, delete_sure: string, export: {name: string, text: string} | null, ui: any,
 *   answers: string}} View
 */

/** What the learner answers with; one kind of it for each kind of question. */
class Field {
  /** @param {HTMLElement} element @param {() => string | string[]} read @param {(answer: string | string[]) => void} write */
  constructor(element, read, write) {
    this.element = element;
    this.read = read;
    this.write = write;
  }
}

/** @param {View} view @param {string} described id of the element with errors */
function choiceField(view, described) {
  const name = rwId("choice");
  /** @type {HTMLInputElement[]} */
  const inputs = [];
  const rows = view.options.map((option) => {
    const input = rwEl("input", { type: view.several ? "checkbox" : "radio", name, value: option.id, "aria-describedby": described });
    inputs.push(input);
    return rwEl("label", { class: "rw-option" }, input, rwEl("span", {}, option.label));
  });
  const element = rwEl("fieldset", { class: "rw-answer" }, rwEl("legend", {}, view.instruction), ...rows);
  return new Field(
    element,
    () => inputs.filter((input) => input.checked).map((input) => input.value),
    (answer) => inputs.forEach((input) => { input.checked = answer.includes(input.value); }),
  );
}

/** @param {View} view @param {(words: string) => void} say */
function orderField(view, say) {
  const { ui } = view;
  let order = view.options.map((option) => option.id);
  const list = rwEl("ol", { class: "rw-order" });
  const rows = new Map(view.options.map((option) => {
    const words = { label: option.label };
    const up = rwButton({ icon: "up", class: "rw-small", label: rwFill(ui.up, words), click: () => move(option, -1) });
    const down = rwButton({ icon: "down", class: "rw-small", label: rwFill(ui.down, words), click: () => move(option, 1) });
    const row = rwEl("li", { "data-id": option.id }, rwEl("span", { class: "rw-row-words" }, option.label), up, down);
    return [option.id, { row, up, down }];
  }));
  const show = () => {
    const focused = document.activeElement instanceof HTMLElement && list.contains(document.activeElement) ? document.activeElement : null;
    list.replaceChildren(...order.flatMap((id) => rows.get(id)?.row ?? []));
    for (const [index, id] of order.entries()) {
      rows.get(id)?.up.setAttribute("aria-disabled", String(index === 0));
      rows.get(id)?.down.setAttribute("aria-disabled", String(index === order.length - 1));
    }
    focused?.focus({ preventScroll: true }); // so that the same key can move the row on
  };
  /** @param {Option} option @param {number} by */
  const move = (option, by) => {
    const from = order.indexOf(option.id);
    order.splice(from, 1);
    order.splice(from + by, 0, option.id);
    show();
    say(rwFill(ui.moved, { label: option.label, place: from + by + 1, of: order.length }));
  };
  show();
  return new Field(
    rwEl("fieldset", { class: "rw-answer" }, rwEl("legend", {}, view.instruction), list),
    () => [...order],
    (answer) => { order = [...answer]; show(); },
  );
}

/** @param {View} view @param {string} described @param {() => void} submit */
function textField(view, described, submit) {
  const id = rwId("answer");
  const own = { id, class: `rw-input rw-typed rw-typed-${view.kind}`, "aria-describedby": described, dir: "auto" };
  const field = view.kind === "number"
    ? rwEl("input", { ...own, type: "text", autocomplete: "off", onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter" && !event.isComposing) submit();
    } })
    : rwEl("textarea", { ...own, rows: view.kind === "code" ? 9 : 5, spellcheck: view.kind === "code" ? "false" : undefined, dir: view.kind === "code" ? "ltr" : "auto" });
  field.value = view.starter;
  return new Field(
    rwEl("div", { class: "rw-answer" }, rwEl("label", { for: id }, view.instruction), field),
    () => field.value,
    (answer) => { field.value = String(answer); },
  );
}

/** One view of an exercise. */
class ExerciseView {
  /** @param {RwModel} model @param {RwAsker} asker @param {HTMLElement} el @param {AbortSignal} signal */
  constructor(model, asker, el, signal) {
    this.model = model;
    this.asker = asker;
    const view = this.view;
    const { ui } = view;
    this.ui = ui;
    this.exporting = false;

    const heading = rwEl("h3", { class: "rw-exercise-head", id: rwId("heading") }, view.heading);
    this.error = rwEl("p", { class: "rw-error", id: rwId("error"), role: "alert" });
    this.controls = new RwControls(asker, ui.silent, signal);
    this.controls.add("answer", rwPlainControl(this.error));
    this.live = rwEl("div", { class: "rw-live", role: "status", "aria-live": "polite" });
    this.remembered = rwEl("p", { class: "rw-note rw-remembered" });
    this.silenced = rwEl("p", { class: "rw-note rw-silenced" });
    this.result = rwEl("div", { class: "rw-result" });
    this.told = rwEl("p", { class: "rw-note rw-told" });
    this.aside = rwEl("p", { class: "rw-error rw-aside" });
    this.field = this.makeField(view);
    this.submitButton = rwButton({ text: ui.submit, class: "rw-main rw-submit", click: () => this.submit() });
    this.root = rwEl(
      "div", { class: "rw-widget rw-exercise", role: "group", "aria-labelledby": heading.id, lang: view.lang },
      heading, rwEl("p", { class: "rw-note" }, view.point), rwEl("p", { class: "rw-exercise-text" }, view.text), this.remembered,
      this.field.element, this.error, this.silenced, this.submitButton, this.controls.general, this.controls.silent, this.result, this.told, this.aside, this.storedPart(), this.live,
    );
    el.append(this.root);

    rwGuardKeys(this.root, signal);
    const onView = () => this.show(true);
    model.on("change:_view", onView);
    signal.addEventListener("abort", () => {
      model.off("change:_view", onView);
      this.root.remove();
    });
    /** What the field held when Python last knew it. */
    this.written = JSON.stringify(this.field.read());
    if (view.answer !== null) this.write(view.answer);
    this.show(false);
  }

  /** @returns {View} */
  get view() {
    return this.model.get("_view");
  }

  /** @param {View} view */
  makeField(view) {
    if (view.kind === "choice") return choiceField(view, this.error.id);
    if (view.kind === "order") return orderField(view, (words) => this.say(words));
    return textField(view, this.error.id, () => this.submit());
  }

  /** @param {string | string[]} answer */
  write(answer) {
    this.field.write(answer);
    this.written = JSON.stringify(this.field.read());
  }

  submit() {
    this.error.textContent = "";
    this.written = JSON.stringify(this.field.read());
    this.asker.act({ answer: this.field.read() });
  }

  // ---- what is saved ----

  storedPart() {
    const { ui } = this;
    this.kept = rwEl("p", { class: "rw-note" });
    this.count = rwEl("p", { class: "rw-note rw-count-saved" });
    this.exportButton = rwButton({ text: ui.export, class: "rw-export", click: () => { this.exporting = true; this.asker.act({ export: true }); } });
    this.deleteButton = rwButton({ text: ui.delete, class: "rw-delete", click: () => this.askToDelete() });
    this.sure = rwEl("div", { class: "rw-sure", role: "group", hidden: true });
    return rwEl(
      "details", { class: "rw-stored" }, rwEl("summary", {}, ui.stored_title), this.kept, rwEl("p", { class: "rw-note" }, ui.other_folder), this.count,
      rwEl("div", { class: "rw-buttons" }, this.exportButton, this.deleteButton), this.sure,
    );
  }

  askToDelete() {
    const { sure, ui, view } = this;
    if (!sure) return;
    const words = rwEl("p", { id: rwId("sure") }, view.delete_sure);
    const no = rwButton({ text: ui.delete_no, class: "rw-delete-no", click: () => this.closeSure() });
    const yes = rwButton({ text: ui.delete_yes, class: "rw-delete-yes", click: () => { this.closeSure(); this.asker.act({ delete: true }); } });
    sure.setAttribute("aria-labelledby", words.id);
    sure.replaceChildren(words, rwEl("div", { class: "rw-buttons" }, no, yes));
    sure.hidden = false;
    no.focus();
  }

  closeSure() {
    if (!this.sure) return;
    this.sure.hidden = true;
    this.deleteButton?.focus({ preventScroll: true });
  }

  /** @param {{name: string, text: string}} file */
  download(file) {
    const address = URL.createObjectURL(new Blob([file.text], { type: "application/json" }));
    const link = rwEl("a", { href: address, download: file.name, hidden: true });
    this.root.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  // ---- showing ----

  /** @param {boolean} answered whether Python has just answered, so not when it is drawn first */
  show(answered) {
    const { view, ui } = this;
    this.controls.update();
    if (view.problem) this.error.textContent = view.problem;
    this.aside.textContent = view.aside;
    this.told.textContent = view.told;
    this.silenced.textContent = view.silenced;
    this.remembered.textContent = view.remembered;
    this.remembered.hidden = view.remembered === "";
    this.submitButton.replaceChildren(rwEl("span", {}, view.answer === null ? ui.submit : ui.submit_again));
    if (this.kept) this.kept.textContent = view.kept;
    if (this.count) this.count.textContent = view.count ? view.count_words : ui.nothing_saved;
    for (const button of [this.exportButton, this.deleteButton]) button?.setAttribute("aria-disabled", String(view.count === 0));
    this.result.replaceChildren(...(view.feedback ? this.feedback(view.feedback) : []));
    this.result.className = `rw-result${view.feedback?.holds === true ? " rw-holds" : ""}${view.feedback?.holds === false ? " rw-fails" : ""}`;
    if (view.export && this.exporting) {
      this.exporting = false;
      this.download(view.export);
    }
    // Only the view in use speaks, or two views of one exercise would say everything twice.
    if (answered && this.root.contains(document.activeElement)) this.say([view.feedback?.headline ?? "", view.told].join(" ").trim());
    const untouched = JSON.stringify(this.field.read()) === this.written; // a draft is the learner's
    if (answered && view.answer !== null && untouched) this.write(view.answer);
  }

  /** @param {Feedback} feedback */
  feedback(feedback) {
    const { ui } = this;
    const icon = feedback.holds === null ? "same" : feedback.holds ? "ok" : "out";
    /** @type {Node[]} */
    const parts = [rwEl("p", { class: "rw-headline" }, rwIcon(icon), ` ${feedback.headline}`)];
    if (feedback.reasons.length) {
      const list = rwEl("ul", { class: "rw-reasons" });
      for (const reason of feedback.reasons) {
        const row = rwEl("li", {});
        if (reason.about) row.append(rwEl("b", {}, reason.about), " ");
        if (reason.mark) row.append(rwEl("i", {}, `(${reason.mark})`), " ");
        row.append(reason.text);
        list.append(row);
      }
      parts.push(list);
    }
    if (feedback.criteria.length) {
      const list = rwEl("ul", { class: "rw-criteria" });
      for (const words of feedback.criteria) {
        // A box to tick for oneself; it is not kept and changes nothing.
        list.append(rwEl("li", {}, rwEl("label", {}, rwEl("input", { type: "checkbox" }), rwEl("span", {}, words))));
      }
      parts.push(rwEl("h4", {}, ui.criteria_title), list);
    }
    if (feedback.example) {
      const code = this.view.kind === "code";
      parts.push(rwEl(
        "details", { class: "rw-example" }, rwEl("summary", {}, ui.example_title),
        code ? rwEl("pre", { tabindex: "0" }, feedback.example.trim()) : rwEl("p", {}, feedback.example),
      ));
    }
    return parts;
  }

  /** @param {string} words */
  say(words) {
    this.live.textContent = words;
  }
}

export default rwWidget(({ model, el, signal }, asker) => new ExerciseView(model, asker, el, signal));
