"""Debian's Chromium, driven by Playwright, with the network off; a run of every model family."""
import os
import pathlib
import shutil

import pytest
from playwright.sync_api import sync_playwright
from runs import Runs

ROOT = pathlib.Path(__file__).resolve().parents[3]
FAMILIES = ["gplvm", "mcmc", "regression", "classification", "kernel_pca", "forecast", "pictures", "labels", "hostile", "applied", "predicted"]


def pytest_addoption(parser):
    parser.addoption("--program", default=str(ROOT / "build/bin/bochner"), help="The program whose reports are tested")
    parser.addoption("--pictures", default=str(ROOT / "build/report-pictures"), help="Folder of the screenshots")


@pytest.fixture(scope="session")
def runs(request, tmp_path_factory) -> Runs:
    out = Runs(pathlib.Path(request.config.getoption("--program")).resolve(), tmp_path_factory.mktemp("runs"))
    for family in FAMILIES:
        getattr(out, family)()
    out.compared()
    return out


@pytest.fixture(scope="session")
def pictures(request) -> pathlib.Path:
    folder = pathlib.Path(request.config.getoption("--pictures"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def browser():
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    assert program, "Chromium is missing; install it with tools/setup.sh browser"
    with sync_playwright() as playwright:
        # A root user, as in a container, has no sandbox; the pages are ours.
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"] if os.geteuid() == 0 else [])
        yield browser
        browser.close()


class Opened:
    """A page with what went wrong on it: messages of errors and requests that left the file."""

    def __init__(self, page, path: pathlib.Path):
        self.page, self.errors, self.requests = page, [], []
        page.on("console", lambda message: message.type in ("error", "warning") and self.errors.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        self.client = page.context.new_cdp_session(page)
        self.client.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.goto(path.as_uri())

    def draw_all(self):
        """Scrolls to the end and back: panels are drawn when they come near the window."""
        for panel in self.page.locator("section.panel").all():
            panel.scroll_into_view_if_needed()
        self.page.wait_for_function("[...document.querySelectorAll('section.panel .body')].every(body => body.childElementCount > 0)")
        self.page.evaluate("window.scrollTo(0, 0)")

    def busy_seconds(self) -> float:
        """Processor time of the thread that draws the page and answers its reader, since the page was asked for."""
        metrics = self.client.send("Performance.getMetrics")["metrics"]
        return next(m["value"] for m in metrics if m["name"] == "TaskDuration")

    def outside(self) -> list[str]:
        return [url for url in self.requests if not url.startswith(("file:", "data:", "blob:"))]


@pytest.fixture
def open_page(browser):
    contexts = []

    def opened(path: pathlib.Path, width: int = 1280, height: int = 900, **options) -> Opened:
        context = browser.new_context(viewport={"width": width, "height": height}, offline=True, reduced_motion="reduce", **options)
        context.set_default_timeout(10000)
        contexts.append(context)
        return Opened(context.new_page(), path)

    yield opened
    for context in contexts:
        context.close()
