"""Runs and judgements from files: every format, every fault, and what other tools read back."""

from __future__ import annotations

import io
import json
import os
import random
import stat
import struct
from itertools import pairwise

import ir_measures
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwalk import Refused, evaluate, rrf
from rankwalk.metrics import best_first
from rankwalk.readers import (
    MOST_FAULTS,
    UnreadableFile,
    distinct_in_single_precision,
    fuse_runs,
    read_qrels,
    read_run,
    trec_lines,
    write_atomically,
)

RUN = {"q1": {"007": 2.5, "B": 1.0}, "q2": {"7": -1e-3}}
TREC_RUN = "q1 Q0 007 1 2.5 t\nq1\tQ0  B 2 1 t\n\nq2 Q0 7 1 -1e-3 t\n"
QRELS = {"q1": {"007": 2, "B": 0}, "q2": {"7": 1}}
TREC_QRELS = "q1 0 007 2\nq1 0 B 0\nq2 0 7 1\n"
RUNS = {
    "trec": TREC_RUN,
    "json": json.dumps(RUN),
    "csv": "query,doc,score\nq1,007,2.5\nq1,B,1\n\nq2,7,-1e-3\n",
    "tsv": "QID\tnote\tdocno\tscore\nq1\tx\t007\t2.5\nq1\tx\tB\t1\nq2\t\t7\t-1e-3\n",
}
ALL_QRELS = {
    "trec": TREC_QRELS,
    "json": json.dumps(QRELS),
    "csv": 'query_id,doc_id,relevance\nq1,"007",2\nq1,B,0\nq2,7,1\n',
    "tsv": "query\tdoc\tgrade\nq1\t007\t2\nq1\tB\t0\nq2\t7\t1\n",
}


@pytest.mark.parametrize("format", RUNS)
def test_a_run_in_every_format(format):
    table = read_run(text=RUNS[format])
    assert (table.data, table.format, table.notes, table.name) == (RUN, format, (), "input")


@pytest.mark.parametrize("format", ALL_QRELS)
def test_judgements_in_every_format(format):
    table = read_qrels(text=ALL_QRELS[format])
    assert (table.data, table.format, table.notes) == (QRELS, format, ())
    assert all(type(grade) is int for row in table.data.values() for grade in row.values())


@pytest.mark.parametrize("format", RUNS)
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"], ids=["", "bom"])
@pytest.mark.parametrize("ending", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_every_way_in(format, bom, ending, tmp_path):
    content = bom + RUNS[format].encode().replace(b"\n", ending)
    path = tmp_path / f"文 件.{format}"
    path.write_bytes(content)
    assert read_run(path).data == read_run(str(path)).data == RUN
    assert read_run(path).name == str(path)
    assert read_run(content).data == read_run(memoryview(content)).data == RUN
    assert read_run(io.BytesIO(content), name="picked").name == "picked"
    assert read_run(iter(content.splitlines(keepends=True))).data == RUN
    assert read_run(content, format=format).data == RUN
    assert read_run(content.rstrip()).data == RUN


def test_any_text_is_an_id():
    ids = [
        "<img src=x onerror=alert(1)>",
        "\"'&",
        "שלום",
        "🙂",
        "a" * 200,
        "{0}",
        "1e5",
        "　宽",
        "a,b",
    ]
    run = {"问 题": {id: float(n) for n, id in enumerate(ids)}}
    assert read_run(text=json.dumps(run)).data == run
    assert read_run(text=json.dumps(run, ensure_ascii=False)).data == run
    rows = ["query,doc,score"]
    for n, id in enumerate(ids):
        quoted = id.replace('"', '""')
        rows.append(f'问 题,"{quoted}",{n}')
    assert read_run(text="\n".join(rows)).data == run
    blanks = [id for id in ids if " " not in id]
    text = "".join(f"q Q0 {id} 1 {n} t\n" for n, id in enumerate(blanks))
    assert list(read_run(text=text).data["q"]) == blanks


def test_a_quoted_cell_may_hold_a_line_break():
    assert read_run(text='query,doc,score\nq,"a\nb",1\n').data == {"q": {"a\nb": 1}}


# --- faults -----------------------------------------------------------------------------------------


def faults(read, text=None, **options):
    with pytest.raises(UnreadableFile) as caught:
        read(text=text, name="F", **options)
    for lang in ("en", "zh"):
        lines = caught.value.in_language(lang).splitlines()
        assert len(lines) == 1 + len(caught.value.faults) + caught.value.stopped
        assert all("F" in line for line in lines[: 1 + len(caught.value.faults)])
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("F has ")
    return [line.removeprefix("F, ").removeprefix("F: ") for line in lines[1:]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("q Q0 a 1 1 t\nq Q0 a 2 0 t", "line 2, field doc: found a a second time for query q."),
        ("q Q0 a 1 nan t", "line 1, field score: found 'nan'. Allowed: a finite decimal"),
        ("q Q0 a 1 1e999 t", "line 1, field score: found '1e999'."),
        ("q Q0 a 1 inf t", "line 1, field score: found 'inf'."),
        ("q Q0 a 1 1_0 t", "line 1, field score: found '1_0'."),
        ("q Q0 a 1 １ t", "line 1, field score: found '１'."),
        ("q Q0 a 1 0,5 t", "line 1, field score: found '0,5'."),
        ("q Q0 a 1 1", "line 1: found 5 columns, 'q Q0 a 1 1'. Allowed: 6 columns"),
        ("q Q0 a b 1 1 t", "line 1: found 7 columns"),
        ("q 0 a 1", "line 1: found 4 columns"),
        ("", "found nothing."),
        (" \n\r\n\t", "found nothing."),
        ("\ufeff", "found nothing."),
        ("{}", "found nothing."),
        ("query,doc,score\n", "found nothing."),
        ("query,doc\nq,a", "line 1, field score: found the header 'query, doc'. Allowed: exactly one"),
        ("query,doc,score,sim\nq,a,1,1", "line 1, field score: found the header"),
        ("query,doc,score\nq,a", "line 2: found 2 columns. Allowed: 3"),
        ("query,doc,score\nq,a,x", "line 2, field score: found 'x'"),
        ("query,doc,score\nq,a,", "line 2, field score: found ''"),
        ("query,doc,score\nq,,1", "line 2, field doc: found ''"),
        ("query,doc,score\n ,a,1", "line 2, field query: found ' '"),
        ("query,doc,score\nq,a,1\nq,a,1", "line 3, field doc: found a a second time"),
        ('query,doc,score\nq,"a"b,1', "line 2: found text that is not CSV"),
        ('query,doc,score\nq,"a,1', "line 2: found text that is not CSV"),
        ("query,doc,score\nq," + "a" * 140_000 + ",1", "line 2: found text that is not CSV"),
        ('{"q": {"a": 1, "a": 2}}', 'field ["q"]["a"]: found a a second'),
        ('{"q": {"a": 1}, "q": {"b": 2}}', 'field ["q"]: found query q a second time'),
        ('{"q": {"a": NaN}}', 'field ["q"]["a"]: found nan.'),
        ('{"q": {"a": -Infinity}}', 'field ["q"]["a"]: found -inf.'),
        ('{"q": {"a": "1"}}', 'field ["q"]["a"]: found \'1\'.'),
        ('{"q": {"a": true}}', 'field ["q"]["a"]: found True.'),
        ('{"q": {"a": null}}', 'field ["q"]["a"]: found None.'),
        ('{"q": {"a": {"b": 1}}}', "field [\"q\"][\"a\"]: found {'b': 1}."),
        ('{"q": {"a": 1' + "0" * 400 + "}}", 'field ["q"]["a"]: found 1000'),
        ('{"q": {"a": 1' + "0" * 5000 + "}}", "found text that is not JSON"),
        ('{"q": {"": 1}}', 'field ["q"][""]: found \'\'.'),
        ('{"": {"a": 1}}', 'field [""]: found \'\'.'),
        ('{"q": {"\\ud800": 1}}', "found '\\ud800'. Allowed: an id"),
        ('{"q": ["a"]}', 'field ["q"]: found [\'a\']. Allowed: an object of objects'),
        ("[1]", "found [1]. Allowed: an object of objects"),
        ('\n\n{"q": {"a": 1}', "line 3: found text that is not JSON"),
        ('{"q":\n {"a" 1}}', "line 2: found text that is not JSON"),
        ("{" + '"a":{' * 100_000, "found text that is not JSON"),
        ("\ud800", "line 1: found the bytes ed a0 80 at byte 1 of the line"),
    ],
)  # fmt: skip
def test_one_fault_of_a_run(text, expected):
    found = faults(read_run, text)
    assert any(expected in line or line.startswith(expected) for line in found), found
    assert all(len(line) < 400 for line in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("q 0 a -1", "line 1, field grade: found -1. Allowed: 0 or more"),
        ("q 0 a 1.5", "line 1, field grade: found '1.5'. Allowed: a whole number"),
        ("q 0 a x", "line 1, field grade: found 'x'"),
        ("q 0 a 1\nq 0 a 1", "line 2, field doc: found a a second time for query q"),
        ("q a 1", "line 1: found 3 columns, 'q a 1'. Allowed: 4"),
        ('{"q": {"a": -1}}', 'field ["q"]["a"]: found -1.'),
        ("query,doc,grade\nq,a,-0.5", "line 2, field grade: found -0.5."),
        (
            "query,doc,score\nq,a,1",
            "field grade: found the header 'query, doc, score'. Allowed: exactly one",
        ),
        ("", "found nothing."),
    ],
)
def test_one_fault_of_judgements(text, expected):
    (found,) = faults(read_qrels, text)
    assert expected in found


@pytest.mark.parametrize("format", RUNS)
def test_not_utf8(format):
    content = RUNS[format].encode().replace(b"007", b"a\xe9z")
    for encoded in (content, b"\xff\xfe" + RUNS[format].encode("utf-16-le")):
        with pytest.raises(UnreadableFile, match="UTF-8"):
            read_run(encoded)


def test_a_grade_may_be_a_decimal_where_the_format_has_no_rule():
    assert read_qrels(text='{"q": {"a": 0.5}}').data == {"q": {"a": 0.5}}
    assert read_qrels(text="query,doc,grade\nq,a,0.5").data == {"q": {"a": 0.5}}


def test_negative_grades_are_read_as_0_if_asked_and_told():
    for text in ("q 0 a -2\nq 0 b -1\nq 0 c 1", '{"q": {"a": -2, "b": -1, "c": 1}}'):
        table = read_qrels(text=text, negative_grades_as_0=True)
        assert table.data == {"q": {"a": 0, "b": 0, "c": 1}}
        assert table.notes_in("en") == ["input: 2 negative grades were read as 0."]
        assert "2" in table.notes_in("zh")[0]


def test_all_faults_at_once():
    text = "q Q0 a 1 1 t\nq Q0 a 2 1 t\nq Q0 b 3\nq Q0 c 4 x t\n"
    assert [line.split(":")[0] for line in faults(read_run, text)] == [
        "line 2, field doc",
        "line 3",
        "line 4, field score",
    ]


@pytest.mark.parametrize(("count", "told"), [(MOST_FAULTS - 1, 19), (MOST_FAULTS + 10, 20)])
def test_up_to_20_faults(count, told):
    with pytest.raises(UnreadableFile) as caught:
        read_run(text="bad line\n" * count)
    assert len(caught.value.faults) == told
    assert caught.value.stopped == (count > told)


def test_reading_is_line_by_line():
    """It stops at the twentieth fault without asking for more lines."""
    asked = 0

    def lines():
        nonlocal asked
        while True:
            asked += 1
            yield b"bad\n"

    with pytest.raises(UnreadableFile):
        read_run(lines())
    assert asked == MOST_FAULTS


def test_wrong_calls():
    for call in ({}, {"source": b"a", "text": "a"}):
        with pytest.raises(Refused, match="exactly one"):
            read_run(**call)
    with pytest.raises(Refused, match="format: found 'xml'"):
        read_run(b"a", format="xml")
    with pytest.raises(FileNotFoundError):
        read_run("no such file")
    with pytest.raises(IsADirectoryError):
        read_run("/")


@settings(max_examples=150)
@given(st.binary(max_size=60) | st.text(alphabet='q \t\n,"{}:1-.aéQ0', max_size=60).map(str.encode))
def test_any_bytes_are_read_or_refused(content):
    for read in (read_run, read_qrels):
        try:
            table = read(content)
        except UnreadableFile:
            continue
        assert table.data


# --- order ------------------------------------------------------------------------------------------


def test_the_scores_decide_and_a_note_tells_of_the_rank_column():
    table = read_run(text="q Q0 a 1 1 t\nq Q0 b 2 2 t\np Q0 a 1 2 t\n", name="R")
    assert best_first(table.data["q"], "") == ["b", "a"]
    (note,) = table.notes_in("en")
    assert note.startswith("R: in 1 query (q) the rank column has another order")
    assert read_run(text="q Q0 a x 1 t\n").notes[0].key == "readers.note.ranks"
    assert read_run(text="q Q0 a 0 2 t\nq Q0 b 5 1 t\n").notes == ()


def test_a_note_tells_of_equal_scores():
    table = read_run(text="q Q0 a 1 1 t\nq Q0 b 2 1.0 t\np Q0 a 1 1 t\np Q0 b 2 1 t")
    assert table.notes_in("en") == [
        "input: 2 queries (the first is q) have equal scores. Here they go by id ascending; "
        "trec_eval goes by id descending."
    ]


# --- other tools ------------------------------------------------------------------------------------


def random_files(seed, tmp_path):
    rng = random.Random(seed)
    run, qrels = [], []
    for query in range(15):
        docs = rng.sample(range(50), 20)
        for rank, doc in enumerate(docs, 1):
            run.append(f"q{query} Q0 d{doc:03} {rank} {rng.gauss(0, 9)!r} t\n")
        qrels += [
            f"q{query} 0 d{doc:03} {rng.randint(0, 3)}\n" for doc in rng.sample(range(50), 25)
        ]
        qrels.append(f"q{query} 0 e 1\n")
    paths = tmp_path / "a.run", tmp_path / "a.qrels"
    paths[0].write_text("".join(run), encoding="utf-8")
    paths[1].write_text("".join(qrels), encoding="utf-8")
    return paths


@pytest.mark.parametrize("seed", range(3))
def test_ir_measures_reads_the_same(seed, tmp_path):
    """The differences that conventions explain are shut out: linear gain, distinct scores."""
    run, qrels = random_files(seed, tmp_path)
    read = ir_measures.read_trec_run(str(run))
    assert read_run(run).data == {
        query: {doc.doc_id: doc.score for doc in docs} for query, docs in _by_query(read).items()
    }
    measures = [ir_measures.P @ 10, ir_measures.R @ 10, ir_measures.RR @ 10, ir_measures.nDCG @ 10]
    theirs = ir_measures.calc_aggregate(
        measures, ir_measures.read_trec_qrels(str(qrels)), ir_measures.read_trec_run(str(run))
    )
    ours = evaluate(read_run(run).data, read_qrels(qrels).data, 10, "linear")
    assert list(ours.means.values()) == pytest.approx([theirs[measure] for measure in measures])


def _by_query(docs):
    found = {}
    for doc in docs:
        found.setdefault(doc.query_id, []).append(doc)
    return found


def single(value: float) -> float:
    return struct.unpack("<f", struct.pack("<f", value))[0]


@settings(max_examples=150)
@given(
    st.lists(st.floats(0, 1) | st.floats(allow_nan=False, allow_infinity=False), max_size=30),
    st.integers(1, 4),
)
def test_written_scores_fall_strictly_in_single_precision(scores, repeat):
    scores = sorted(scores * repeat, reverse=True)
    written = distinct_in_single_precision(scores)
    read_back = [single(float(f"{score:.9g}")) for score in written]
    assert read_back == written
    assert all(high > low for high, low in pairwise(read_back))


def test_scores_that_are_distinct_are_the_nearest():
    scores = [score for _, score in rrf([[f"d{n}" for n in range(1000)]])]
    assert distinct_in_single_precision(scores) == [single(score) for score in scores]


def test_fused_ties_keep_their_order_in_trec_eval():
    """trec_eval orders equal scores by id descending, in single precision; ours go by id ascending."""
    names = [f"d{n:02}" for n in range(40)]
    runs = [{"q": {id: -rank for rank, id in enumerate(order)}} for order in (names, names[::-1])]
    fused = fuse_runs(runs)
    assert len({score for _, score in fused["q"]}) < len(names)
    back = read_run(text="".join(trec_lines(fused)))
    assert back.notes == ()
    order = [id for id, _ in fused["q"]]
    assert best_first(back.data["q"], "") == order
    for place, id in enumerate(order, 1):
        found = pytrec_eval.RelevanceEvaluator({"q": {id: 1}}, {"recip_rank"}).evaluate(back.data)
        assert found["q"]["recip_rank"] == pytest.approx(1 / place)


# --- fusing and writing -----------------------------------------------------------------------------


def test_fuse_runs():
    runs = [
        {"q": {"A": 3, "B": 2, "C": 1}, "p": {"A": 1}},
        {"r": {"B": 1}, "q": {"B": 9, "C": 8, "A": 7}},
    ]
    fused = fuse_runs(runs)
    assert list(fused) == ["q", "p", "r"]
    assert fused["q"] == rrf([["A", "B", "C"], ["B", "C", "A"]])
    assert fused["p"] == [("A", 1 / 61)]
    assert fuse_runs(runs, k=0)["r"] == [("B", 1.0)]
    assert fuse_runs([]) == {}


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ([{"q": {"d": float("nan")}}], r"runs\[0\]\['q'\]\['d'\]: found nan"),
        ([{}, {5: {"d": 1}}], r"runs\[1\], place 1: found 5"),
        ([{"q": {4: 1}}], r"runs\[0\]\['q'\], place 1: found 4"),
        ({"q": {"d": 1}}, r"runs\[0\]: found 'q'"),
    ],
)
def test_what_cannot_be_fused_is_refused_with_its_place(runs, message):
    with pytest.raises(Refused, match=message) as refusal:
        fuse_runs(runs)
    assert refusal.value.field == "runs"


def test_trec_lines():
    assert list(trec_lines({"q": [("A", 0.5), ("B", 0.25)], "empty": []}, tag="mine")) == [
        "q Q0 A 1 0.5 mine\n",
        "q Q0 B 2 0.25 mine\n",
    ]


@pytest.mark.parametrize("id", ["a b", "", " ", "a\n", "\ta", "\ud800", "a\u000bb"], ids=ascii)
def test_an_id_with_a_blank_is_no_trec_id(id):
    for fused, tag in (({"q": [(id, 1.0)]}, "t"), ({id: []}, "t"), ({"q": []}, id)):
        with pytest.raises(Refused, match="without blanks"):
            list(trec_lines(fused, tag))


def test_what_is_written_is_read():
    fused = {"问题": [("　宽", 2.0), ("é", 1.0)], "q": [("007", 1.0), ("\u00a0x", 0.5)]}
    assert read_run(text="".join(trec_lines(fused))).data == {
        query: dict(pairs) for query, pairs in fused.items()
    }


def test_writing_replaces_whole_or_not_at_all(tmp_path):
    path = tmp_path / "out.run"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)

    def breaks():
        yield "new\n"
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_atomically(path, breaks())
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]
    write_atomically(path, ["né\n"])
    assert path.read_bytes() == "né\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_writing_a_new_file_through_a_link_and_to_no_regular_file(tmp_path):
    old = os.umask(0o027)
    try:
        write_atomically(tmp_path / "new", ["x"])
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    (tmp_path / "link").symlink_to("new")
    write_atomically(tmp_path / "link", ["y"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "new").read_text(encoding="utf-8") == "y"
    write_atomically("/dev/null", ["z"])
    assert not stat.S_ISREG(os.stat("/dev/null").st_mode)  # noqa: PTH116
    with pytest.raises(FileNotFoundError) as caught:
        write_atomically(tmp_path / "no" / "out", ["x"])
    assert caught.value.filename == str(tmp_path / "no" / "out")
