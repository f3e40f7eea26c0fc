// Text in SVG neither wraps nor ends by itself; these measure it on a canvas, which costs no layout.

const rwCanvas = document.createElement("canvas").getContext("2d");

/** Width of a text in user units. @param {string} text @param {string} font a CSS font */
function rwWidth(text, font) {
  if (!rwCanvas) return text.length * 8;
  rwCanvas.font = font;
  return rwCanvas.measureText(text).width;
}

/**
 * Cut a text so that it fits, with an ellipsis.
 * @param {string} text @param {number} width @param {string} font
 */
function rwFit(text, width, font) {
  if (!text || rwWidth(text, font) <= width) return text; // no words need no room
  const letters = Array.from(text); // by code point, so that no emoji is cut in half
  let low = 0;
  let high = letters.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (rwWidth(`${letters.slice(0, middle).join("")}…`, font) <= width) low = middle;
    else high = middle - 1;
  }
  return `${letters.slice(0, low).join("")}…`;
}

/**
 * Break a text into lines that fit: between words, or between Chinese characters.
 * @param {string} text @param {number} width @param {string} font
 * @returns {string[]}
 */
function rwWrap(text, width, font) {
  const pieces = text.match(/[\u2e80-\uffef]|[^\s\u2e80-\uffef]+\s*|\s+/gu) ?? []; // u: an emoji is one sign
  /** @type {string[]} */
  const lines = [];
  let line = "";
  for (const piece of pieces) {
    const punctuation = /^[，。、；：？！”）》]/.test(piece); // never begins a line
    if (line && !punctuation && rwWidth(line + piece.trimEnd(), font) > width) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += piece;
  }
  if (line.trim()) lines.push(line.trimEnd());
  return lines;
}
