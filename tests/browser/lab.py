"""A real JupyterLab for tests: a server, a page in a browser, and the notebooks opened in it.

A test asks for the fixture ``lab``::

    def test_step(lab: Lab) -> None:
        notebook = lab.open(["from rankwalk import Walkthrough", "w = Walkthrough(); w"])
        notebook.run_all()
        widget = notebook.widget(0)
        widget.focus()
        lab.page.keyboard.press("ArrowRight")
        expect(widget).to_have_attribute("data-step", "2")
        notebook.python("w.k = 10")
        assert notebook.python("print(w.k)") == "10\\n"
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import nbformat
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, expect

import rankwalk

PATIENCE = 60.0
"""Seconds to wait for a server or a kernel; far more than they need, even on a busy machine."""

SETTINGS: dict[str, dict[str, object]] = {
    "@jupyterlab/apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyter-widgets/jupyterlab-manager/plugin": {"saveState": True},
}

BROWSER_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Nothing is loaded from a network: no other name or address is even looked up.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]

expect.set_options(timeout=20_000)  # a busy machine is no fault of what is tested

OF_JUPYTERLAB = ("Canceled future for",)
"""Parts of errors that JupyterLab itself writes when a kernel ends that it was asking something."""

LOOPBACK = ("127.0.0.1", "localhost", "")
"""Hosts that a page may ask; "" is that of data: and blob: addresses."""


class Server:
    """JupyterLab, or Notebook 7, as a process of its own, with folders of its own.

    Args:
        folder: an empty folder for its notebooks, settings and logs.
        app: which of the two.
    """

    def __init__(self, folder: Path, app: Literal["lab", "notebook"] = "lab") -> None:
        self.app = app
        self.root = folder / "notebooks"
        self.root.mkdir()
        self._log = folder / "server.log"
        self._token = secrets.token_hex(16)
        self._port = _free_port()
        self.url = f"http://127.0.0.1:{self._port}/"
        self._start(folder)

    def address(self, path: str) -> str:
        """Return the address of a page, with the token in it."""
        return f"{self.url}{path}?token={self._token}"

    def api(self, path: str, method: str = "GET") -> Any:
        """Ask the server's REST interface; returns what the JSON says."""
        request = urllib.request.Request(
            f"{self.url}api/{path}",
            method=method,
            headers={"Authorization": f"token {self._token}"},
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            body = answer.read()
        return json.loads(body) if body else None

    def end_sessions(self) -> None:
        """End every session and its kernel."""
        for session in self.api("sessions"):
            self.api(f"sessions/{session['id']}", "DELETE")
        for kernel in self.api("kernels"):
            self.api(f"kernels/{kernel['id']}", "DELETE")

    def stop(self) -> None:
        """End the process, and its kernels with it."""
        self._process.terminate()
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _start(self, folder: Path) -> None:
        settings = folder / "settings"
        for name, values in SETTINGS.items():
            file = settings / f"{name}.jupyterlab-settings"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(values), encoding="utf-8")
        config = folder / "config" / "jupyter_config.json"  # Notebook 7 has no such arguments
        config.parent.mkdir()
        exposed = {"expose_app_in_browser": True}
        own = {
            "LabApp": {**exposed, "extension_manager": "readonly"},
            "JupyterNotebookApp": exposed,
        }
        config.write_text(json.dumps(own), encoding="utf-8")
        package = Path(rankwalk.__file__).parents[1]
        path = [str(package), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
        environment = {
            **os.environ,
            "JUPYTER_CONFIG_DIR": str(config.parent),
            "JUPYTER_DATA_DIR": str(folder / "data"),
            "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
            "JUPYTERLAB_SETTINGS_DIR": str(settings),
            "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
            "IPYTHONDIR": str(folder / "ipython"),
            "PYTHONPATH": os.pathsep.join(str(Path(entry).resolve()) for entry in path),
        }
        command = [
            sys.executable,
            "-m",
            {"lab": "jupyterlab", "notebook": "notebook"}[self.app],
            "--no-browser",
            "--allow-root",
            "--ServerApp.ip=127.0.0.1",
            f"--ServerApp.port={self._port}",
            "--ServerApp.port_retries=0",
            f"--ServerApp.root_dir={self.root}",
            f"--IdentityProvider.token={self._token}",
        ]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=subprocess.STDOUT, cwd=folder, env=environment
            )
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.api("status")
            except (urllib.error.URLError, OSError) as error:
                if self._process.poll() is not None or time.monotonic() > end:
                    self.stop()
                    log_text = self._log.read_text(encoding="utf-8", errors="replace")
                    raise RuntimeError(f"{self.app} did not start:\n{log_text}") from error
                time.sleep(0.1)
            else:
                return


class Lab:
    """A page with JupyterLab in it.

    Attributes:
        page: Playwright's page, for the keyboard and whatever is not offered here.
        complaints: errors in the console and errors not caught, since the last `reset`.
        foreign: addresses asked for that are not on this machine, since the last `reset`.
    """

    def __init__(self, server: Server, browser: Browser) -> None:
        self.server = server
        self.complaints: list[str] = []
        self.foreign: list[str] = []
        self._numbers = count(1)
        context = browser.new_context()
        context.set_default_timeout(PATIENCE * 1000)
        context.add_init_script(path=Path(__file__).with_name("lab.js"))
        context.on("request", self._note_request)
        context.on("console", self._note_console)
        context.on("weberror", lambda error: self.complaints.append(f"not caught: {error.error}"))
        self.page: Page = context.new_page()
        self.page.on("websocket", lambda socket: self._note_address(socket.url))
        if server.app == "lab":
            self.load()

    def load(self, path: str = "lab") -> None:
        """Load the page anew, as after F5, and wait until it is restored."""
        self.page.goto(self.server.address(path))
        self.page.wait_for_function("() => window.jupyterapp")
        self.page.evaluate("async () => { await jupyterapp.restored; }")

    def open(self, notebook: Sequence[str] | Path | str) -> Notebook:
        """Open a notebook and wait for its kernel.

        Args:
            notebook: the sources of code cells; or a file outside, which is copied in; or the name of
                a file that the server has.
        """
        path = self._placed(notebook)
        if self.server.app == "lab":
            self.page.evaluate("path => lab.open(path)", path)
        else:
            self.load(f"notebooks/{path}")
        opened = Notebook(self, path)
        opened.wait_connected()
        return opened

    def size(self, width: int, height: int = 800) -> None:
        """Set the size of the page in CSS pixels."""
        self.page.set_viewport_size({"width": width, "height": height})

    def theme(self, kind: Literal["light", "dark"]) -> None:
        """Switch JupyterLab's theme and wait until it is on."""
        self.page.evaluate("name => lab.theme(name)", f"JupyterLab {kind.title()}")
        wanted = str(kind == "light").lower()
        expect(self.page.locator("body")).to_have_attribute("data-jp-theme-light", wanted)
        self.wait_done()

    def reset(self) -> None:
        """Go back to where every test begins: nothing open, no kernel, light, 1280 × 800."""
        self.page.evaluate("() => lab.close()")
        self.server.end_sessions()
        for _ in range(5):  # a dialog that a test left, or one about the kernel that went
            if not self.page.locator("dialog[open], .jp-Dialog").count():
                break
            self.page.keyboard.press("Escape")
        self.page.emulate_media(reduced_motion="no-preference")
        self.size(1280)
        if self.page.locator('body[data-jp-theme-light="true"]').count() == 0:
            self.theme("light")
        self.complaints.clear()
        self.foreign.clear()

    def assert_quiet(self, expected: Iterable[str] = ()) -> None:
        """Fail if the page complained or asked for anything that is not on this machine.

        Args:
            expected: parts of complaints that this test provokes on purpose.
        """
        expected = [*expected, *OF_JUPYTERLAB]
        found = [text for text in self.complaints if not any(part in text for part in expected)]
        assert not found, "the browser's console: " + "\n".join(found)
        assert not self.foreign, "asked for from a network: " + "\n".join(self.foreign)

    def axe(self, selector: str) -> list[str]:
        """Return what axe-core objects to inside of ``selector``, one line for each element."""
        from axe_playwright_python.sync_playwright import Axe  # not needed to measure speed

        found = Axe().run(self.page, context=selector).response["violations"]
        return [
            f"{rule['id']} ({rule['impact']}): {rule['help']}: {node['html']}"
            for rule in found
            for node in rule["nodes"]
        ]

    def wait_done(self) -> None:
        """Wait until what was started on the page has ended; fail if it failed."""
        self.page.wait_for_function("() => !lab.running")
        failure = self.page.evaluate(
            "() => { const f = lab.failure; lab.failure = null; return f; }"
        )
        assert failure is None, failure

    def _placed(self, notebook: Sequence[str] | Path | str) -> str:
        """Return the path on the server of a notebook, put there where it is not yet."""
        if isinstance(notebook, str):
            return notebook
        if isinstance(notebook, Path):
            text = notebook.read_text(encoding="utf-8")
            name = f"{next(self._numbers)}-{notebook.name}"
        else:
            made = nbformat.v4.new_notebook(
                cells=[nbformat.v4.new_code_cell(source) for source in notebook],
                metadata={
                    "kernelspec": {
                        "display_name": "Python 3",
                        "language": "python",
                        "name": "python3",
                    }
                },
            )
            text, name = nbformat.writes(made), f"{next(self._numbers)}.ipynb"
        (self.server.root / name).write_text(text, encoding="utf-8")
        return name

    def _note_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            where = message.location.get("url", "").split("?")[0]
            self.complaints.append(f"{message.text} ({where})")

    def _note_request(self, request: Request) -> None:
        self._note_address(request.url)

    def _note_address(self, address: str) -> None:
        if (urlsplit(address).hostname or "") not in LOOPBACK:
            self.foreign.append(address)


@dataclass(frozen=True)
class Notebook:
    """A notebook open in a `Lab`.

    Attributes:
        lab: where it is open.
        path: its path on the server.
    """

    lab: Lab
    path: str

    @property
    def file(self) -> Path:
        """The file on the disk, for what was saved."""
        return self.lab.server.root / self.path

    def run_all(self, *, errors: bool = False) -> None:
        """Run every cell and wait for the last; fail if one fails, unless ``errors`` are meant."""
        self._do("runAll")
        self._check_errors(errors)

    def run_cell(self, index: int, *, errors: bool = False) -> None:
        """Run one cell, counted from 0, and wait for it."""
        self._do("runCell", index)
        self._check_errors(errors)

    def start_cell(self, index: int) -> None:
        """Start one cell and do not wait: the kernel is busy then."""
        self._call("runCell", index)

    def cell(self, index: int) -> Locator:
        """Scroll a cell into view, counted from 0, and return its locator."""
        self._call("show", index)
        found = self.lab.page.locator(
            f'.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell[data-windowed-list-index="{index}"]'
        )
        found.wait_for()
        return found

    def widget(self, number: int = 0, selector: str = ".rw-widget") -> Locator:
        """Return the root element of a widget, counted from 0 over the notebook, once it is drawn.

        Args:
            number: which of the widgets that the cells show.
            selector: what its root element is found by, inside of the output.
        """
        self.lab.page.wait_for_function(
            "([path, number]) => lab.widgets(path).length > number", arg=[self.path, number]
        )
        found = self._call("widgets")[number]
        output = self.cell(found["cell"]).locator(".jp-OutputArea-child").nth(found["place"])
        widget = output.locator(selector).first
        widget.wait_for()
        widget.scroll_into_view_if_needed()
        return widget

    def python(self, code: str) -> str:
        """Run code in the kernel, without a cell, and return what it printed or what it gives."""
        answer: str = self._call("python", code)
        return answer

    def save(self) -> None:
        """Save, the state of the widgets too."""
        self._do("save")

    def reopen(self) -> Notebook:
        """Save, close, end the kernel, load the page anew, and open the file again, nothing run."""
        self.save()
        before = list(self.lab.complaints)
        self._call("close")
        self.lab.server.end_sessions()
        self.lab.load()
        self.lab.complaints[:] = before  # of the page that is gone: its kernel was ended under it
        return self.lab.open(self.path)

    def restart_kernel(self) -> None:
        """Restart the kernel and wait for the new one; outputs stay as they are."""
        self._do("restart")
        self.wait_connected()

    def interrupt_kernel(self) -> None:
        """Interrupt what the kernel is doing and wait until it is idle."""
        self._call("interrupt")
        self.wait_connected()

    def shut_kernel_down(self) -> None:
        """End the kernel; the notebook stays open."""
        self._do("shutdown")

    def wait_connected(self) -> None:
        """Wait until the kernel is connected and idle."""
        self.lab.page.wait_for_function(
            "path => !lab.running && lab.connected(path)", arg=self.path
        )
        self.lab.wait_done()

    def errors(self) -> list[str]:
        """Return the errors that the cells show."""
        found: list[str] = self._call("errors")
        return found

    def _check_errors(self, allowed: bool) -> None:
        if not allowed:
            assert not self.errors(), "\n".join(self.errors())

    def _do(self, name: str, *values: object) -> None:
        """Call a function of lab.js and wait until what it starts has ended."""
        self._call(name, *values)
        self.lab.wait_done()

    def _call(self, name: str, *values: object) -> Any:
        return self.lab.page.evaluate(
            "([name, ...values]) => lab[name](...values)", [name, self.path, *values]
        )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
