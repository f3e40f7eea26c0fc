// The player's controls. Each part is its element and a function that brings it up to a new view.

/** @typedef {{element: HTMLElement, update: (view: View) => void}} ControlPart */

const SLIDER = 300;
const PAPER_K = 60;
/** The first step whose picture a setting changes. The others change it from the first on. @type {Record<string, number>} */
const SEEN_FROM = { k: 2, rerank: 3, depth: 3, check: 3, day: 4 };

/**
 * A slider's position for a k, so that equal ways multiply k + 1 by equal amounts.
 * @param {number} k @param {number} largest
 */
function sliderFromK(k, largest) {
  return (SLIDER * Math.log(k + 1)) / Math.log(largest + 1);
}

/** @param {number} position @param {number} largest */
function kFromSlider(position, largest) {
  if (Math.abs(position - sliderFromK(PAPER_K, largest)) < 1.5) return PAPER_K;
  const k = (largest + 1) ** (position / SLIDER) - 1;
  return k < 10 ? Math.round(k * 10) / 10 : Math.round(k);
}

/** @param {string} title @param {...Node} children */
function fieldset(title, ...children) {
  return rwEl("fieldset", {}, rwEl("legend", {}, title), ...children);
}

class ControlPanel extends RwControls {
  /** @param {PlayerParts} player @param {AbortSignal} signal */
  constructor(player, signal) {
    super(player.asker, player.ui.silent, signal);
    this.player = player;
    this.ui = player.ui;
    const call = callRow(this);
    this.showCall = call.show;
    this.parts = [listControls(this), kControls(this), stageControls(this), noiseControls(this)];
    const bottom = scenarioControls(this);
    this.element = rwEl(
      "details", { class: "rw-controls", open: true }, rwEl("summary", {}, this.ui.controls),
      rwEl("div", { class: "rw-panel" }, ...this.parts.map((part) => part.element)), this.general,
      rwEl("div", { class: "rw-bottom" }, bottom.element, call.element),
    );
    this.parts.push(bottom);
    for (const [field, step] of Object.entries(SEEN_FROM))
      this.byField.get(field)?.setHint?.(rwFill(this.ui.seen_from, { step }));
    /** The step and the guess have no field; what Python refused of them is said under the buttons. */
    this.underButtons = rwPlainControl(rwEl("p", { class: "rw-error", role: "alert" }));
    this.add("step", this.underButtons);
    this.add("predict", this.underButtons);
  }

  /** @param {Record<string, unknown>} changes */
  ask(changes) {
    this.player.asker.ask(changes);
  }

  /** Ask for what Python works out from the lists as they are then. @param {Record<string, unknown>} act */
  act(act) {
    this.player.asker.act(act);
  }

  /** A setting as wished for, or else as shown. @template T @param {string} name @param {T} shown @returns {T} */
  wished(name, shown) {
    return /** @type {T} */ (this.wish(name) ?? shown); // null is "as the scenario has it"
  }

  /** A field for a whole number. @param {"depth" | "budget" | "noise" | "swaps" | "seed"} name @param {string} label */
  number(name, label) {
    const { field, control } = rwNumber({ label, step: "1", ask: (value) => this.ask({ [name]: value }) });
    this.add(name, control);
    /** @param {View} view */
    const update = (view) => rwShowValue(field, view.controls[name].value, this.wish(name));
    return { element: control.element, update };
  }

  /** @param {View} view */
  show(view) {
    this.update(view.controls.notes);
    for (const part of this.parts) part.update(view);
    // The line is drawn after step 3, or after the check.
    this.byField.get("budget")?.setHint?.(rwFill(this.ui.seen_from, { step: view.controls.check === "before" ? 4 : 3 }));
  }

  /** Say at what was used that it made no difference here, where no better reason stands there. @param {View} view */
  showNoDifference(view) {
    const { about } = this.player.asker;
    if (about.size > 2) return; // a reset, where there was nothing to reset
    for (const field of about)
      if (!view.controls.notes[field]) this.byField.get(field)?.setNote(this.ui.no_difference);
  }
}

/** The order of both lists. @param {ControlPanel} panel @returns {ControlPart} */
function listControls(panel) {
  const { ui } = panel;
  const keyword = new ListEditor(panel, "keyword");
  const semantic = new ListEditor(panel, "semantic");
  const note = rwEl("p", { class: "rw-note", role: "status" });
  panel.add("exchange", { element: note, setNote: (text) => rwText(note, text), setError: (text) => keyword.setError(text) });
  const element = fieldset(
    ui.lists, rwEl("div", { class: "rw-lists" }, keyword.element, semantic.element),
    rwButton({ icon: "swap", text: ui.exchange, click: () => panel.act({ exchange: true }) }), note,
  );
  element.classList.add("rw-wide");
  return {
    element,
    update: (view) => [keyword, semantic].forEach((list) => list.update(view)),
  };
}

/** The RRF k, typed or slid. @param {ControlPanel} panel @returns {ControlPart} */
function kControls(panel) {
  const { ui } = panel;
  const largest = panel.player.view.controls.k.max;
  const { field, control } = rwNumber({ label: ui.k_typed, free: true, ask: (k) => panel.ask({ k }) });
  panel.add("k", control);
  const slider = rwEl("input", {
    type: "range", min: 0, max: SLIDER, step: 1, class: "rw-slider", "aria-label": ui.k_slider,
    oninput: () => {
      const k = kFromSlider(Number(slider.value), largest);
      slider.setAttribute("aria-valuetext", String(k));
      panel.ask({ k });
    },
  });
  const mark = rwEl("span", { class: "rw-mark60" }, ui.k_mark);
  const share = (100 * sliderFromK(PAPER_K, largest)) / SLIDER;
  mark.style.insetInlineStart = `calc(${share}% + ${(8 - 0.16 * share).toFixed(2)}px)`; // a thumb is 16 px wide
  const note = rwEl("p", { class: "rw-note rw-k-note" });
  const smallest = rwButton({
    text: ui.smallest, class: "rw-smallest", click: () => panel.ask({ scenario: "flip", k: 1 }),
  });
  const room = rwEl("div", { class: "rw-slider-room" }, slider, mark);
  return {
    element: fieldset(ui.k, control.element, room, note, smallest),
    update: ({ controls: { k } }) => {
      const wish = panel.wish("k");
      const value = typeof wish === "number" && wish >= 0 ? Math.min(wish, largest) : k.value;
      rwShowValue(field, k.value, wish);
      // One that says this already stays: several of its places round to the same k.
      if (kFromSlider(Number(slider.value), largest) !== value) slider.value = String(sliderFromK(value, largest));
      slider.setAttribute("aria-valuetext", String(value));
      rwText(note, k.note);
      if (k.flips && document.activeElement === smallest) slider.focus({ preventScroll: true }); // it goes, the focus stays
      smallest.hidden = k.flips;
    },
  };
}

/** Reranker, budget, check and day. @param {ControlPanel} panel @returns {ControlPart} */
function stageControls(panel) {
  const { ui } = panel;
  const rerank = rwEl("input", { type: "checkbox", onchange: () => panel.ask({ rerank: rerank.checked }) });
  const rerankControl = rwControl(ui.rerank, rerank, rwEl("span", { "aria-hidden": "true" }, ui.rerank_on));
  const check = rwSelect({
    label: ui.check, options: [["after", ui.check_after], ["before", ui.check_before]],
    ask: (value) => panel.ask({ check: value }),
  });
  const { day, control: dayControl } = dayField(panel);
  panel.add("rerank", rerankControl);
  panel.add("check", check.control);
  panel.add("day", dayControl);
  const numbers = [panel.number("depth", ui.depth), panel.number("budget", ui.budget)];
  const grid = rwEl(
    "div", { class: "rw-grid" }, rerankControl.element, ...numbers.map((number) => number.element),
    check.control.element, dayControl.element,
  );
  return {
    element: fieldset(`${ui.rerank} · ${ui.check}`, grid),
    update: (view) => {
      rerank.checked = panel.wished("rerank", view.controls.rerank);
      numbers.forEach((number) => number.update(view));
      rwShowValue(check.field, view.controls.check, panel.wish("check"));
      rwShowValue(day, view.controls.day.value, panel.wish("day"));
      day.disabled = !view.controls.day.able;
    },
  };
}

/**
 * The day. A browser calls it changed with every part that is typed, so what is typed is asked for when the
 * field is left or Enter pressed; what is chosen from its calendar, at once.
 * @param {ControlPanel} panel
 */
function dayField(panel) {
  const ask = () => {
    day.removeAttribute("data-dirty");
    // Half a day is "" for the page; Python says what is wrong with that. Nothing at all is the scenario's day.
    panel.ask({ day: day.value || (day.validity.badInput ? "" : null) });
  };
  const day = rwEl("input", {
    type: "date", class: "rw-input",
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter") ask();
      else if (event.key !== "Tab") day.setAttribute("data-dirty", "");
    },
    onchange: () => {
      if (!day.hasAttribute("data-dirty")) ask();
    },
    onblur: () => {
      if (day.hasAttribute("data-dirty")) ask();
    },
  });
  return { day, control: rwControl(panel.ui.day, day) };
}

/** Noise of two kinds, and its draw. @param {ControlPanel} panel @returns {ControlPart} */
function noiseControls(panel) {
  const { ui } = panel;
  const numbers = [panel.number("noise", ui.noise), panel.number("swaps", ui.swaps), panel.number("seed", ui.seed)];
  const another = () => {
    const { max, value: shown } = panel.player.view.controls.seed;
    const wish = panel.wish("seed");
    const value = typeof wish === "number" ? wish : shown;
    panel.ask({ seed: value >= max ? 0 : value + 1 });
  };
  const grid = rwEl("div", { class: "rw-grid" }, ...numbers.map((number) => number.element));
  return {
    element: fieldset(ui.noise_title, grid, rwButton({ text: ui.another, click: another })),
    update: (view) => numbers.forEach((number) => number.update(view)),
  };
}

/** The scenario, and the way back to F29. @param {ControlPanel} panel @returns {ControlPart} */
function scenarioControls(panel) {
  const { ui } = panel;
  const { field, control } = rwSelect({
    label: ui.scenario_name, options: [], ask: (scenario) => scenario && panel.ask({ scenario }),
  });
  panel.add("scenario", control);
  const reset = () => panel.ask(panel.player.view.controls.defaults);
  return {
    element: rwEl("div", { class: "rw-scenario" }, control.element, rwButton({ text: ui.reset, class: "rw-reset", click: reset })),
    update: ({ controls }) => {
      /** @type {[string, string][]} */
      const choices = [...controls.scenarios, ...(controls.scenario === "" ? [/** @type {[string, string]} */ (["", ui.own])] : [])];
      rwFillWith(field, ...choices.map(([value, words]) => rwEl("option", { value }, words)));
      field.value = panel.wished("scenario", controls.scenario);
    },
  };
}

/** The call that makes the widget as it is, to copy. @param {ControlPanel} panel */
function callRow(panel) {
  const { ui } = panel;
  const code = rwEl("input", { class: "rw-input rw-code", readonly: true, "aria-label": ui.copy });
  const copied = rwEl("span", { class: "rw-copied", role: "status" });
  const show = () => {
    const { model, session, view } = panel.player;
    const step = session.step === 1 ? [] : [`step=${session.step}`];
    const predict = model.get("_predict") ? [] : ["predict=False"];
    const call = `Walkthrough(${[...view.call, ...step, ...predict].join(", ")})`;
    if (code.value === call) return;
    code.value = call;
    copied.textContent = "";
  };
  const copy = async () => {
    show(); // the learner may be quicker than the field
    try {
      await navigator.clipboard.writeText(code.value);
      copied.textContent = ui.copied;
    } catch {
      code.select();
      copied.textContent = ui.copy_failed;
    }
  };
  return { element: rwEl("span", { class: "rw-copy" }, code, rwButton({ text: ui.copy, click: copy }), copied), show };
}

/** One list's rows: buttons on each row, and a grip to drag by mouse or finger. */
class ListEditor {
  /** @param {ControlPanel} panel @param {ListName} name */
  constructor(panel, name) {
    this.panel = panel;
    this.name = name;
    this.title = rwEl("h4", { id: rwId("list") });
    this.rows = rwEl("ol", { class: "rw-rows", "aria-labelledby": this.title.id });
    this.error = rwEl("p", { class: "rw-error", role: "alert" });
    this.element = rwEl("div", { class: "rw-list" }, this.title, this.rows, this.error);
    /** @type {Map<string, {row: HTMLLIElement, up: HTMLButtonElement, down: HTMLButtonElement, out: HTMLButtonElement, label: HTMLElement, badge: HTMLElement}>} */
    this.made = new Map();
    const control = rwPlainControl(this.error);
    this.setError = control.setError;
    panel.add(name, control);
    panel.add(`move_${name}`, control);
    if (name === "keyword") for (const field of ["removed", "toggle"]) panel.add(field, control);
  }

  /** @param {string} id @param {number} by how many places down */
  move(id, by) {
    this.panel.act({ [`move_${this.name}`]: [id, by] });
  }

  /** @param {string} id */
  toggleOut(id) {
    this.panel.act({ toggle: id });
  }

  /** @param {View} view */
  update({ controls, story }) {
    const rows = controls.lists[this.name];
    const { title } = story[this.name];
    const badges = new Map(story.badges);
    rwText(this.title, title);
    const { ui } = this.panel;
    const focused = this.rows.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
    const colours = new Map([...badges.keys()].map((id, index) => [id, index % COLOURS]));
    const wanted = rows.map((row, index) => {
      const made = this.made.get(row.id) ?? this.make(row.id);
      const words = { id: rwShort(row.id), list: title };
      rwText(made.badge, badges.get(row.id) ?? "");
      made.badge.className = `rw-badge rw-k${colours.get(row.id) ?? 0}`;
      rwText(made.label, row.out ? `${row.label} (${ui.is_out})` : row.label);
      made.row.classList.toggle("rw-row-out", row.out);
      made.up.setAttribute("aria-label", rwFill(ui.row_up, words));
      made.down.setAttribute("aria-label", rwFill(ui.row_down, words));
      made.out.setAttribute("aria-label", rwFill(row.out ? ui.row_in : ui.row_out, words));
      rwFillWith(made.out, rwIcon(row.out ? "added" : "out"));
      made.up.setAttribute("aria-disabled", String(index === 0));
      made.down.setAttribute("aria-disabled", String(index === rows.length - 1));
      return made.row;
    });
    for (const [id, made] of this.made)
      if (!wanted.includes(made.row)) this.made.delete(id);
    if (wanted.length !== this.rows.children.length || wanted.some((row, index) => this.rows.children[index] !== row))
      this.rows.replaceChildren(...wanted);
    // A moved row takes the focus along, so that the same key can move it on.
    if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
  }

  /** @param {string} id */
  make(id) {
    const badge = rwEl("span", { class: "rw-badge", "aria-hidden": "true" });
    const label = rwEl("span", { class: "rw-row-label", dir: "auto" });
    const up = rwButton({ icon: "up", class: "rw-small", label: " ", click: () => this.move(id, -1) });
    const down = rwButton({ icon: "down", class: "rw-small", label: " ", click: () => this.move(id, 1) });
    const out = rwButton({ icon: "out", class: "rw-small", label: " ", click: () => this.toggleOut(id) });
    for (const button of [up, down, out]) button.removeAttribute("title");
    const grip = rwEl("span", { class: "rw-grip", title: this.panel.ui.drag, "aria-hidden": "true" }, rwIcon("grip"));
    const row = rwEl("li", { class: "rw-row", "data-id": id }, grip, badge, label, up, down, out);
    grip.addEventListener("pointerdown", (event) => this.drag(event, grip, row, id));
    const made = { row, up, down, out, label, badge };
    this.made.set(id, made);
    return made;
  }

  /** @param {PointerEvent} event @param {HTMLElement} grip @param {HTMLElement} row @param {string} id */
  drag(event, grip, row, id) {
    if (event.button !== 0) return;
    event.preventDefault();
    grip.setPointerCapture(event.pointerId);
    row.classList.add("rw-dragged");
    const over = new AbortController();
    const { signal } = over;
    const start = event.clientY;
    const place = () => [...this.rows.children].indexOf(row);
    let target = place();
    const end = () => {
      over.abort();
      row.classList.remove("rw-dragged");
      row.style.transform = "";
      for (const other of this.rows.children) other.classList.remove("rw-drop");
    };
    grip.addEventListener("pointermove", (moved) => {
      row.style.transform = `translateY(${moved.clientY - start}px)`;
      const rows = [...this.rows.children];
      const own = place();
      target = own;
      for (const [index, other] of rows.entries()) {
        const box = other.getBoundingClientRect();
        const middle = box.top + box.height / 2;
        if (other !== row && index < own && moved.clientY < middle) target = Math.min(target, index);
        if (other !== row && index > own && moved.clientY > middle) target = Math.max(target, index);
        other.classList.remove("rw-drop");
      }
      if (target !== own) rows[target].classList.add("rw-drop");
    }, { signal });
    grip.addEventListener("pointerup", () => { end(); if (target !== place()) this.move(id, target - place()); }, { signal });
    grip.addEventListener("pointercancel", end, { signal });
    grip.addEventListener("lostpointercapture", end, { signal });
  }
}
