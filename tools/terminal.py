"""What language the person at this terminal reads."""

from __future__ import annotations

from collections.abc import Mapping


def terminal_language(environ: Mapping[str, str]) -> str:
    """Return ``"zh"`` where the locale is Chinese, else ``"en"``.

    Args:
        environ: the environment. As POSIX has it, the first of LC_ALL, LC_MESSAGES and LANG that is
            set and not empty decides.
    """
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((value for name in names if (value := environ.get(name))), "")
    return "zh" if locale.lower().startswith("zh") else "en"
