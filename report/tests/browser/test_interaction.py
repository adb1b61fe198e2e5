"""What a reader does: point, zoom, lasso, colour, drag, look for a sample, take a file."""
import hashlib

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


def test_hover_names_what_is_under_the_pointer(runs, open_page):
    opened = open_page(runs.folder / "regression/report.html")
    page = opened.page
    box = box_of(page.locator("#inputs rect.bar").first)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert page.locator("#tip").inner_text().startswith("area")


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
