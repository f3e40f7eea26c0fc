// Small helpers to make elements. Text always goes in as text nodes, so an id is never read as markup.
// These files are plain scripts: Python joins them in front of each widget's own module.

/** @typedef {string | number | boolean | null | undefined | EventListener} PropValue */

/**
 * Make an HTML element. A property that begins with "on" is a listener, any other an attribute;
 * `false`, `null` and `undefined` leave it out and `true` gives it no value.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [props]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
function rwEl(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  rwProps(element, props);
  element.append(...children);
  return element;
}

/**
 * Make an SVG element, with properties as for `rwEl`.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [props]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[T]}
 */
function rwSvg(tag, props = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  rwProps(element, props);
  element.append(...children);
  return element;
}

/**
 * @param {Element} element
 * @param {Record<string, any>} props
 */
function rwProps(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

let rwLastId = 0;
/** A new element id, unique on the page. @param {string} prefix */
function rwId(prefix) {
  rwLastId += 1;
  return `rw-${prefix}-${rwLastId}-${Math.random().toString(36).slice(2, 8)}`;
}

/**
 * Icons are drawn, since symbol characters are missing from many fonts. Each fits a 16 x 16 box.
 * @type {Record<string, string>}
 */
const RW_ICONS = {
  first: "M3 3v10M13 3 6 8l7 5z",
  previous: "M11 3 4 8l7 5z",
  next: "M5 3l7 5-7 5z",
  last: "M13 3v10M3 3l7 5-7 5z",
  play: "M4 2l10 6-10 6z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  up: "M8 3v10M4 7l4-4 4 4",
  down: "M8 13V3M4 9l4 4 4-4",
  added: "M8 3v10M3 8h10",
  out: "M4 4l8 8M12 4l-8 8",
  removed: "M4 4l8 8M12 4l-8 8",
  ok: "M3 8l4 4 6-8",
  tied: "M3 6h10M3 10h10",
  same: "M3 8h10",
  enlarge: "M2 6V2h4M14 10v4h-4M2 2l5 5M14 14l-5-5",
  shrink: "M7 3v4H3M9 13V9h4M7 7 2 2M9 9l5 5",
  swap: "M4 5h9l-3-3M12 11H3l3 3",
  grip: "M6 3v.01M10 3v.01M6 8v.01M10 8v.01M6 13v.01M10 13v.01",
  missing: "M8 3v6M8 12v1",
};
const RW_FILLED = new Set(["previous", "next", "play", "pause", "first", "last"]);

/**
 * An icon as an SVG element of 1em, hidden from screen readers: the words beside it say the same.
 * @param {string} name
 */
function rwIcon(name) {
  return rwSvg(
    "svg",
    { class: "rw-icon", viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" },
    rwMake(rwIconPath(name)),
  );
}

/** @param {string} name */
function rwIconPath(name) {
  return rwNode("path", { d: RW_ICONS[name] ?? "", class: RW_FILLED.has(name) ? "rw-filled" : "rw-line" });
}

/**
 * A button with words, and an icon where there is one. `label` names a button that has an icon only.
 * @param {{icon?: string, text?: string, label?: string, class?: string, click: () => void}} spec
 */
function rwButton(spec) {
  const button = rwEl("button", {
    type: "button",
    class: `rw-button ${spec.class ?? ""}`,
    "aria-label": spec.label,
    title: spec.text ? undefined : spec.label,
    onclick: () => {
      if (button.getAttribute("aria-disabled") !== "true") spec.click();
    },
  });
  if (spec.icon) button.append(rwIcon(spec.icon));
  if (spec.text) button.append(rwEl("span", {}, spec.text));
  return button;
}

/** Whether an element takes typed keys or arrow keys for itself. @param {EventTarget | null} target */
function rwIsField(target) {
  return (
    (target instanceof HTMLInputElement && target.type !== "checkbox") ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement
  );
}

/**
 * Keep the page's shortcuts away from keys that are pressed inside a widget, and handle the widget's
 * own. JupyterLab's command mode would take arrow keys and letters even from a focused button. Keys with
 * Ctrl, Alt or Meta stay the page's.
 * @param {HTMLElement} root
 * @param {AbortSignal} signal
 * @param {(event: KeyboardEvent) => boolean} [handle] says whether it has dealt with the key
 */
function rwGuardKeys(root, signal, handle = () => false) {
  /** @param {KeyboardEvent} event */
  const isForPage = (event) => event.ctrlKey || event.altKey || event.metaKey;
  // Notebook 7 takes its keys on their way down, before they come to the widget; it leaves those alone
  // whose target is in an element with this attribute.
  window.addEventListener(
    "keydown",
    (event) => {
      if (event.target instanceof Node && root.contains(event.target))
        root.toggleAttribute("data-lm-suppress-shortcuts", !isForPage(event));
    },
    { signal, capture: true },
  );
  root.addEventListener(
    "keydown",
    (event) => {
      if (isForPage(event)) return;
      if (!event.isComposing && handle(event)) event.preventDefault();
      event.stopPropagation();
    },
    { signal },
  );
}

/** Put text in, unless it is there already: what stays need not be laid out again. @param {Element} element @param {string} text */
function rwText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Put children in, unless such are there already. @param {Element} element @param {...Element} children */
function rwFillWith(element, ...children) {
  const shown = element.children;
  if (shown.length === children.length && children.every((child, index) => child.isEqualNode(shown[index]))) return;
  element.replaceChildren(...children);
}

/** What can wait until a change has been painted waits this long: longer than a frame, too short to notice. */
const RW_SOON_MS = 50;

/**
 * Put off what the eye does not wait for. However often the function that this returns is called in the
 * meantime, the action is done once.
 * @param {() => void} action
 * @param {AbortSignal} signal after which it is not done any more
 * @returns {() => void}
 */
function rwSoon(action, signal) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  signal.addEventListener("abort", () => clearTimeout(timer));
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      action();
    }, RW_SOON_MS);
  };
}

/**
 * What an SVG element is to be, not made yet: a picture that is drawn anew is compared with the last one as
 * plain data, which is many times faster than to make or to read its elements.
 * @typedef {{tag: keyof SVGElementTagNameMap, props: Record<string, string | number>, children: (RwNode | string)[]}} RwNode
 */

/**
 * @param {keyof SVGElementTagNameMap} tag
 * @param {Record<string, string | number>} props its attributes
 * @param {...(RwNode | string)} children
 * @returns {RwNode}
 */
function rwNode(tag, props, ...children) {
  return { tag, props, children };
}

/** @param {RwNode} node @returns {SVGElement} */
function rwMake({ tag, props, children }) {
  return rwSvg(tag, props, ...children.map((child) => (typeof child === "string" ? child : rwMake(child))));
}

/**
 * Bring an element up to a new picture, touching only what differs: most of it need not be laid out again.
 * @param {Element} shown was made from `before`
 * @param {RwNode} before
 * @param {RwNode} after
 */
function rwPatch(shown, before, after) {
  if (before.tag !== after.tag || before.children.length !== after.children.length) {
    shown.replaceWith(rwMake(after));
    return;
  }
  for (const name in before.props) if (!(name in after.props)) shown.removeAttribute(name);
  for (const name in after.props)
    if (before.props[name] !== after.props[name]) shown.setAttribute(name, String(after.props[name]));
  after.children.forEach((child, index) => {
    const was = before.children[index];
    const node = shown.childNodes[index];
    if (typeof was !== "string" && typeof child !== "string") rwPatch(/** @type {Element} */ (node), was, child);
    else if (was !== child) node.replaceWith(typeof child === "string" ? child : rwMake(child));
  });
}
