// Controls made of native elements: each has a label, room for a note and for what Python refused.

/**
 * @typedef {object} RwControl
 * @property {HTMLElement} element
 * @property {(text: string) => void} setNote why it changes nothing here, or ""
 * @property {(text: string) => void} setError what was refused, or ""
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
  field.setAttribute("aria-describedby", `${note.id} ${error.id}`);
  const element = rwEl(
    "div",
    { class: "rw-control" },
    rwEl("label", { for: field.id }, label),
    rwEl("div", { class: "rw-field" }, field, ...more),
    error,
    note,
  );
  return {
    element,
    setNote(text) {
      rwText(note, text);
    },
    setError(text) {
      if (text) error.textContent = text; // the same mistake twice is said twice
      else rwText(error, "");
      if (text) field.setAttribute("aria-invalid", "true");
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
  return plain !== "" && Number.isFinite(Number(plain)) ? Number(plain) : text;
}

/**
 * Show a value unless the learner is typing in the field.
 * @param {HTMLInputElement | HTMLSelectElement} field
 * @param {string | number} value
 */
function rwShowValue(field, value) {
  const editing = document.activeElement === field && field.hasAttribute("data-dirty");
  if (!editing && field.value !== String(value)) field.value = String(value);
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
