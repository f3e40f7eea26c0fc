"""A story as text and as HTML, for wherever no widget runs: GitHub, print, nbval, a screen reader."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from rankwalk.messages import say
from rankwalk.story import STEPS, Column, Story


def text(story: Story, step: int) -> str:
    """Return the step that is shown, then the whole walk in a line a step.

    Args:
        story: what to tell.
        step: which step is shown, 1 to 5.
    """
    shown = story.steps[step - 1]
    return "\n".join(
        [
            *([story.question] if story.question else []),
            _heading(story, step),
            shown.upshot,
            *shown.sentences,
            "",
            *(
                f"{number} · {each.title} · {each.upshot}"
                for number, each in enumerate(story.steps, start=1)
            ),
            story.scope,
        ]
    )


def html(story: Story, step: int) -> str:
    """Return the same as plain tables, which read well without a style sheet.

    Args:
        story: what to tell.
        step: which step is shown, 1 to 5; the others follow in a table.
    """
    shown = story.steps[step - 1]
    question = f"<p><b>{escape(story.question)}</b></p>" if story.question else ""
    return (
        f'<div lang="{escape(story.lang)}">'
        f"<p><i>{escape(story.guide)}</i></p>{question}"
        f"<p><b>{escape(_heading(story, step))}</b></p>"
        f"<p>{_sentences((shown.upshot, *shown.sentences))}</p>"
        f"{_passages(story)}{_steps(story)}"
        f"<p><small>{escape(story.scope)}</small></p></div>"
    )


@dataclass(frozen=True, slots=True)
class Still:
    """One step as a notebook shows it without a player: what is known so far, and no later step.

    Attributes:
        story: what to tell.
        step: which step, 1 to 5.
    """

    story: Story
    step: int

    def __repr__(self) -> str:
        shown = self.story.steps[self.step - 1]
        return "\n".join([_heading(self.story, self.step), shown.upshot, *shown.sentences])

    def _repr_html_(self) -> str:
        shown = self.story.steps[self.step - 1]
        return (
            f'<div lang="{escape(self.story.lang)}">'
            f"<p><b>{escape(_heading(self.story, self.step))}</b></p>"
            f"{_passages(self.story, self.step)}"
            f"<p>{_sentences((shown.upshot, *shown.sentences))}</p></div>"
        )


def _heading(story: Story, step: int) -> str:
    return f"{step} / {STEPS} · {story.steps[step - 1].title}"


def _sentences(sentences: tuple[str, ...]) -> str:
    return "<br>".join(escape(sentence) for sentence in sentences)


def _row(cells: list[str], tag: str = "td") -> str:
    return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>"


def _passages(story: Story, step: int = STEPS) -> str:
    """Return a table with a row a passage and a column a stage, as far as ``step`` has come.

    The rows are in fused order, but in step 1 that is not known yet.
    """
    columns = [story.keyword, story.semantic, story.fused, story.reranked, story.checked]
    columns = columns[: step + 1]  # step 1 has both lists, step 5 no column of its own
    head = [say("walk.table.passage", story.lang), *(escape(column.title) for column in columns)]
    labels = {card.id: card.title for card in (*story.keyword.cards, *story.semantic.cards)}
    order = labels if step == 1 else [card.id for card in story.fused.cards]
    rows = [
        [_named(id, labels[id]), *(_cell(column, id, labels[id]) for column in columns)]
        for id in order
    ]
    return _table(head, rows)


def _named(id: str, label: str) -> str:
    return f"<bdi>{escape(id if label == id else f'{id}: {label}')}</bdi>"


def _cell(column: Column, id: str, label: str) -> str:
    """Return what a column says of a passage beyond its label: its place, its lines, its mark."""
    for place, card in enumerate(column.cards, start=1):
        if card.id == id:
            title = card.title if card.title != label else ""
            parts = [
                f"{place}.",
                title,
                card.note,
                f"({card.sign_words})" if card.sign_words else "",
            ]
            return f"<bdi>{escape(' '.join(part for part in parts if part))}</bdi>"
    return escape(column.note) or "–"


def _steps(story: Story) -> str:
    head = [say(f"walk.table.{name}", story.lang) for name in ("step", "title", "upshot")]
    rows = [
        [str(number), escape(step.title), escape(step.upshot)]
        for number, step in enumerate(story.steps, start=1)
    ]
    return _table(head, rows)


def _table(head: list[str], rows: list[list[str]]) -> str:
    body = "".join(_row(row) for row in rows)
    return f"<table><thead>{_row(head, 'th')}</thead><tbody>{body}</tbody></table>"
