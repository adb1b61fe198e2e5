"""Accessibility, printing, size, hostile names and the content security policy."""
import io
import json
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


@pytest.mark.parametrize("family", FAMILIES)
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
    assert opened.page.evaluate(CUT_ON_PAPER) == []


# A4 without its margins, in CSS pixels. What is higher than a page is cut: charts never, a panel only if it has a table of more
# rows than a page has, which is cut between its rows, or if it has many charts, or one of full width for each dimension (#columns),
# which is cut between them.
CUT_ON_PAPER = """() => {
  const page = (297 - 20) / 25.4 * 96, out = [];
  for (const section of document.querySelectorAll('section.panel')) {
    const long = section.querySelector('.body > .table, .predicted tr') || section.querySelectorAll('.charts > .chart').length > 9 || section.id === 'columns';
    if (!long && section.getBoundingClientRect().height > page) out.push(`${section.id} is higher than a page`);
    if (!long && getComputedStyle(section).breakInside !== 'avoid') out.push(`${section.id} may break`);
    for (const chart of section.querySelectorAll('.chart')) {
      if (chart.getBoundingClientRect().height > page) out.push(`a chart of ${section.id} is higher than a page`);
      if (getComputedStyle(chart).breakInside !== 'avoid') out.push(`a chart of ${section.id} may break`);
    }
    for (const row of section.querySelectorAll('.body tr'))
      if (getComputedStyle(row).breakInside !== 'avoid') out.push(`a row of ${section.id} may break`);
  }
  return out;
}"""


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
    # Processor time: a machine that does other things at the same time makes no report slower.
    busy = opened.busy_seconds()
    print(f"{samples} samples: {path.stat().st_size / 1e6:.2f} MB, answers a key after {time.monotonic() - begin:.2f} s, {busy:.2f} s busy")
    assert 0 < busy < 2
    assert opened.errors == []


def test_report_of_an_earlier_version(runs, open_page):
    opened = open_page(runs.earlier())
    opened.draw_all()
    ids = set(opened.page.locator("section.panel").evaluate_all("all => all.map(section => section.id)"))
    assert {"latent", "decoder", "explained", "heldout", "objective", "provenance"} <= ids
    assert not {"entries", "calibration", "inputs-read"} & ids
    assert opened.page.locator("footer h2", has_text="Notes").count() == 0
    assert opened.errors == []


def test_report_takes_little_of_the_time_of_a_fit(runs):
    runs.bochner("demo", "--out", "demo")
    events = [json.loads(line) for line in (runs.folder / "demo/log.jsonl").read_text(encoding="utf-8").splitlines()]
    seconds = {e["event"]: e["seconds"] for e in events if e["event"] in ("fit", "report")}
    print(f"fit {seconds['fit']:.1f} s, report {seconds['report']:.2f} s")
    assert seconds["report"] < 0.05 * seconds["fit"]


def test_hostile_names_are_text(runs, open_page):
    opened = open_page(runs.folder / "hostile/report.html")
    opened.draw_all()
    page = opened.page
    assert page.evaluate("window.hacked") is None
    assert page.locator("body script").count() == 2  # the document and the code
    assert page.locator("img").count() == 0
    text = page.locator("#latent .legend").inner_text()
    for name in ("script", "image", "quotes", "emoji", "right to left"):
        assert HOSTILE[name] in text
    assert HOSTILE["long"] not in text and HOSTILE["long"][:200] + "..." in text
    # What a name turns to the left stays within its own place: the numbers behind it keep their order.
    assert page.locator("#latent .legend li button").first.evaluate("b => getComputedStyle(b).unicodeBidi") == "isolate"
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
