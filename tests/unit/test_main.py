"""The command: what it prints, its exit status, its languages, pipes and files."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

import rankwalk
from rankwalk import rrf
from rankwalk.__main__ import main
from rankwalk.readers import read_run

RUN = "q Q0 B 1 2 t\nq Q0 A 2 1 t\np Q0 X 1 1 t\n"
OTHER = "q Q0 A 1 2 t\nq Q0 C 2 1 t\n"
QRELS = "q 0 A 1\nq 0 B 0\nr 0 A 1\nn 0 A 0\n"


@pytest.fixture
def files(tmp_path):
    for name, text in (("a.run", RUN), ("b.run", OTHER), ("qrels", QRELS)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def command(*arguments, env=None, **options):
    """Run it as a user does, in a process of its own."""
    source = str(Path(rankwalk.__file__).parents[1])
    base = {"PATH": os.environ["PATH"], "PYTHONPATH": source} | (env or {})
    return subprocess.run(
        [sys.executable, "-m", "rankwalk", *map(str, arguments)],
        capture_output=True, env=base, timeout=60, **options,
    )  # fmt: skip


# --- demo -------------------------------------------------------------------------------------------


def test_demo(capsys):
    assert main(["demo"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    order = [(row["id"], row["score"]) for row in found["fusion"]["order"]]
    assert order == rrf([["A", "B", "C"], ["B", "D", "A"]])
    assert found["fusion"]["order"][0]["exact"] == "123/3782"
    assert found["metrics"]["precision@3"] == 1 / 3
    assert found["metrics"]["recall@3"] == 1 / 2
    assert found["metrics"]["reciprocal rank@3"] == 1
    assert round(found["metrics"]["nDCG@3"], 8) == 0.61314719
    assert len(found["remarks"]) == 2
    assert err == ""


def values(node):
    if isinstance(node, dict):
        return [value for child in node.values() for value in values(child)]
    if isinstance(node, list):
        return [value for child in node for value in values(child)]
    return [node] if isinstance(node, float) else []


def test_demo_in_chinese_has_other_words_and_the_same_numbers(capsys):
    main(["demo"])
    english = json.loads(capsys.readouterr().out)
    for arguments in (["demo", "--lang", "zh"], ["--lang", "zh", "demo"], ["--lang=zh", "demo"]):
        assert main(arguments) == 0
        out = capsys.readouterr().out
        chinese = json.loads(out)
        assert values(chinese) == values(english)
        assert not set(chinese) & set(english)
        assert "\\u" not in out
        assert "精确率@3" in out


@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "latin-1"}, {}], ids=str)
def test_utf_8_whatever_the_locale(locale):
    done = command(
        "demo", "--lang", "zh", env={"PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"} | locale
    )
    assert done.returncode == 0, done.stderr
    assert "倒数排名" in done.stdout.decode("utf-8")


@pytest.mark.parametrize("arguments", [("demo",), ("fuse", "-")], ids=" ".join)
def test_who_reads_may_stop(arguments):
    read_end, write_end = os.pipe()
    os.close(read_end)
    text = "".join(f"q Q0 d{n} 1 {-n} t\n" for n in range(5000)).encode()
    source = str(Path(rankwalk.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-m", "rankwalk", *arguments],
        input=text, stdout=write_end, stderr=subprocess.PIPE, env=os.environ | {"PYTHONPATH": source},
        timeout=60,
    )  # fmt: skip
    os.close(write_end)
    assert done.returncode == 141
    assert done.stderr == b""


# --- help and wrong calls -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", [None, "demo", "eval", "fuse"])
def test_help_in_both_languages(name, capsys):
    texts = []
    for lang in ("en", "zh"):
        with pytest.raises(SystemExit) as caught:
            main([*([name] if name else []), "--help", "--lang", lang])
        assert caught.value.code == 0
        texts.append(capsys.readouterr().out)
    assert texts[0].startswith("usage: ")
    assert texts[1].startswith("用法：")
    assert texts[0].isascii()
    assert "show this" not in texts[1]
    if name is None:
        assert all(command in texts[1] for command in ("demo", "eval", "fuse"))


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nothing"],
        ["demo", "--lang", "fr"],
        ["eval", "a"],
        ["eval", "-", "-"],
        ["fuse", "-", "a", "-"],
        ["fuse"],
        ["eval", "a", "b", "-k", "0"],
        ["eval", "a", "b", "-k", "1.5"],
        ["eval", "a", "b", "-k", "9" * 5000],
        ["eval", "a", "b", "--gain", "none"],
        ["fuse", "a", "-k", "-1"],
        ["fuse", "a", "-k", "nan"],
        ["fuse", "a", "-k", "sixty"],
        ["demo", "--la", "zh"],
    ],
    ids=lambda arguments: " ".join(arguments)[:30],
)
def test_a_wrong_call_is_status_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("usage: rankwalk")
    assert "\nrankwalk: " in err
    assert "Traceback" not in err


# --- eval -------------------------------------------------------------------------------------------


def test_eval_prints_a_table(files, capsys):
    assert main(["eval", str(files / "a.run"), str(files / "qrels"), "-k", "2"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "metric         mean  queries",
        "precision@2  0.2500        2",
        "recall@2     0.5000        2",
        "MRR@2        0.2500        2",
        "nDCG@2       0.3155        2",
        "nDCG with exponential gain, 2^grade - 1.",
        "Counted 0, since the run lacks it: 1 query (r).",
        "Left out, nothing is relevant (should abstain): 1 query (n).",
        "Left out, not judged: 1 query (p).",
    ]
    assert err == ""


def test_eval_in_chinese(files, capsys):
    assert main(["eval", str(files / "a.run"), str(files / "qrels"), "--lang", "zh"]) == 0
    out = capsys.readouterr().out
    assert "MRR@10" in out
    assert "应拒答" in out


def test_eval_as_json(files, capsys):
    assert main(["eval", str(files / "a.run"), str(files / "qrels"), "-k", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["k"] == 2
    assert found["means"]["reciprocal_rank_at_k"] == 0.25
    assert found["per_query"]["n"]["recall_at_k"] is None
    assert (found["should_abstain"], found["not_judged"], found["not_in_run"]) == (
        ["n"],
        ["p"],
        ["r"],
    )


def test_eval_with_linear_gain_and_negative_grades(files, capsys):
    qrels = files / "graded"
    qrels.write_text("q 0 A 3\nq 0 B 1\nq 0 C -1\n", encoding="utf-8")
    arguments = ["eval", str(files / "a.run"), str(qrels)]
    assert main(arguments) == 1
    assert "found -1" in capsys.readouterr().err
    found = []
    for gain in ("linear", "exponential"):
        assert main([*arguments, "--negative-as-0", "--gain", gain, "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0]["means"]["ndcg_at_k"] > found[1]["means"]["ndcg_at_k"]
    assert "1 negative grade" in found[0]["notes"][0]


def test_eval_where_nothing_counts(files, capsys):
    (files / "none").write_text("n 0 A 0\n", encoding="utf-8")
    assert main(["eval", str(files / "a.run"), str(files / "none")]) == 0
    assert "undefined" in capsys.readouterr().out


# --- fuse -------------------------------------------------------------------------------------------


def test_fuse_writes_a_run(files, capsys):
    out = files / "out.run"
    arguments = ["fuse", str(files / "a.run"), str(files / "b.run"), "-k", "0.5"]
    assert main([*arguments, "-o", str(out)]) == 0
    assert capsys.readouterr() == ("", "")
    assert main(arguments) == 0
    assert capsys.readouterr().out == out.read_text(encoding="utf-8")
    expected = rrf([["B", "A"], ["A", "C"]], k=0.5)
    assert list(read_run(out).data["q"]) == [id for id, _ in expected]
    assert list(read_run(out).data) == ["q", "p"]


def test_the_output_may_be_an_input(files):
    path = files / "a.run"
    assert main(["fuse", str(path), str(files / "b.run"), "-o", str(path)]) == 0
    assert set(read_run(path).data["q"]) == {"A", "B", "C"}


def test_standard_input(files, monkeypatch, capsys):
    for arguments, text in (
        (["fuse", "-", str(files / "b.run")], RUN),
        (["eval", str(files / "a.run"), "-"], QRELS),
    ):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert main(arguments) == 0
        assert capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"bad")))
    assert main(["fuse", "-"]) == 1
    assert "standard input, line 1: found 1 columns" in capsys.readouterr().err


def test_faults_are_status_1_and_write_nothing(files, capsys):
    (files / "bad.run").write_text("q Q0 A 1 nan t\nq\n", encoding="utf-8")
    out = files / "out.run"
    for lang in ("en", "zh"):
        arguments = ["fuse", str(files / "a.run"), str(files / "bad.run"), "-o", str(out)]
        assert main([*arguments, "--lang", lang]) == 1
        stdout, err = capsys.readouterr()
        assert stdout == ""
        assert len(err.splitlines()) == 3
        assert "bad.run" in err
    assert not out.exists()


@pytest.mark.parametrize(
    "arguments", [["fuse", "no such"], ["eval", "no such", "b"], ["fuse", "/"]]
)
def test_a_file_that_cannot_be_read_is_status_1(arguments, capsys):
    assert main(arguments) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"rankwalk: {arguments[1]}: ")


def test_a_file_that_cannot_be_written_is_status_1(files, capsys):
    assert main(["fuse", str(files / "a.run"), "-o", str(files / "no" / "out")]) == 1
    assert str(files / "no" / "out") in capsys.readouterr().err


def test_notes_go_to_standard_error(files, capsys):
    (files / "tied.run").write_text("q Q0 A 1 1 t\nq Q0 B 2 1 t\n", encoding="utf-8")
    assert main(["fuse", str(files / "tied.run")]) == 0
    out, err = capsys.readouterr()
    assert "equal scores" in err
    assert "equal scores" not in out


def test_progress_is_shown_on_a_terminal_only(files):
    big = files / "big.run"
    big.write_text("".join(f"q Q0 d{n} 1 {-n} t\n" for n in range(1, 100_002)), encoding="utf-8")
    arguments = ["fuse", str(big), "-o", os.devnull]
    assert command(*arguments).stderr == b""
    terminal, other_end = pty.openpty()
    source = str(Path(rankwalk.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-m", "rankwalk", *arguments],
        stdout=subprocess.PIPE, stderr=other_end, env=os.environ | {"PYTHONPATH": source}, timeout=60,
    )  # fmt: skip
    os.close(other_end)
    assert done.returncode == 0
    shown = os.read(terminal, 10_000)
    os.close(terminal)
    assert b"100,000 lines read" in shown
    assert done.stdout == b""
