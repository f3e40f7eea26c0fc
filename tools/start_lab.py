"""Open JupyterLab at lesson 1, with the settings that the lessons want.

    python tools/start_lab.py [--lessons en|zh] [--reload-widgets] [-- options of jupyter lab]

The settings live in the environment of this project alone (``overrides.json`` there holds defaults,
which a person's own settings still come before); nothing in anyone's home folder is touched.
"""

from __future__ import annotations

import argparse
import json
import os
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


def jupyter_arguments(lesson: Path, options: list[str]) -> list[str]:
    """Return the arguments that serve the project to this machine alone and open ``lesson``."""
    own = [
        "--ServerApp.ip=127.0.0.1",
        # The address that is printed opens the lesson too, for those whose browser does not open.
        f"--LabApp.default_url=/lab/tree/{lesson.as_posix()}",
        "--LabApp.extension_manager=readonly",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        # Else the tabs of whatever this person last did in some other JupyterLab come along.
        f"--LabApp.workspaces_dir={app_folder() / 'workspaces'}",
        "--log-level=WARN",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        own.append("--allow-root")  # in a container one is root; only this machine can connect
    return [*own, *options]


def main() -> int:
    """Prepare the lessons and run JupyterLab until it is ended; return an exit code."""
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
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
    if arguments.reload_widgets:
        os.environ["ANYWIDGET_HMR"] = "1"
    # In this process, so that Ctrl-C reaches JupyterLab's own question and nothing else.
    from jupyterlab.labapp import LabApp

    LabApp.launch_instance(jupyter_arguments(lesson, arguments.options))
    return 0


if __name__ == "__main__":
    sys.exit(main())
