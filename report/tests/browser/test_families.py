"""The report of every model family: all panels drawn, nothing cut, no error, no request, wide and narrow, light and dark."""
import pytest
from conftest import FAMILIES

PANELS = {
    "gplvm": "latent decoder explained columns responses heldout absent entries calibration map density kernel gram objective provenance settings inputs-read",
    "mcmc": "latent path decoder explained columns responses heldout entries calibration map density kernel chains rhat provenance settings",
    "regression": "heldout predicted residuals calibration inputs dependence harmonics objective provenance settings",
    "classification": "heldout confusion reliability inputs dependence objective provenance settings",
    "kernel_pca": "latent decoder scree crossview gram provenance settings",
    "forecast": "forecast backtest provenance settings",
    "pictures": "latent decoder",
    "labels": "latent decoder",
    "hostile": "latent decoder",
    "applied": "latent provenance settings inputs-read",
    "predicted": "new-rows rows provenance settings inputs-read",
    "compare": "verdicts scores latent-2 latent-3 alignment different same",
}

# A panel has content if it has a chart with marks in it, a canvas with more than one colour (a matrix may
# have one, for all entries alike), or a table with rows.
EMPTY_PANELS = """() => [...document.querySelectorAll('section.panel')].filter(section => {
  const marks = section.querySelectorAll('svg.chart path.curve, svg.chart rect, svg.chart path.dots, svg.chart circle').length;
  const rows = section.querySelectorAll('.body tbody tr').length;
  const painted = [...section.querySelectorAll('canvas.chart')].some(canvas => {
    const pixels = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    return canvas.classList.contains('raster') ? pixels.every(p => p !== 0) : pixels.some(p => p !== pixels[0]);
  });
  return !marks && !rows && !painted;
}).map(section => section.id)"""

# Parts of the page that reach over its right edge, or out of their panel, and texts of a chart that its edge cuts.
CUT_PARTS = """() => {
  const out = [];
  if (document.documentElement.scrollWidth > window.innerWidth + 1) out.push(`the page is ${document.documentElement.scrollWidth} wide`);
  for (const section of document.querySelectorAll('section.panel')) {
    const edge = section.getBoundingClientRect().right;
    for (const part of section.querySelectorAll('svg.chart, canvas.chart, .controls, .legend'))
      if (part.getBoundingClientRect().right > edge + 1) out.push(`${section.id}: ${part.tagName} beyond the panel`);
    for (const text of section.querySelectorAll('svg.chart text')) {
      const box = text.getBoundingClientRect(), chart = text.closest('svg').getBoundingClientRect();
      if (box.left < chart.left - 2 || box.right > chart.right + 2 || box.top < chart.top - 2 || box.bottom > chart.bottom + 2)
        out.push(`${section.id}: "${text.textContent}" is cut`);
    }
  }
  return out;
}"""


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("family", [*FAMILIES, "compare"])
def test_every_panel_has_content(family, width, runs, open_page, pictures):
    path = runs.folder / "compare.html" if family == "compare" else runs.folder / family / "report.html"
    opened = open_page(path, width)
    opened.draw_all()
    page = opened.page
    ids = set(page.locator("section.panel").evaluate_all("all => all.map(section => section.id)"))
    assert set(PANELS[family].split()) <= ids
    page.screenshot(path=pictures / f"{family}-{width}.png", full_page=True)
    assert page.evaluate(EMPTY_PANELS) == []
    assert page.evaluate(CUT_PARTS) == []
    assert page.locator(".panel .missing").count() == 0
    assert page.locator("footer h2", has_text="Notes").count() == 0
    assert all(text.strip() for text in page.locator(".panel .how").all_inner_texts())
    assert opened.errors == []
    assert opened.outside() == []


@pytest.mark.parametrize("family", ["gplvm", "regression"])
def test_dark_page(family, runs, open_page, pictures):
    opened = open_page(runs.folder / family / "report.html", color_scheme="dark")
    opened.draw_all()
    background = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == "rgb(18, 22, 27)"
    opened.page.screenshot(path=pictures / f"{family}-dark.png", full_page=True)
    opened.page.get_by_role("button", name="Change between light and dark").click()
    assert opened.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(245, 246, 248)"
    assert opened.errors == []
