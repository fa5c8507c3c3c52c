"""What axe cannot decide is measured: the colour of letters against the pixels that lie around them on the screen."""

from __future__ import annotations

import base64
import json
from typing import Any

TEXTS = """() => {
  const SKIPPED = '[aria-hidden=true], .sr, :disabled, [inert], script, style, title, desc, option, .river-name, .reach-name';
  const found = [];
  const isOnTop = (one, box) => {
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2), drawing = one.closest('svg');
    return hit !== null && (one.contains(hit) || hit.contains(one) || (drawing?.contains(hit) ?? false));
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const one = node.parentElement;
    if (!node.data.trim() || one.closest(SKIPPED)) continue;
    if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const style = getComputedStyle(one), svg = one instanceof SVGElement;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 3 && box.height > 3 && box.left >= 0 && box.top >= 0
      && box.right <= innerWidth && box.bottom <= innerHeight && isOnTop(one, box)).map(({ x, y, width, height }) => [x, y, width, height]);
    if (!boxes.length) continue;
    let seen = 1;
    for (let up = one; up; up = up.parentElement) seen *= Number(getComputedStyle(up).opacity);
    const scale = svg ? one.getScreenCTM().a : 1, size = parseFloat(style.fontSize) * scale;
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    one.dataset.measured = "";
    found.push({ text: node.data.trim().slice(0, 30), where: `${one.tagName}.${one.getAttribute('class') ?? ''}#${one.closest('[id]')?.id}`,
      colour: svg ? style.fill : style.color, seen, least: large || one.matches('abbr.ours') ? 3 : 4.5, boxes });
  }
  return found;
}"""
"""All words that can be seen and are not covered, each with its colour, its boxes on the screen and the bound of AA for its size.

The ringed R of a reconstructed card is a sign (1.4.11: 3). Names of rivers and areas on Bellum's map may lie half below a piece:
they stand in the area's slip and label too, and are not measured there.
"""
HIDE = "[data-measured] { color: transparent !important; -webkit-text-fill-color: transparent !important; fill: transparent !important; }"
MEASURE = """async ([shown, bare, texts]) => {
  const load = async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext('2d');
    pen.drawImage(image, 0, 0);
    return pen.getImageData(0, 0, image.width, image.height);
  };
  const [{ data: a, width: wide }, { data: b }] = [await load(shown), await load(bare)];
  const line = Array.from({ length: 256 }, (_, c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  const light = (r, g, b) => 0.2126 * line[Math.round(r)] + 0.7152 * line[Math.round(g)] + 0.0722 * line[Math.round(b)];
  const told = [];
  for (const one of texts) {
    const [r, g, blue, alpha = 1] = (one.colour.match(/[\\d.]+/g) ?? []).map(Number), strong = alpha * one.seen;
    const blend = (ink, under) => ink * strong + under * (1 - strong);
    const ratios = [];
    for (const [x, y, w, h] of one.boxes) {
      for (let row = Math.floor(y); row < y + h; row += 1) for (let col = Math.floor(x); col < x + w; col += 1) {
        const i = 4 * (row * wide + col), p = b[i], q = b[i + 1], s = b[i + 2];
        if (!(Math.abs(a[i] - p) + Math.abs(a[i + 1] - q) + Math.abs(a[i + 2] - s) > 60)) continue;
        const over = light(blend(r, p), blend(g, q), blend(blue, s)), under = light(p, q, s);
        ratios.push((Math.max(over, under) + 0.05) / (Math.min(over, under) + 0.05));
      }
    }
    ratios.sort((m, n) => m - n);
    if (ratios.length > 8) told.push({ ...one, ratio: ratios[Math.floor(0.25 * ratios.length)], pixels: ratios.length });
  }
  return told;
}"""
"""The contrast of each text with what lies under its letters; a quarter of the pixels may be worse (edges, lines of a drawing)."""


def measured(page: Any, desk: Any) -> list[dict[str, Any]]:
    """Every text on the screen with its contrast. `desk` is an empty page that counts pixels."""
    page.evaluate("() => Promise.all(document.getAnimations().map(one => one.finished.catch(() => {})))")
    texts = page.evaluate(TEXTS)
    shown = page.screenshot(animations="disabled", caret="hide")
    page.add_style_tag(content=HIDE)
    bare = page.screenshot(animations="disabled", caret="hide")
    page.evaluate("""() => {
      document.head.lastElementChild.remove();
      for (const one of document.querySelectorAll('[data-measured]')) delete one.dataset.measured;
    }""")
    pictures = [base64.b64encode(one).decode() for one in (shown, bare)]
    told: list[dict[str, Any]] = desk.evaluate(MEASURE, [*pictures, texts])
    return told


def too_faint(page: Any, desk: Any, name: str) -> tuple[int, list[str]]:
    """How many texts were measured, and those below AA."""
    told = measured(page, desk)
    bad = [
        f"{name}: {one['ratio']:.2f} < {one['least']} {json.dumps(one['text'], ensure_ascii=False)} {one['where']} {one['colour']}"
        for one in told
        if one["ratio"] < one["least"] - 0.05
    ]
    return len(told), bad
