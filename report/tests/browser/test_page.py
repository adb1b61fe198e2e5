"""Accessibility, printing, size, hostile names and the content security policy."""
import io
import time

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import FAMILIES
from pypdf import PdfReader
from runs import HOSTILE


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("family", FAMILIES)
def test_accessible(family, scheme, runs, open_page):
    opened = open_page(runs.folder / family / "report.html", color_scheme=scheme, bypass_csp=True)
    opened.draw_all()
    found = Axe().run(opened.page).response["violations"]
    assert [(v["id"], v["nodes"][0]["target"]) for v in found if v["impact"] in ("serious", "critical")] == []


@pytest.mark.parametrize("family", ["gplvm", "regression"])
def test_prints_every_panel_whole(family, runs, open_page, pictures):
    opened = open_page(runs.folder / family / "report.html")
    opened.draw_all()
    opened.page.emulate_media(media="print")
    opened.page.set_viewport_size({"width": 720, "height": 1000})
    paper = opened.page.pdf(format="A4", margin={"top": "1cm", "bottom": "1cm", "left": "1cm", "right": "1cm"})
    (pictures / f"{family}.pdf").write_bytes(paper)
    text = " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(paper)).pages).split())
    for title in opened.page.locator(".panel h2").all_inner_texts():
        assert title in text
    wide = "() => [...document.querySelectorAll('.panel svg.chart, .panel canvas.chart')].filter(c => c.getBoundingClientRect().right > document.body.clientWidth + 1).length"
    assert opened.page.evaluate(wide) == 0


@pytest.mark.parametrize(("samples", "most"), [(1000, 1.5e6), (100_000, 15e6)])
def test_large_report(samples, most, runs, open_page):
    path = runs.large(samples)
    assert path.stat().st_size < most
    begin = time.monotonic()
    opened = open_page(path)
    canvas = opened.page.locator("#latent canvas.latent")
    canvas.wait_for()
    canvas.press("+")
    opened.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    seconds = time.monotonic() - begin
    print(f"{samples} samples: {path.stat().st_size / 1e6:.2f} MB, answers a key after {seconds:.2f} s")
    assert seconds < 2
    assert opened.errors == []


def test_hostile_names_are_text(runs, open_page):
    opened = open_page(runs.folder / "hostile/report.html")
    opened.draw_all()
    page = opened.page
    assert page.evaluate("window.hacked") is None
    assert page.locator("body script").count() == 2  # the document and the code
    assert page.locator("img").count() == 0
    text = page.locator("#latent .legend").inner_text()
    for name in ("script", "image", "quotes", "emoji"):
        assert HOSTILE[name] in text
    assert opened.errors == []


def test_policy_forbids_other_scripts_and_the_network(runs, open_page):
    opened = open_page(runs.folder / "gplvm/report.html")
    page = opened.page
    page.evaluate("""() => {
      const script = document.createElement('script');
      script.textContent = 'window.added = 1';
      document.body.append(script);
    }""")
    assert page.evaluate("window.added") is None
    assert any("Content Security Policy" in error for error in opened.errors)
    assert page.evaluate("() => fetch('http://127.0.0.1:9/').then(() => 'sent', () => 'refused')") == "refused"
    assert opened.outside() == []
