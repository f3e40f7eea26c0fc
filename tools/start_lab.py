"""Open JupyterLab at lesson 1, with the settings that the lessons want.

    python tools/start_lab.py [--lessons en|zh] [--reload-widgets] [-- options of jupyter lab]

The settings live in the environment of this project alone (``overrides.json`` there holds defaults,
which a person's own settings still come before); nothing in anyone's home folder is touched.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import prepare_lessons
from rankwalk.messages import languages, say
from terminal import terminal_language

SETTINGS: dict[str, dict[str, object]] = {
    # a saved notebook opens again with working widgets
    "@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True},
    # nothing that asks the network, or asks the learner for consent to
    "@jupyterlab/apputils-extension:notification": {
        "checkForUpdates": False,
        "fetchNews": "false",
    },
    "@jupyterlab/extensionmanager-extension:plugin": {"enabled": False},
}


def app_folder() -> Path:
    """Return the folder in this environment that JupyterLab reads and keeps its things in."""
    return Path(sys.prefix, "share", "jupyter", "lab")


def write_settings() -> None:
    """Make `SETTINGS` the defaults of the JupyterLab in this environment."""
    file = app_folder() / "settings" / "overrides.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(SETTINGS, indent=2) + "\n", encoding="utf-8")


def command(lesson: Path, options: list[str]) -> list[str]:
    """Return the command that serves the project to this machine alone and opens ``lesson``."""
    server = [
        "--ServerApp.ip=127.0.0.1",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        # Else the tabs of whatever this person last did in some other JupyterLab come along.
        f"--LabApp.workspaces_dir={app_folder() / 'workspaces'}",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        server.append("--allow-root")  # in a container one is root; only this machine can connect
    return [sys.executable, "-m", "jupyterlab", *server, *options, lesson.as_posix()]


def main() -> int:
    """Prepare the lessons, start JupyterLab, wait for its end; return an exit code."""
    parser = argparse.ArgumentParser(description="Open JupyterLab at lesson 1.")
    parser.add_argument("--lessons", choices=languages(), default=terminal_language(os.environ))
    parser.add_argument("--reload-widgets", action="store_true", help="when their files change")
    parser.add_argument("--settings-only", action="store_true", help="and start nothing")
    parser.add_argument("options", nargs="*", help="for jupyter lab, after a --")
    arguments = parser.parse_args()
    os.chdir(Path(__file__).resolve().parent.parent)
    write_settings()
    if arguments.settings_only:
        return 0
    lang: str = arguments.lessons
    failed = prepare_lessons.main(lang)
    if failed:
        return failed
    lesson = Path("my-lessons", lang, "01_five_steps.ipynb")
    print(say("lab.start", lang, lesson=lesson, folder=lesson.parent), flush=True)
    # A kernel that is installed in someone's home folder must not come before the one in here.
    environment = dict(os.environ, JUPYTER_PREFER_ENV_PATH="1")
    if arguments.reload_widgets:
        environment["ANYWIDGET_HMR"] = "1"
    try:
        return subprocess.run(command(lesson, arguments.options), env=environment).returncode
    except KeyboardInterrupt:  # Ctrl-C is how one ends JupyterLab; it was told, too, and tidies up
        return 0


if __name__ == "__main__":
    sys.exit(main())
