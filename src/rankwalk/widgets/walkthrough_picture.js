// The player's picture: all five steps are drawn at once, each in a class of its own (rw-c1 to rw-c5).
// Like the shared files this is a plain script, joined in front of walkthrough.js.

/**
 * @typedef {{id: string, title: string, note: string, sign: string, sign_words: string, bars: number[],
 *   faded: boolean}} Card
 * @typedef {{title: string, cards: Card[], note: string, line_after: number | null, line_words: string,
 *   removed: Card[]}} Column
 * @typedef {{label: string, note: string, met_by: string[]}} Socket
 * @typedef {{dots: [string, number][], low: string, high: string, words: string}} Lens
 * @typedef {{title: string, upshot: string, sentences: string[]}} StoryStep
 * @typedef {{lang: string, guide: string, question: string, scope: string, badges: [string, string][],
 *   steps: StoryStep[], keyword: Column, semantic: Column, fused: Column, lens: Lens | null,
 *   reranked: Column, checked: Column, found: Column | null, sockets: Socket[], verdict: string,
 *   enough: boolean | null, reasons: [string, string][],
 *   table: {head: string[], rows: [string, string[]][], notes: [number, string][]}}} Story
 * @typedef {{value: number, max: number}} NumberControl
 * @typedef {{lists: Record<ListName, ListRow[]>,
 *   k: NumberControl & {note: string, flips: boolean}, rerank: boolean, depth: NumberControl, budget: NumberControl, check: string,
 *   noise: NumberControl, swaps: NumberControl, seed: NumberControl, day: {value: string, able: boolean}, scenario: string, scenarios: [string, string][],
 *   notes: Record<string, string>, defaults: Record<string, unknown>}} Controls
 * @typedef {{id: string, label: string, out: boolean}} ListRow
 * @typedef {"keyword" | "semantic"} ListName
 * @typedef {{story: Story, controls: Controls, call: string[], ui: any, answers: string}} View
 */

/**
 * What the guess and the controls need of the player.
 * @typedef {{asker: RwAsker, session: Session, model: RwModel, ui: any, view: View}} PlayerParts
 */

const CARD = { height: 46, gap: 10, lineGap: 26 };
const HEAD = 30;
const LEFT = 8;
const GAP = 34;
const WIDTHS = [202, 204, 130, 222, 168];
const DASHES = ["none", "9 5", "2 5", "12 4 2 4", "5 3", "1 4 6 4", "16 5", "3 3"];
const COLOURS = 8;

/** @param {number} column 0 to 4 */
function columnX(column) {
  return LEFT + WIDTHS.slice(0, column).reduce((sum, width) => sum + width + GAP, 0);
}
const TOTAL = columnX(4) + WIDTHS[4] + LEFT;

/** Draws one story. */
class Picture {
  /** @param {Story} story @param {any} ui @param {string} family a CSS font family @param {string} described */
  constructor(story, ui, family, described) {
    this.story = story;
    this.ui = ui;
    this.fonts = { title: `14px ${family}`, note: `12.5px ${family}`, head: `700 13px ${family}` };
    this.badges = new Map(story.badges);
    this.colours = new Map(story.badges.map(([id], index) => [id, index]));
    this.bottom = 0;
    /** Lines lie under the cards. */
    this.lines = rwNode("g", {});
    this.cards = rwNode("g", {});
    this.svg = rwNode(
      "svg",
      { class: "rw-picture", role: "img", "aria-label": ui.picture, "aria-describedby": described },
      this.lines,
      this.cards,
    );
    this.draw();
    this.svg.props.viewBox = `0 0 ${TOTAL} ${this.bottom + 10}`;
  }

  draw() {
    const { story } = this;
    const lists = [this.column(story.keyword, 0, 1, 8, "text")];
    lists.push(this.column(story.semantic, 0, 1, lists[0].end + 16, "text"));
    const height = lists[1].end;
    const fused = this.column(story.fused, 1, 2, this.middle(story.fused, height), "bars");
    if (story.lens) this.lens(story.lens, fused.end + 8);
    const top = fused.top;
    const reranked = this.column(story.reranked, 2, 3, top, "text");
    const checked = this.column(story.checked, 3, 4, top, "icon");
    const found = story.found
      ? this.column(story.found, 3, 5, checked.end + 14, "icon")
      : { top: 0, places: new Map(), end: 0 };
    for (const [index, list] of lists.entries())
      for (const [id, y] of list.places) this.link(id, 0, y, 1, (fused.places.get(id) ?? y) + (index ? 8 : -8), 2);
    this.links(fused.places, reranked.places, 1, 3);
    this.links(reranked.places, checked.places, 2, 4);
    this.sockets(top, new Map([...checked.places, ...found.places]));
  }

  /** Where a column begins so that it stands beside the middle of the lists. @param {Column} column @param {number} height */
  middle(column, height) {
    const own = HEAD + column.cards.length * (CARD.height + CARD.gap + 8);
    return Math.max(8, Math.min(70, (height - own - 80) / 2));
  }

  /**
   * @param {Column} column @param {number} at its place in the picture, 0 to 4 @param {number} step that shows it
   * @param {number} top @param {"text" | "bars" | "icon"} kind
   */
  column(column, at, step, top, kind) {
    const x = columnX(at);
    const width = WIDTHS[at];
    const group = rwNode("g", { class: `rw-c${step}` });
    group.children.push(this.heading(column.title, x, top + 16, width, step));
    /** @type {Map<string, number>} */
    const places = new Map();
    let y = top + HEAD;
    const height = kind === "bars" ? CARD.height + 8 : CARD.height;
    const line = () => {
      if (column.line_after === null || !column.line_words) return;
      group.children.push(
        rwNode("path", { class: "rw-budget", d: `M${x - 10} ${y + 3}H${x + width + 10}` }),
        this.text(column.line_words, x, y + 18, width, "note", "rw-budget-words"),
      );
      y += CARD.lineGap;
    };
    for (const [index, card] of column.cards.entries()) {
      if (index === column.line_after) line();
      group.children.push(this.card(card, x, y, width, height, kind));
      places.set(card.id, y + height / 2);
      y += height + CARD.gap;
    }
    if (column.line_after !== null && column.line_after >= column.cards.length) line();
    for (const card of column.removed) { // it has no place, and no line leads on from it
      group.children.push(this.card(card, x, y, width, height, kind));
      y += height + CARD.gap;
    }
    if (column.note)
      for (const text of rwWrap(column.note, width, this.fonts.note)) {
        group.children.push(this.text(text, x, y + 12, width, "note", "rw-soft-text"));
        y += 17;
      }
    this.cards.children.push(group);
    this.bottom = Math.max(this.bottom, y);
    return { top, places, end: y };
  }

  /** @param {string} words @param {number} x @param {number} y @param {number} width @param {number} step */
  heading(words, x, y, width, step) {
    const circle = rwNode("circle", { class: "rw-step-ring", cx: x + 8, cy: y - 4.5, r: 8 });
    const digit = rwNode("text", { class: "rw-step-digit", x: x + 8, y: y - 0.5, "text-anchor": "middle" }, String(step));
    return rwNode("g", {}, circle, digit, this.text(words, x + 22, y, width - 18, "head", "rw-head"));
  }

  /**
   * @param {string} words @param {number} x @param {number} y @param {number} width
   * @param {"title" | "note" | "head"} font @param {string} [look]
   */
  text(words, x, y, width, font, look = "") {
    const shown = rwFit(words, width, this.fonts[font]);
    const element = rwNode("text", { x, y, class: `rw-${font} ${look}` }, shown);
    if (shown !== words) element.children.push(rwNode("title", {}, words));
    return element;
  }

  /** @param {string} id */
  colour(id) {
    return (this.colours.get(id) ?? 0) % COLOURS;
  }

  /**
   * @param {Card} card @param {number} x @param {number} y @param {number} width @param {number} height
   * @param {"text" | "bars" | "icon"} kind
   */
  card(card, x, y, width, height, kind) {
    const out = card.sign === "out" || card.sign === "removed";
    const group = rwNode("g", {
      class: `rw-card rw-k${this.colour(card.id)}${card.faded ? " rw-faded" : ""}${out ? " rw-is-out" : ""}`,
      "data-id": card.id,
    });
    group.children.push(rwNode("rect", { class: "rw-box", x, y, width, height, rx: 7 }));
    const radius = 12;
    const badge = this.badges.get(card.id) ?? "";
    group.children.push(
      rwNode("circle", { class: "rw-dot", cx: x + 20, cy: y + height / 2, r: radius }),
      rwNode("text", { class: "rw-letter", x: x + 20, y: y + height / 2 + 4.5, "text-anchor": "middle" }, badge),
    );
    const left = x + 40;
    const room = width - 48;
    const noteY = y + 38;
    let noteLeft = left;
    if (kind === "bars") {
      const signWidth = card.sign ? rwWidth(card.sign_words, this.fonts.note) + 20 : 0;
      group.children.push(this.text(card.title, left, y + 17, room - signWidth, "title"));
      if (card.sign) this.sign(group, card, x + width - 8 - signWidth, y + 17);
      group.children.push(this.text(card.note, left, y + 33, room, "note", "rw-soft-text"));
      this.bars(group, card, left, y + 40, room);
      return group;
    }
    group.children.push(this.text(card.title, left, y + 19, room, "title"));
    if (out) {
      const struck = Math.min(room, rwWidth(card.title, this.fonts.title));
      group.children.push(rwNode("path", { class: "rw-strike", d: `M${left} ${y + 15}h${struck}` }));
    }
    if (kind === "icon") {
      this.icon(group, card.sign, left, noteY - 10);
      noteLeft += 17;
    }
    const signWidth = kind === "text" && card.sign ? rwWidth(card.sign_words, this.fonts.note) + 24 : 0;
    const noteRoom = room - (noteLeft - left) - signWidth;
    group.children.push(this.text(card.note, noteLeft, noteY, noteRoom, "note", "rw-soft-text"));
    if (signWidth) {
      const used = Math.min(noteRoom, rwWidth(card.note, this.fonts.note));
      this.sign(group, card, card.note ? noteLeft + used + 8 : noteLeft, noteY);
    }
    return group;
  }

  /** @param {RwNode} group @param {Card} card @param {number} x @param {number} y */
  sign(group, card, x, y) {
    this.icon(group, card.sign, x, y - 10);
    group.children.push(rwNode("text", { class: "rw-note rw-sign", x: x + 15, y }, card.sign_words));
  }

  /** @param {RwNode} group @param {string} name @param {number} x @param {number} y */
  icon(group, name, x, y) {
    if (!name) return;
    const mark = rwNode("g", { class: `rw-mark rw-mark-${name}`, transform: `translate(${x} ${y}) scale(0.72)` });
    mark.children.push(rwIconPath(name));
    group.children.push(mark);
  }

  /** The terms to scale, one shade for each list. @param {RwNode} group @param {Card} card @param {number} x @param {number} y @param {number} width */
  bars(group, card, x, y, width) {
    group.children.push(rwNode("rect", { class: "rw-bar-room", x, y, width, height: 7, rx: 2 }));
    let left = x;
    for (const [index, share] of card.bars.entries()) {
      const long = share * width;
      if (long > 0) group.children.push(rwNode("rect", { class: `rw-bar rw-bar${index}`, x: left, y, width: Math.max(long, 0.5), height: 7 }));
      left += long;
    }
  }

  /** The gaps between scores on a scale of their own. @param {Lens} lens @param {number} top */
  lens(lens, top) {
    const x = columnX(1);
    const width = WIDTHS[1];
    const group = rwNode("g", { class: "rw-c2 rw-lens" });
    const radius = lens.dots.length > 12 ? 4 : 9;
    const inner = width - 2 * radius;
    /** @type {{x: number, level: number}[]} */
    const placed = [];
    const marks = rwNode("g", {});
    let levels = 1;
    for (const [id, at] of lens.dots) {
      const cx = x + radius + at * inner;
      let level = 0;
      while (placed.some((other) => other.level === level && Math.abs(other.x - cx) < 2 * radius + 1)) level += 1;
      placed.push({ x: cx, level });
      levels = Math.max(levels, level + 1);
      const cy = -radius - level * (2 * radius + 1);
      const dot = rwNode("g", { class: `rw-k${this.colour(id)}` }, rwNode("circle", { class: "rw-dot", cx, cy, r: radius }));
      if (radius > 4)
        dot.children.push(rwNode("text", { class: "rw-letter rw-letter-small", x: cx, y: cy + 4, "text-anchor": "middle" }, this.badges.get(id) ?? ""));
      marks.children.push(dot);
    }
    const axis = top + levels * (2 * radius + 1) + 2;
    marks.props.transform = `translate(0 ${axis - 2})`;
    group.children.push(
      marks,
      rwNode("path", { class: "rw-axis", d: `M${x} ${axis}H${x + width}M${x} ${axis - 4}v8M${x + width} ${axis - 4}v8` }),
      this.text(lens.low, x, axis + 17, 90, "note", "rw-soft-text"),
      rwNode("text", { class: "rw-note rw-soft-text", x: x + width, y: axis + 17, "text-anchor": "end" }, lens.high),
    );
    let y = axis + 34;
    for (const line of rwWrap(lens.words, width, this.fonts.note)) {
      group.children.push(this.text(line, x, y, width, "note", "rw-soft-text"));
      y += 16;
    }
    this.cards.children.push(group);
    this.bottom = Math.max(this.bottom, y);
  }

  /** @param {Map<string, number>} from @param {Map<string, number>} to @param {number} at column of `from` @param {number} step */
  links(from, to, at, step) {
    for (const [id, y] of from) {
      const end = to.get(id);
      if (end !== undefined) this.link(id, at, y, at + 1, end, step);
    }
  }

  /** @param {string} id @param {number} at @param {number} y @param {number} to @param {number} end @param {number} step */
  link(id, at, y, to, end, step) {
    const x1 = columnX(at) + WIDTHS[at];
    const x2 = columnX(to);
    const bend = (x2 - x1) / 2;
    this.lines.children.push(
      rwNode("path", {
        class: `rw-link rw-c${step} rw-k${this.colour(id)}`,
        "stroke-dasharray": DASHES[this.colour(id)],
        d: `M${x1} ${y}C${x1 + bend} ${y} ${x2 - bend} ${end} ${x2} ${end}`,
      }),
    );
  }

  /** @param {number} top @param {Map<string, number>} sources */
  sockets(top, sources) {
    const x = columnX(4);
    const width = WIDTHS[4];
    const group = rwNode("g", { class: "rw-c5" });
    group.children.push(this.heading(this.ui.enough, x, top + 16, width, 5));
    let y = top + HEAD;
    for (const socket of this.story.sockets) {
      const met = socket.met_by.length > 0;
      const box = rwNode("g", { class: `rw-socket ${met ? `rw-met rw-k${this.colour(socket.met_by[0])}` : "rw-unmet"}` });
      box.children.push(
        rwNode("rect", { class: "rw-box", x, y, width, height: 56, rx: 7 }),
        this.text(socket.label, x + 12, y + 23, width - 24, "title"),
        this.text(socket.note, x + 29, y + 43, width - 40, "note", "rw-soft-text"),
      );
      this.icon(box, met ? "ok" : "missing", x + 12, y + 33);
      group.children.push(box);
      for (const [index, id] of socket.met_by.entries()) {
        const from = sources.get(id);
        if (from !== undefined) this.link(id, 3, from, 4, y + 28 + index * 6, 5);
      }
      y += 68;
    }
    for (const line of rwWrap(this.story.verdict, width, this.fonts.head)) {
      group.children.push(this.text(line, x, y + 12, width, "head", "rw-verdict"));
      y += 18;
    }
    this.cards.children.push(group);
    this.bottom = Math.max(this.bottom, y);
  }
}
