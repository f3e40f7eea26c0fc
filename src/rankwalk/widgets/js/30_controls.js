// Controls made of native elements: each has a label, room for a note and for what Python refused.

/**
 * @typedef {object} RwControl
 * @property {HTMLElement} element
 * @property {(text: string) => void} setNote why it changes nothing here, or ""
 * @property {(text: string) => void} [setHint] a few words that always stand beside the label
 * @property {(text: string, wrong?: boolean) => void} setError what was refused, or ""; or, if not `wrong`, why nothing happens
 */

/**
 * Put a label, a field and room for messages together.
 * @param {string} label
 * @param {HTMLInputElement | HTMLSelectElement} field
 * @param {...Node} more what stands beside the field
 * @returns {RwControl}
 */
function rwControl(label, field, ...more) {
  if (!field.id) field.id = rwId("field");
  const note = rwEl("p", { class: "rw-note", id: rwId("note") });
  const error = rwEl("p", { class: "rw-error", id: rwId("error"), role: "alert" });
  const hint = rwEl("span", { class: "rw-hint", id: rwId("hint") });
  field.setAttribute("aria-describedby", `${hint.id} ${note.id} ${error.id}`);
  const element = rwEl(
    "div",
    { class: "rw-control" },
    rwEl("div", { class: "rw-labels" }, rwEl("label", { for: field.id }, label), hint),
    rwEl("div", { class: "rw-field" }, field, ...more),
    error,
    note,
  );
  return {
    element,
    setNote(text) {
      rwText(note, text);
    },
    setHint(text) {
      hint.textContent = text;
    },
    setError(text, wrong = text !== "") {
      error.textContent = text; // the same mistake twice is said twice
      if (wrong) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
    },
  };
}

/**
 * Read what was typed: a number where it is one, also in full-width digits; else the text as it is, so
 * that Python can say what is wrong with it.
 * @param {string} text
 * @returns {number | string}
 */
function rwTyped(text) {
  const plain = text.normalize("NFKC").trim();
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain) && Number.isFinite(Number(plain)) ? Number(plain) : text;
}

/**
 * Show a value, or what was wished for since, unless the learner is typing in the field.
 * @param {HTMLInputElement | HTMLSelectElement} field
 * @param {string | number} value as Python has it
 * @param {unknown} [wish] what it was asked for and has not answered yet
 */
function rwShowValue(field, value, wish) {
  const shown = String(wish ?? value);
  const editing = document.activeElement === field && field.hasAttribute("data-dirty");
  field.dataset.shown = shown;
  if (!editing && field.value !== shown) field.value = shown;
}

/**
 * A field for a number. It asks when the value was changed and left, or Enter was pressed.
 * @param {{label: string, min?: number, max?: number, step?: string, free?: boolean,
 *   ask: (value: number | string) => void}} spec `free` takes any text, else the browser's number field
 */
function rwNumber(spec) {
  const field = rwEl("input", {
    type: spec.free ? "text" : "number",
    inputmode: "decimal",
    min: spec.min,
    max: spec.max,
    step: spec.step ?? "any",
    autocomplete: "off",
    class: "rw-input",
    oninput: () => field.setAttribute("data-dirty", ""),
    onchange: () => {
      field.removeAttribute("data-dirty");
      spec.ask(rwTyped(field.value));
    },
    onblur: () => {
      if (!field.hasAttribute("data-dirty")) return;
      field.removeAttribute("data-dirty"); // typed and taken back, so nothing was asked for
      field.value = field.dataset.shown ?? "";
    },
  });
  return { field, control: rwControl(spec.label, field) };
}

/**
 * A choice from a few.
 * @param {{label: string, options: [string, string][], ask: (value: string) => void}} spec
 */
function rwSelect(spec) {
  const field = rwEl("select", { class: "rw-input", onchange: () => spec.ask(field.value) });
  for (const [value, words] of spec.options) field.append(rwEl("option", { value }, words));
  return { field, control: rwControl(spec.label, field) };
}

/**
 * Put a template's values in: "{n} s" with n = 4 gives "4 s". A value is never read as a template.
 * @param {string} template
 * @param {Record<string, string | number>} values
 */
function rwFill(template, values) {
  return template.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** Keep a user's id apart from the words around it, whatever its direction. @param {string} id */
function rwShort(id) {
  const text = id.length > 28 ? `${id.slice(0, 27)}…` : id;
  return /^[\x20-\x7e]*$/.test(text) ? text : `\u2068${text}\u2069`;
}

/** A control that is no single field: only what was refused is said there. @param {HTMLElement} element an alert @returns {RwControl} */
function rwPlainControl(element) {
  return { element, setNote: () => {}, setError: (text) => { element.textContent = text; } };
}

/**
 * What a widget's controls have to say: why one changes nothing, what Python refused, and that Python is
 * silent. It is said at the control that was used, and beside them all where there is no such one.
 */
class RwControls {
  /** @param {RwAsker | undefined} asker none where nothing is asked of Python @param {string} silentWords @param {AbortSignal} signal */
  constructor(asker, silentWords, signal) {
    this.asker = asker;
    this.silentWords = silentWords;
    /** @type {Map<string, RwControl>} each setting's control */
    this.byField = new Map();
    /** @type {Set<RwControl>} controls that say that Python is silent */
    this.silenced = new Set();
    /**
     * How many wishes there were when a control's was refused: until one of a later press is answered, the
     * message stays, or the next answer under way would take it away before it is read.
     * @type {Map<string, number>}
     */
    this.refused = new Map();
    this.general = rwEl("p", { class: "rw-error rw-general", role: "alert" });
    this.silent = rwEl("p", { class: "rw-silent" });
    asker?.addEventListener("silence", () => this.showSilence(), { signal });
    asker?.addEventListener("refused", (event) => this.refuse(/** @type {CustomEvent<RwRefusal>} */ (event).detail), { signal });
  }

  /** Add the control of a setting. @param {string} field @param {RwControl} control */
  add(field, control) {
    this.byField.set(field, control);
    return control.element;
  }

  /** What a setting was asked to be and is not yet; nothing if Python has answered. @param {string} field @returns {unknown} */
  wish(field) {
    return this.asker?.wished[field];
  }

  /** Whether what was refused of a setting is still to be read. @param {string} field */
  keeps(field) {
    const { asker } = this;
    const until = this.refused.get(field);
    return asker !== undefined && until !== undefined && asker.about.size > 0 && !asker.about.has(field) && asker.answered <= until;
  }

  /** A new view: what was wrong is wrong no longer. @param {Record<string, string>} [notes] why a setting changes nothing */
  update(notes = {}) {
    for (const field of [...this.refused.keys()]) if (!this.keeps(field)) this.refused.delete(field);
    const kept = new Set([...this.refused.keys()].map((field) => this.byField.get(field)));
    if (!kept.has(undefined)) rwText(this.general, "");
    for (const [field, control] of this.byField) {
      if (!kept.has(control)) control.setError("");
      control.setNote(notes[field] ?? "");
    }
    this.showSilence();
  }

  /** @param {RwRefusal} refusal */
  refuse(refusal) {
    this.refused.set(refusal.field, this.asker?.count ?? 0);
    const control = this.byField.get(refusal.field);
    if (control) control.setError(refusal.text);
    else this.general.textContent = refusal.text;
  }

  /** Say that Python is silent, or take that back. A control says it aloud; for what has none, the frame does. */
  showSilence() {
    const silent = this.asker?.silent ?? false;
    const last = silent ? this.asker?.wishes.at(-1) : undefined;
    const fields = Object.keys(last?.wish ?? {});
    const used = fields.length > 2 ? [] : fields.flatMap((field) => this.byField.get(field) ?? []).slice(0, 1); // a reset has many
    if (silent && this.silent.textContent && used.every((control) => this.silenced.has(control))) return; // said already
    for (const control of this.silenced) control.setError("");
    this.silenced.clear();
    this.silent.setAttribute("role", used.length ? "note" : "alert");
    rwText(this.silent, silent ? this.silentWords : "");
    for (const control of used) {
      control.setError(this.silentWords, false);
      this.silenced.add(control);
    }
  }
}
