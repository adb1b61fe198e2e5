"""What a reader does: point, zoom, lasso, colour, drag, look for a sample, take a file."""
import hashlib
from xml.etree import ElementTree

from conftest import FAMILIES

PICTURE = "() => document.querySelector('canvas.latent').toDataURL()"


def picture(page) -> str:
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return hashlib.sha256(page.evaluate(PICTURE).encode()).hexdigest()


def box_of(locator) -> dict:
    locator.scroll_into_view_if_needed()
    return locator.bounding_box()


def drag(page, points: list[tuple[float, float]]):
    page.mouse.move(*points[0])
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*point, steps=4)
    page.mouse.up()


def test_zoom_pan_reset_and_keys(runs, open_page):
    opened = open_page(runs.folder / "gplvm/report.html")
    page, canvas = opened.page, opened.page.locator("#latent canvas.latent")
    box = box_of(canvas)
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    first = picture(page)
    page.mouse.move(*middle)
    page.mouse.wheel(0, -600)
    near = picture(page)
    assert near != first
    drag(page, [middle, (middle[0] + 80, middle[1] + 30)])
    assert picture(page) not in (first, near)
    page.get_by_role("button", name="Reset view").click()
    assert picture(page) == first
    canvas.focus()
    page.keyboard.press("+")
    assert picture(page) != first
    page.keyboard.press("0")
    assert picture(page) == first
    assert opened.errors == []


def test_lasso_names_samples_and_columns(runs, open_page, pictures):
    opened = open_page(runs.folder / "gplvm/report.html")
    page = opened.page
    box = box_of(page.locator("#latent canvas.latent"))
    page.get_by_role("button", name="Lasso", exact=True).click()
    left, right, top, bottom = box["x"] + 60, box["x"] + box["width"] / 2, box["y"] + 12, box["y"] + box["height"] - 45
    drag(page, [(left, top), (right, top), (right, bottom), (left, bottom)])
    heading = page.locator("#latent .selection h3")
    heading.wait_for()
    chosen = int(heading.inner_text().split(" of ")[0])
    assert 10 < chosen < 150
    assert page.locator("#latent .selection svg.chart rect.bar").count() > 3
    page.screenshot(path=pictures / "lasso.png", full_page=False)
    with page.expect_download() as download:
        page.get_by_role("button", name="Samples as CSV").click()
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert lines[0] == "id" and len(lines) == chosen + 1
    page.get_by_role("button", name="Clear the selection").click()
    assert page.locator("#latent .selection h3").count() == 0
    assert opened.errors == []


def test_colour_dimensions_and_hidden_classes(runs, open_page):
    opened = open_page(runs.folder / "gplvm/report.html")
    page = opened.page
    seen = [picture(page)]
    page.locator("#latent .legend button").first.click()
    seen.append(picture(page))
    page.get_by_label("Colour").select_option(label="age")
    assert page.locator("#latent .scale").count() == 1
    seen.append(picture(page))
    page.get_by_label("Up").select_option(label="z3")
    seen.append(picture(page))
    page.get_by_label("Find sample").fill("patient 12")
    seen.append(picture(page))
    assert len(set(seen)) == len(seen)
    assert opened.errors == []


def test_three_dimensions_turn(runs, open_page, pictures):
    opened = open_page(runs.folder / "gplvm/report.html")
    page, canvas = opened.page, opened.page.locator("#latent canvas.latent")
    flat = picture(page)
    page.get_by_label("Deep").select_option(label="z3")
    box = box_of(canvas)
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    first = picture(page)
    drag(page, [middle, (middle[0] + 120, middle[1] + 40)])
    turned = picture(page)
    assert len({flat, first, turned}) == 3
    canvas.screenshot(path=pictures / "turned.png")
    canvas.press("ArrowLeft")
    assert picture(page) != turned
    page.get_by_label("Deep").select_option(label="none")
    assert picture(page) == flat
    assert opened.errors == []


def test_hover_on_latents_names_the_sample(runs, open_page):
    opened = open_page(runs.folder / "gplvm/report.html")
    page = opened.page
    box = box_of(page.locator("#latent canvas.latent"))
    tip, names = page.locator("#tip"), set()
    for i in range(40):  # across the middle of the cloud
        page.mouse.move(box["x"] + box["width"] * (0.1 + 0.02 * i), box["y"] + box["height"] * (0.3 + 0.01 * i))
        if tip.count() and tip.is_visible():
            names.add(tip.inner_text())
    assert names and all(name.startswith("patient ") and "z1: " in name for name in names)
    page.mouse.move(5, 5)
    assert not tip.is_visible()


def test_path_over_time_lies_in_the_plane(runs, open_page):
    opened = open_page(runs.folder / "mcmc/report.html")
    page = opened.page
    with_path = picture(page)
    page.get_by_label("Path over time").uncheck()
    assert picture(page) != with_path
    assert opened.errors == []


def test_labels_are_one_colour(runs, open_page):
    opened = open_page(runs.folder / "labels/report.html")
    options = opened.page.locator("#latent .controls select").last.locator("option").all_inner_texts()
    assert "type" in options
    assert not {"T cell", "B cell"} & set(options)
    assert opened.page.locator("#latent .legend").inner_text().split("\n") == ["T cell", "B cell", "none"]


def test_columns_of_the_decoder_are_found(runs, open_page):
    opened = open_page(runs.folder / "gplvm/report.html")
    page, rows = opened.page, opened.page.locator("#decoder .predicted tbody tr:visible")
    page.locator("#decoder").scroll_into_view_if_needed()
    assert rows.count() == 24  # of 36
    page.get_by_label("Find column").fill("gene 7")
    assert rows.all_inner_texts()[0].startswith("gene 7")
    assert rows.count() == 1
    before = rows.first.inner_text()
    page.locator("#decoder input[type=range]").first.press("End")
    assert rows.first.inner_text() != before
    assert opened.errors == []


def test_every_picture_and_table_can_be_taken(runs, open_page):
    """All panels of all kinds: CSV with a head and rows, SVG that is XML and has a size, PNG that is one."""
    kinds = set()
    for family in FAMILIES:
        opened = open_page(runs.folder / family / "report.html")
        opened.draw_all()
        for panel in opened.page.locator("section.panel").all():
            marks = panel.evaluate("s => [...s.querySelectorAll('.body .chart')].map(c => c.className.baseVal ?? c.className).sort().join() || 'table'")
            if marks in kinds:
                continue
            kinds.add(marks)
            for button in panel.locator(".panel-head .tools button").all():
                with opened.page.expect_download() as download:
                    button.click()
                name, content = download.value.suggested_filename, download.value.path().read_bytes()
                if name.endswith(".csv"):
                    assert content.count(b"\n") > 1, name
                elif name.endswith(".svg"):
                    root = ElementTree.fromstring(content)
                    assert float(root.get("width")) > 100 and float(root.get("height")) > 40, name
                    assert len(root) > 1, name
                else:
                    assert content.startswith(b"\x89PNG\r\n") and len(content) > 2000, name
        assert opened.errors == []
    assert len(kinds) > 4


def test_hover_names_what_is_under_the_pointer(runs, open_page):
    opened = open_page(runs.folder / "regression/report.html")
    page = opened.page
    box = box_of(page.locator("#inputs rect.bar").first)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert page.locator("#tip").inner_text().startswith(("area", "distance"))


def test_decoder_follows_the_cross(runs, open_page):
    for family in ("gplvm", "kernel_pca", "pictures"):
        opened = open_page(runs.folder / family / "report.html")
        page, plane = opened.page, opened.page.locator("#decoder svg.plane")
        box = box_of(plane)
        read = "() => document.querySelector('#decoder .predicted').innerText"
        shown = "() => document.querySelector('#decoder canvas.picture')?.toDataURL() ?? ''"
        before, pixels = page.evaluate(read), page.evaluate(shown)
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        drag(page, [middle, (middle[0] + 90, middle[1] - 60)])
        after = page.evaluate(read)
        assert after != before
        assert (page.evaluate(shown) != pixels) == (family == "pictures")
        page.locator("#decoder input[type=range]").first.press("End")
        assert page.evaluate(read) != after
        assert opened.errors == []
