// All passages as a table, folded away under the words.

/**
 * What the picture's cards say of every passage, however many there are, as far as the step has come. It is
 * filled when it is opened: a step, or another k, waits for nothing that nobody sees.
 */
class PassageTable {
  /** @param {PlayerParts} player */
  constructor(player) {
    this.player = player;
    const { ui } = player;
    this.room = rwScroll(ui.table);
    this.element = rwEl("details", { class: "rw-passages", ontoggle: () => this.show() }, rwEl("summary", {}, ui.table), this.room);
  }

  show() {
    if (!this.element.open) return;
    const { story, ui } = this.player.view;
    const { step } = this.player.session;
    const { head, rows, notes } = tableUntil(story, step);
    const cells = rows.map(([, row]) => row.map((cell) => rwEl("bdi", {}, cell || "–")));
    rwFillWith(this.room, rwTable(ui.table, head, cells), ...notes.map((words) => rwEl("p", { class: "rw-note" }, words)));
  }
}

/**
 * The part of the table that gives no later step away: both lists at first, then a column a step. While there
 * is no fused order the passages have the order of their letters.
 * @param {Story} story @param {number} step
 */
function tableUntil(story, step) {
  const { head, rows } = story.table;
  const width = step + 2;
  const order = story.badges.map(([id]) => id);
  const sorted = step === 1 ? [...rows].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)) : rows;
  const known = sorted.filter(([, cells]) => cells.slice(1, width).some((cell) => cell));
  const notes = story.table.notes.flatMap(([from, words]) => (from <= step ? [words] : []));
  return { head: head.slice(0, width), notes, rows: known.map(([id, cells]) => /** @type {const} */ ([id, cells.slice(0, width)])) };
}
