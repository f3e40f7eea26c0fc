"""Plain tables as text and HTML."""

from __future__ import annotations

from rankwalk.tables import Table, width


def test_text_is_aligned_also_with_chinese():
    table = Table(["名", "n"], [["A", 1], ["候选", 22]], "标题")
    assert repr(table) == "标题\n名    n\nA     1\n候选  22"
    assert width("候选 a") == 6


def test_html_escapes_everything():
    hostile = "<img src=x onerror=alert(1)>\"'&"
    html = Table([hostile], [[hostile]], hostile)._repr_html_()
    assert "<img" not in html
    assert html.count("&lt;img") == 3
    assert "<bdi>" in html


def test_without_rows_and_caption():
    assert repr(Table(["a", "b"], [])) == "a  b"
    assert "<caption>" not in Table(["a"], [])._repr_html_()
