"""The page of `bochner serve` beside a fit, from its first steps to the decoder, in light and dark, wide and narrow."""
import pathlib
import re
import signal
import subprocess

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import Opened
from runs import Runs


class Live:
    """A fit under way and the server of its folder."""

    def __init__(self, runs: Runs):
        self.folder, program = runs.folder, str(runs.program)
        steps = ["--dims", "3", "--steps", "100000", "--patience", "100000", "--restarts", "1", "--threads", "1", "--quiet", "--out", "live"]
        self.fit = subprocess.Popen([program, "fit", "rna.csv", "protein.csv", *steps], cwd=self.folder)
        self.server = subprocess.Popen([program, "serve", "live", "--port", "0"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.url = re.search(r"http://\S+", self.server.stdout.readline())[0]

    def stop_fit(self):
        self.fit.send_signal(signal.SIGINT)
        assert self.fit.wait(120) == 130

    def stop(self):
        self.fit.kill()
        self.fit.wait()
        self.server.send_signal(signal.SIGINT)
        said = self.server.communicate(timeout=20)
        assert self.server.returncode == 0, said


@pytest.fixture
def live(request, tmp_path):
    runs = Runs(pathlib.Path(request.config.getoption("--program")).resolve(), tmp_path)
    runs.gplvm("tables")  # writes them
    out = Live(runs)
    yield out
    out.stop()


@pytest.fixture
def visit(browser):
    contexts = []

    def visited(url: str, width: int = 1280, **options) -> Opened:
        context = browser.new_context(viewport={"width": width, "height": 900}, bypass_csp=options.pop("bypass_csp", False), **options)
        context.set_default_timeout(60000)
        contexts.append(context)
        opened = Opened.__new__(Opened)
        opened.page, opened.errors, opened.requests = context.new_page(), [], []
        opened.page.on("console", lambda message: message.type in ("error", "warning") and opened.errors.append(message.text))
        opened.page.on("pageerror", lambda error: opened.errors.append(str(error)))
        opened.page.on("request", lambda request: opened.requests.append(request.url))
        opened.page.goto(url)
        return opened

    yield visited
    for context in contexts:
        context.close()


def accessible(opened: Opened):
    found = Axe().run(opened.page).response["violations"]
    assert [(v["id"], v["nodes"][0]["target"]) for v in found if v["impact"] in ("serious", "critical")] == []


def picture(page) -> str:
    return page.evaluate("() => document.querySelector('canvas.latent').toDataURL()")


def test_follows_a_fit_to_its_end_and_decodes(live, visit, pictures):
    opened = visit(live.url)
    page = opened.page
    page.locator("canvas.latent").wait_for()
    page.locator("#objective svg").wait_for()
    first, step = picture(page), page.locator(".doing").inner_text()
    assert re.match(r"Fit: step [\d,]+ of at most 100,000; \d+:\d\d so far, at most [\d:]+ left in this part\.", step)
    page.wait_for_function("step => document.querySelector('.doing').textContent !== step", arg=step)
    page.wait_for_function("first => document.querySelector('canvas.latent').toDataURL() !== first", arg=first)
    assert 0 < page.locator(".progress progress").evaluate("bar => bar.value") < 1
    page.screenshot(path=pictures / "live-fitting.png", full_page=True)
    # A view that somebody has chosen stays while the points move on, and so does the focus.
    across = page.get_by_label("Across")
    across.select_option("2")
    across.focus()
    page.wait_for_timeout(2500)
    assert across.input_value() == "2"
    assert page.evaluate("() => document.activeElement.tagName") == "SELECT"
    live.stop_fit()
    page.locator(".verdict").wait_for()
    page.locator("#decoder").wait_for()
    page.get_by_role("link", name="Open the report of this run").wait_for()
    page.wait_for_function("() => document.querySelector('#decoder td.number').textContent !== ''")
    at_mean = page.locator("#decoder td.number").first.inner_text()
    page.locator("#decoder input[type=range]").first.focus()
    for _ in range(40):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("before => document.querySelector('#decoder td.number').textContent !== before", arg=at_mean)
    with page.expect_response(lambda response: response.url.endswith(",7.5")) as decoded:
        page.get_by_label("as a number").nth(2).fill("7.5")  # beyond the slider
    assert len(decoded.value.json()["mean"]) == page.locator("#decoder tbody tr").count()
    page.locator("#decoder").get_by_label("Find column").fill("protein 3")
    assert page.locator("#decoder tbody tr:visible").count() == 1
    page.screenshot(path=pictures / "live-ended.png", full_page=True)
    assert opened.errors == []
    assert all(url.startswith((live.url, "data:")) for url in opened.requests)
    page.get_by_role("link", name="Open the report of this run").click()
    page.locator("#decoder svg").first.wait_for(state="attached")
    assert page.locator("section.panel").count() > 5
    assert opened.errors == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessible_and_narrow(scheme, live, visit, pictures):
    opened = visit(live.url, width=390, color_scheme=scheme, bypass_csp=True)
    page = opened.page
    page.locator("canvas.latent").wait_for()
    accessible(opened)
    live.stop_fit()
    page.locator("#decoder").wait_for()
    accessible(opened)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    page.screenshot(path=pictures / f"live-narrow-{scheme}.png", full_page=True)


def test_draws_pictures_of_a_run_that_has_ended(request, tmp_path, visit, pictures):
    runs = Runs(pathlib.Path(request.config.getoption("--program")).resolve(), tmp_path)
    runs.pictures()
    server = subprocess.Popen([str(runs.program), "serve", "pictures", "--port", "0"], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    try:
        opened = visit(re.search(r"http://\S+", server.stdout.readline())[0])
        page = opened.page
        page.wait_for_function("() => document.querySelector('#decoder td.number')?.textContent")
        drawn = "() => document.querySelector('#decoder canvas.picture').toDataURL()"
        before = page.evaluate(drawn)
        page.locator("#decoder input[type=range]").first.focus()
        for _ in range(40):
            page.keyboard.press("ArrowRight")
        page.wait_for_function(f"before => ({drawn})() !== before", arg=before)
        pixels = "() => [...document.querySelector('#decoder canvas.picture').getContext('2d').getImageData(0, 0, 8, 8).data]"
        shades = page.evaluate(pixels)[::4]
        assert max(shades) - min(shades) > 50  # a spot, not one colour
        page.screenshot(path=pictures / "live-picture.png", full_page=True)
        assert opened.errors == []
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(20)


def test_says_when_the_server_has_gone(live, visit):
    opened = visit(live.url)
    opened.page.locator("canvas.latent").wait_for()
    live.server.send_signal(signal.SIGINT)
    live.server.wait(20)
    opened.page.locator(".progress.lost").wait_for()
    assert "does not answer" in opened.page.locator(".doing").inner_text()
