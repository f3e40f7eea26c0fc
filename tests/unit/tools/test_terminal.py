from __future__ import annotations

import pytest

from terminal import terminal_language


@pytest.mark.parametrize(
    ("environ", "lang"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "ZH_cn"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "zh_TW"}, "zh"),
        ({"LANG": "en_GB", "LC_MESSAGES": "en_GB", "LC_ALL": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN", "LC_ALL": "C"}, "en"),
        ({"LANG": "zh_CN", "LC_ALL": ""}, "zh"),
        ({"LANG": "en_GB", "LC_CTYPE": "zh_CN", "LANGUAGE": "zh"}, "en"),
    ],
)
def test_the_first_set_variable_decides(environ: dict[str, str], lang: str) -> None:
    assert terminal_language(environ) == lang
