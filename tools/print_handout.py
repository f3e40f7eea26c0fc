"""Print the lessons as pages for paper, into ``handout/``: HTML that a browser prints as it is.

    python tools/print_handout.py                    every lesson in every language, and the worksheet

Each page comes twice, for learners and with solutions. A page holds all that it shows: formulas and
figures are inside, nothing is loaded. There is no colour in it, so a grey print loses nothing. Numbers
are those that the notebooks store, which nbval checks; those of the worksheet are computed here.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import mistune
import nbformat
from nbformat import NotebookNode

from rankwalk.exercises import Question, lessons, questions, solution
from rankwalk.messages import languages, say
from rankwalk.scenarios import Scenario, built_in
from rankwalk.settings import Settings
from rankwalk.story import tell
from rankwalk.walk import Walk, walk

ROOT = Path(__file__).resolve().parents[1]
STYLE = Path(__file__).with_name("handout.css")
SOLUTION = "solution"
ONLY_WIDGETS = re.compile(r"\s*(from rankwalk[.\w]* import .*\n\s*)*Exercise\(")
"""A cell that only shows an exercise: on paper its code is in the way."""


def page(title: str, body: str, lang: str) -> str:
    """Return a whole HTML page that needs nothing else."""
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(lang)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE.read_text(encoding='utf-8')}</style>\n"
        f"</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


# ---- lessons --------------------------------------------------------------------------------------


def lesson_page(notebook: NotebookNode, lesson: str, lang: str, *, solved: bool) -> str:
    """Return a lesson's page.

    Args:
        notebook: the built notebook, with its stored outputs.
        lesson: its two digits, for its exercises.
        lang: its language.
        solved: whether solutions are on it.
    """
    parts = [part for cell in notebook.cells if (part := _cell(cell, lang, solved=solved))]
    if solved and lesson in lessons():
        parts.append(f"<h2>{escape(say('handout.solutions_to', lang))}</h2>")
        parts += [_solution(question) for question in questions(lesson, lang)]
    which = say("handout.solved" if solved else "handout.plain", lang)
    title = say("handout.page", lang, title=_title(notebook), which=which)
    return page(title, "\n".join(parts), lang)


def _title(notebook: NotebookNode) -> str:
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (found := re.search(r"^# (.+)$", cell.source, re.M)):
            return found[1].strip()
    return "Rankwalk"


def _cell(cell: NotebookNode, lang: str, *, solved: bool) -> str:
    is_solution = SOLUTION in cell.metadata.get("tags", [])
    heading = say("lesson.solution", lang)
    if is_solution and (not solved or cell.source.lstrip("# ") == heading):  # it is put in below
        return ""
    if cell.cell_type == "markdown":
        inner = _markdown(_details(cell.source, solved=solved))
    else:
        code = "" if _hides_its_code(cell.source) else _code(cell.source)
        inner = code + "".join(_output(output) for output in cell.outputs)
        if ONLY_WIDGETS.match(cell.source) and not solved:
            inner += _to_write_on(lang)
    if not is_solution:
        return inner
    above = f"<h4>{escape(heading)}</h4>" if cell.cell_type == "code" else ""
    return f'<section class="solution">{above}{inner}</section>'


def _hides_its_code(source: str) -> bool:
    return bool(ONLY_WIDGETS.match(source)) or re.fullmatch(r'LANG = "\w+"', source) is not None


def _code(source: str) -> str:
    return f'<pre class="code"><code>{escape(source)}</code></pre>'


def _details(source: str, *, solved: bool) -> str:
    """Open what folds, since paper does not unfold; or leave it out, where it is a solution."""
    if not solved:
        return re.sub(r"<details>.*?</details>", "", source, flags=re.S)
    return re.sub(
        r"<details>\s*<summary>(.*?)</summary>(.*?)</details>", r"**\1**\n\2", source, flags=re.S
    )


def _output(output: NotebookNode) -> str:
    if output.output_type == "stream":
        return f'<pre class="output">{escape(output.text)}</pre>'
    data: dict[str, Any] = output.data
    if "text/html" in data:
        return f'<div class="output">{data["text/html"]}</div>'
    if "image/svg+xml" in data:
        return f'<div class="output">{data["image/svg+xml"]}</div>'
    if "image/png" in data:
        text = escape(str(data.get("text/plain", "")), quote=True)
        image = data["image/png"].replace("\n", "")
        return f'<p class="output"><img alt="{text}" src="data:image/png;base64,{image}"></p>'
    if "text/markdown" in data:
        return f'<div class="output">{_markdown(data["text/markdown"])}</div>'
    return f'<pre class="output">{escape(str(data.get("text/plain", "")))}</pre>'


def _solution(question: Question) -> str:
    lines = solution(question)
    tag = "p" if len(lines) < 2 else "li"
    listed = "".join(f"<{tag}>{escape(line)}</{tag}>" for line in lines)
    example = _code(question.example.strip()) if question.kind == "code" else ""
    if question.example and not example:
        example = f"<p><i>{escape(question.example)}</i></p>"
    return (
        f'<section class="solution"><h3>{question.place}. {escape(question.text)}</h3>'
        f"{f'<ul>{listed}</ul>' if tag == 'li' else listed}{example}</section>"
    )


# ---- Markdown and formulas ------------------------------------------------------------------------


def _markdown(source: str) -> str:
    """Return HTML. Formulas are taken out first, so that Markdown leaves their signs alone."""
    formulas: list[str] = []

    def keep(match: re.Match[str]) -> str:
        formulas.append(_formula(match[1] or match[2], shown=match[1] is not None))
        return f"RWFORMULA{len(formulas) - 1}X"

    kept = re.sub(
        r"\$\$(.+?)\$\$|(?<![\\$\w])\$(?!\s)([^$\n]+?)(?<!\s)\$(?!\w)", keep, source, flags=re.S
    )
    html = str(_renderer()(kept))
    return re.sub(r"RWFORMULA(\d+)X", lambda match: formulas[int(match[1])], html)


@cache
def _renderer() -> Callable[[str], Any]:
    return mistune.create_markdown(escape=False, plugins=["table", "strikethrough"])


def _formula(tex: str, *, shown: bool) -> str:
    """Return a formula as a picture in the page, with its source as the text for screen readers."""
    from io import BytesIO

    from matplotlib.mathtext import math_to_image

    plain = re.sub(r"\\(text|operatorname)\{", r"\\mathrm{", " ".join(tex.split()))
    plain = plain.replace(r"\dfrac", r"\frac").replace(r"\tfrac", r"\frac")
    picture = BytesIO()
    try:
        math_to_image(f"${plain}$", picture, format="svg")
    except ValueError:  # something that matplotlib's TeX does not know: then its source
        return f"<code>{escape(tex)}</code>"
    svg = picture.getvalue().decode("utf-8")
    source = f"data:image/svg+xml,{quote(svg[svg.index('<svg') :])}"
    look = "shown" if shown else "inline"
    return f'<img class="formula {look}" alt="{escape(tex, quote=True)}" src="{source}">'


# ---- the worksheet --------------------------------------------------------------------------------


def worksheet(lang: str, *, solved: bool) -> str:
    """Return the F29 worksheet: the givens, empty tables for the five steps, or filled ones."""
    scenario, settings = built_in("f29", lang), Settings()
    steps = walk(scenario, settings)
    story = tell(scenario, settings, steps, lang)
    title = say("handout.sheet.title", lang)
    tables = [
        "",
        _fractions(steps, settings, lang, solved=solved),
        _reranked(steps, scenario, lang, solved=solved),
        _checked(steps, scenario, lang, solved=solved),
        _decided(steps, scenario, lang, solved=solved),
    ]
    parts = [f"<h1>{escape(title)}</h1>", _givens(scenario, settings, lang)]
    for number, (step, table) in enumerate(zip(story.steps, tables, strict=True), start=1):
        ask = escape(say(f"handout.sheet.ask{number}", lang))
        look = "" if solved else ' class="fill"'
        parts.append(f"<section{look}><h2>{number}. {escape(step.title)}</h2>{table}<p>{ask}</p>")
        if solved:
            told = "".join(f"<li>{escape(line)}</li>" for line in step.sentences)
            parts.append(f'<div class="solution"><ul>{told}</ul></div>')
        else:
            parts.append(_to_write_on(lang))
        parts.append("</section>")
    which = say("handout.solved" if solved else "handout.plain", lang)
    return page(say("handout.page", lang, title=title, which=which), "\n".join(parts), lang)


def _to_write_on(lang: str) -> str:
    lines = '<div class="line"></div>' * 3
    return f'<p class="write">{escape(say("handout.write_here", lang))}</p>{lines}'


def _givens(scenario: Scenario, settings: Settings, lang: str) -> str:
    def word(key: str, **values: object) -> str:
        return escape(say(f"handout.sheet.{key}", lang, **values))

    day = scenario.day.isoformat() if scenario.day else ""
    needed = "".join(f"<li>{escape(condition.label)}</li>" for condition in scenario.conditions)
    rows = []
    for id in scenario.candidates:
        passage = scenario.passage(id)
        first = passage.valid_from.isoformat() if passage.valid_from else ""
        last = passage.valid_until.isoformat() if passage.valid_until else ""
        valid = word("between", first=first, last=last) if last else word("from", first=first)
        valid = re.sub(r"[\d-]{10}", r'<span class="day">\g<0></span>', valid)
        words = (id, passage.text, passage.source, passage.version)
        rows.append([*map(escape, words), valid, str(passage.rerank_score)])
    heads = [word(key) for key in ("id", "text", "source", "version", "valid", "rerank_score")]
    lists = [
        [str(rank), f"{escape(left)} ({left_score})", f"{escape(right)} ({right_score})"]
        for rank, (left, left_score, right, right_score) in enumerate(
            zip(
                scenario.keyword,
                scenario.keyword_scores,
                scenario.semantic,
                scenario.semantic_scores,
                strict=True,
            ),
            start=1,
        )
    ]
    names = [escape(say(f"walk.column.{name}", lang)) for name in ("keyword", "semantic")]
    return (
        f"<h2>{word('given')}</h2><p><b>{word('question')}:</b> {escape(scenario.question)}<br>"
        f"<b>{word('day')}:</b> {day}</p><p>{word('conditions')}:</p><ul>{needed}</ul>"
        f"{_table(heads, rows)}{_table([word('rank'), *names], lists)}"
        f"<p>{word('rule', k=settings.k)} {word('budget', n=settings.budget)}</p>"
    )


def _fractions(steps: Walk, settings: Settings, lang: str, *, solved: bool) -> str:
    names = [say(f"walk.column.{name}", lang) for name in ("keyword", "semantic")]
    heads = [say("handout.sheet.id", lang)]
    for name in names:
        heads += [say("handout.sheet.in_list", lang, list=name), say("handout.sheet.term", lang)]
    heads += [say("handout.sheet.sum", lang), say("handout.sheet.place", lang)]
    rows = []
    for row in sorted(steps.fused.fusion.rows, key=lambda row: row.id):
        cells = [row.id]
        for rank, term in zip(row.ranks, row.terms, strict=True):
            cells += [str(rank), str(term)]
        # Not reduced: as it comes out when one adds two fractions on paper.
        bottom = 1
        for term in row.terms:
            bottom *= term.denominator
        top = int(row.score * bottom)
        cells += [f"{top}/{bottom} ≈ {float(row.score):.6f}", str(row.place)]
        rows.append(cells if solved else [row.id] + [""] * (len(cells) - 1))
    return _table(
        [escape(head) for head in heads], [[escape(cell) for cell in row] for row in rows]
    )


def _reranked(steps: Walk, scenario: Scenario, lang: str, *, solved: bool) -> str:
    rows = []
    for place, (before, after) in enumerate(
        zip(steps.fused.fusion.order, steps.reranked.order, strict=True), start=1
    ):
        score = f" ({scenario.passage(after).rerank_score})"
        rows.append([str(place), before, after + score] if solved else [str(place), "", ""])
    heads = [say(f"handout.sheet.{key}", lang) for key in ("place", "order_before", "order_after")]
    return _table(
        [escape(head) for head in heads], [[escape(cell) for cell in row] for row in rows]
    )


def _checked(steps: Walk, scenario: Scenario, lang: str, *, solved: bool) -> str:
    labels = {condition.id: condition.label for condition in scenario.conditions}
    yes, no = (say(f"handout.sheet.{key}", lang) for key in ("yes", "no"))
    rows = []
    for check in steps.checked.checks:
        in_force = check.finding not in ("superseded", "not_yet", "no_dates")
        named = bool(scenario.passage(check.id).source)
        supports = say("walk.comma", lang).join(labels[c] for c in check.supports)
        told = [
            yes if in_force else no,
            yes if named else no,
            supports,
            yes if check.usable else no,
        ]
        rows.append([check.id, *told] if solved else ["", "", "", "", ""])
    keys = ("id", "in_force", "has_source", "supports", "usable")
    heads = [escape(say(f"handout.sheet.{key}", lang)) for key in keys]
    return _table(heads, [[escape(cell) for cell in row] for row in rows])


def _decided(steps: Walk, scenario: Scenario, lang: str, *, solved: bool) -> str:
    found = steps.decided.sufficiency
    met = found.met if found else {}
    rows = [
        [condition.label, ", ".join(met.get(condition.id, ())) if solved else ""]
        for condition in scenario.conditions
    ]
    heads = [escape(say(f"handout.sheet.{key}", lang)) for key in ("conditions", "met_by")]
    return _table(heads, [[escape(cell) for cell in row] for row in rows])


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of cells that are HTML already."""
    head = "".join(f'<th scope="col">{cell}</th>' for cell in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


# ---- the command ----------------------------------------------------------------------------------


def index(entries: Sequence[tuple[str, str, str]]) -> str:
    """Return the page that lists the others: ``(language, title, file)`` each."""
    parts = []
    for lang in languages():
        own = [entry for entry in entries if entry[0] == lang]
        items = "".join(
            f'<li><a href="{escape(file, quote=True)}">{escape(title)}</a></li>'
            for _, title, file in own
        )
        parts.append(
            f'<section lang="{lang}"><h1>{escape(say("handout.index_title", lang))}</h1>'
            f"<p>{escape(say('handout.index_note', lang))}</p><ul>{items}</ul></section>"
        )
    return page(say("handout.index_title", languages()[0]), "\n".join(parts), languages()[0])


def write(target: Path, notebooks: Path) -> list[Path]:
    """Write every page into ``target`` and return the files."""
    written: list[Path] = []
    entries: list[tuple[str, str, str]] = []

    def put(lang: str, name: str, html: str) -> None:
        file = target / lang / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(html, encoding="utf-8", newline="\n")
        written.append(file)
        found = re.search(r"<title>(.*?)</title>", html)
        entries.append((lang, found[1] if found else name, f"{lang}/{name}"))

    for lang in languages():
        for solved in (False, True):
            put(lang, f"f29_worksheet{'_solved' * solved}.html", worksheet(lang, solved=solved))
        for path in sorted((notebooks / lang).glob("[0-9][0-9]_*.ipynb")):
            notebook = nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
            for solved in (False, True):
                html = lesson_page(notebook, path.name[:2], lang, solved=solved)
                put(lang, f"{path.stem}{'_solved' * solved}.html", html)
    from html import unescape

    listed = [(lang, unescape(title), file) for lang, title, file in entries]
    (target / "index.html").write_text(index(listed), encoding="utf-8", newline="\n")
    return [*written, target / "index.html"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(description="Print the lessons as pages for paper.")
    parser.add_argument("--notebooks", type=Path, default=ROOT / "notebooks")
    parser.add_argument("--target", type=Path, default=ROOT / "handout")
    asked = parser.parse_args(arguments)
    written = write(asked.target, asked.notebooks)
    print(f"{len(written)} pages, begin with {written[-1]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
