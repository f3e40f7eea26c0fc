// The learner's guess.

const GUESS_PLACES = 5;

/** Before step 2 the learner may put down an order; from step 2 on it stands beside the fused one. */
class Guess {
  /** @param {PlayerParts} player */
  constructor(player) {
    this.player = player;
    this.asked = rwEl("div", { class: "rw-guess rw-asked" });
    this.compared = rwScroll(player.ui.guess_table, "rw-guess rw-compared");
    /** @type {HTMLSelectElement[]} */
    this.selects = [];
    this.candidates = "";
    this.scenario = player.view.controls.scenario;
    /** @type {Story | null} */
    this.story = null;
  }

  /** @param {Story} story */
  update(story) {
    this.story = story;
    const there = new Set([...story.keyword.cards, ...story.semantic.cards].map((card) => card.id));
    const ids = story.badges.map(([id]) => id).filter((id) => there.has(id)); // whatever the lists' orders
    const { scenario } = this.player.view.controls;
    const key = JSON.stringify([scenario, ids]);
    const focused = this.asked.contains(document.activeElement);
    if (key !== this.candidates) {
      const { session } = this.player;
      const other = scenario !== this.scenario;
      this.candidates = key;
      this.scenario = scenario;
      this.build(ids, other ? [] : this.selects.map((field) => field.value));
      if (session.guess && (other || session.guess.some((id) => id && !ids.includes(id)))) session.setGuess(null, true);
    }
    this.show();
    if (focused && !this.asked.contains(document.activeElement))
      for (const button of this.asked.querySelectorAll("button")) button.focus({ preventScroll: true }); // the one that is shown takes it
  }

  /** @param {string[]} ids @param {string[]} chosen what stays chosen, as far as it is there */
  build(ids, chosen) {
    const { ui, session } = this.player;
    const was = this.selects;
    this.selects = [];
    const fields = rwEl("div", { class: "rw-guess-fields" });
    for (let place = 1; place <= Math.min(ids.length, GUESS_PLACES); place += 1) {
      /** @type {[string, string][]} */
      const options = [["", ui.guess_none], ...ids.map((id) => /** @type {[string, string]} */ ([id, rwShort(id)]))];
      const { field, control } = rwSelect({ label: rwFill(ui.guess_place, { place }), options, ask: () => this.chosen() });
      const before = chosen[place - 1];
      if (ids.includes(before)) field.value = before;
      this.selects.push(field);
      fields.append(control.element);
    }
    this.error = rwEl("p", { class: "rw-error", role: "alert" });
    this.form = rwEl(
      "fieldset", {}, rwEl("legend", {}, ui.guess_title), rwEl("p", {}, ui.guess_ask), fields, this.error,
      rwButton({ text: ui.guess_keep, click: () => this.keep() }),
    );
    this.kept = rwEl(
      "div", { class: "rw-kept" }, rwEl("p", {}, ui.guess_kept),
      rwButton({ text: ui.guess_again, click: () => session.setGuess(null) }),
    );
    const place = was.findIndex((field) => field === document.activeElement);
    this.asked.replaceChildren(...(ids.length > 1 ? [this.form, this.kept] : []));
    this.selects[place]?.focus({ preventScroll: true });
  }

  keep() {
    const guess = this.selects.map((field) => field.value);
    const twice = guess.find((id, index) => id && guess.indexOf(id) !== index);
    if (twice) this.problem(rwFill(this.player.ui.guess_twice, { id: rwShort(twice) }));
    else if (guess.some((id) => id)) this.player.session.setGuess(guess);
    else this.problem(this.player.ui.guess_ask);
  }

  /** Whoever has chosen and goes on means what was chosen. */
  take() {
    const guess = this.selects.map((field) => field.value);
    const chosen = guess.filter((id) => id);
    if (this.player.session.guess === null && chosen.length && new Set(chosen).size === chosen.length && this.asksNow) this.player.session.setGuess(guess);
  }

  /** Whether the learner is asked: the form is shown in step 1. */
  get asksNow() {
    return Boolean(this.player.model.get("_predict")) && this.form?.hidden === false;
  }

  /** A choice was made: what was said before it is done with. */
  chosen() {
    this.player.session.putAside = false;
    this.problem("");
  }

  /** @param {string} words */
  problem(words) {
    if (this.error) this.error.textContent = words;
  }

  show() {
    if (!this.form || !this.kept || !this.story) return;
    const { guess } = this.player.session;
    const wanted = Boolean(this.player.model.get("_predict"));
    const [shown, hidden] = guess === null ? [this.form, this.kept] : [this.kept, this.form];
    const used = hidden.contains(document.activeElement);
    shown.hidden = !wanted;
    hidden.hidden = true;
    if (this.player.session.putAside) this.problem(this.player.ui.guess_void);
    if (used) shown.querySelector(guess === null ? "select" : "button")?.focus({ preventScroll: true }); // one gives way to the other
    this.compared.replaceChildren(...(wanted && guess ? [this.table(guess, this.story)] : []));
  }

  /** @param {string[]} guess @param {Story} story */
  table(guess, story) {
    const { ui } = this.player;
    const reasons = new Map(story.reasons);
    const places = story.fused.cards.slice(0, guess.length);
    const rows = places.map((card, index) => {
      const right = guess[index] === card.id;
      const [look, icon, words] = !guess[index]
        ? ["", "same", ui.guess_open]
        : right ? ["rw-right", "ok", ui.guess_right] : ["rw-differs", "out", ui.guess_differs];
      return [
        String(index + 1), guess[index] ? rwShort(guess[index]) : "–", rwShort(card.id),
        rwEl("span", { class: look }, rwIcon(icon), ` ${words}`), reasons.get(card.id) ?? "",
      ];
    });
    const right = places.filter((card, index) => guess[index] === card.id).length;
    const score = rwFill(ui.guess_score, { right, all: places.filter((_, index) => guess[index]).length });
    return rwTable(
      `${ui.guess_table}: ${score}`, ["#", ui.guess_yours, ui.guess_fused, ui.guess_compared, ui.guess_why], rows,
    );
  }
}
