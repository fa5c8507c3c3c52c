"""Measure in a real browser how long a person waits: from starting the server to a playable table, and from a click to the new picture.

    python studies/click_latency.py [--cold] [--clicks 60] [--game bellum] [--slow 4]

The target is 100 ms for a click. `--game`: another game than Medieval Manor, one person against easy bots (Six Winters alone). `--cold`:
with an empty cache, as on the very first start; rules then run as plain Python. `--slow 4`: the browser at a quarter of its speed, as on a
cheap telephone. The machine's load average is printed too, since a busy machine measures its own queue. Needs Playwright and Chromium.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from typing import Any

SEATS_BY_GAME = {"manor": 2, "bellum": 4, "threeyears": 3, "warfarm": 3, "sixwinters": 1}
CLICK_AND_MEASURE_JS = """() => new Promise(done => {
  const all = [...document.querySelectorAll('#choices .choice[data-action]')];
  const one = all.find(x => /^(keep|on |place|convert|use|feed|pay)/.test(x.dataset.action))
    ?? all.find(x => /^(done|pass|decline|cancel)/.test(x.dataset.action)) ?? all[0];
  const table = document.getElementById('table'), before = table.dataset.decision, begun = performance.now();
  const drawn = () => {
    if (document.getElementById('table').dataset.decision === before) return void setTimeout(drawn, 1);
    requestAnimationFrame(() => {
      const after = new MessageChannel();
      after.port1.onmessage = () => done(performance.now() - begun);
      after.port2.postMessage(0);
    });
  };
  one.click();
  drawn();
})"""


def main() -> int:
    """Start the server and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--clicks", type=int, default=60)
    parser.add_argument("--game", default="manor", choices=SEATS_BY_GAME)
    parser.add_argument("--slow", type=float, default=1, help="factor by which the browser is slowed down")
    parser.add_argument("--port", type=int, default=8123)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        env = os.environ | {"XDG_DATA_HOME": folder}
        if asked.cold:
            env["SUTLER_CACHE"] = os.path.join(folder, "cache")
        begun = time.perf_counter()
        command = [sys.executable, "-m", "sutler.cli", "serve", "--port", str(asked.port)]
        server = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL)
        try:
            measure(f"http://127.0.0.1:{asked.port}/", begun, asked)
        finally:
            server.terminate()
            server.wait()
    return 0


def measure(address: str, begun: float, asked: argparse.Namespace) -> None:
    """Print the times of each stage. begun: when the server was started, by time.perf_counter."""
    from playwright.sync_api import sync_playwright

    def say(what: str) -> None:
        print(f"{what}: {time.perf_counter() - begun:.1f} s")

    while True:
        try:
            urllib.request.urlopen(address)
            break
        except urllib.error.URLError:
            time.sleep(0.02)
    say("the lobby answers")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu", "--disable-quic"]
        )
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.context.add_cookies(
            [{"name": "sutler_pace", "value": "once", "url": address}]
        )  # other players' actions are shown without animation
        page.goto(f"{address}?game={asked.game}")
        page.wait_for_selector("html[data-drawn=yes]")
        say("the lobby is drawn (the browser's own start included)")
        sit_down(page, address, asked.game)
        page.wait_for_selector("body[data-ready=yes]")
        page.wait_for_selector("#choices .choice[data-action]", state="attached")
        say("the table can be played")
        if not asked.cold:
            time.sleep(8)  # compiled rules are loaded in the background; clicks are measured after that
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": asked.slow})
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        clicks(page, session, asked.clicks)
        browser.close()


def sit_down(page: Any, address: str, game: str) -> None:
    """Open a table: Medieval Manor by clicks in the lobby, two people at this screen; another game against bots."""
    if game == "manor":
        page.locator("#place-2 input[value=none]").check(force=True)
        page.locator("#place-1 input[value=me]").check(force=True)
        page.click("text=Open the table")
        page.wait_for_url(re.compile("/seat/"))
        return
    form = {"game": game, **{f"seat_{i}": "easy" if i else "me" for i in range(SEATS_BY_GAME[game])}}
    answer = page.request.post(f"{address}tables", form=form, max_redirects=0, timeout=120_000)
    page.goto(address + answer.headers["location"].removeprefix("/"))


def clicks(page: Any, session: Any, n: int) -> None:
    """Click n times; print the latency, and the processor time of the page itself, which the machine's load does not change."""
    times: list[float] = []
    worked = dict.fromkeys(PAGE_WORK_METRICS, 0.0)
    while len(times) < n and not page.locator("#reckoning").count():
        before = work(session)
        times.append(page.evaluate(CLICK_AND_MEASURE_JS))
        after = work(session)
        worked = {one: had + after[one] - before[one] for one, had in worked.items()}
        page.wait_for_selector("#choices .choice[data-action], #reckoning", state="attached", timeout=120_000)
    times.sort()
    nine = times[int(0.9 * (len(times) - 1))]
    print(
        f"click to picture, {len(times)} clicks: median {statistics.median(times):.0f} ms, 9 of 10 within {nine:.0f} ms"
    )
    parts = ", ".join(f"{name} {worked[one] / len(times):.0f}" for one, name in PAGE_WORK_METRICS.items())
    print(f"the page's own work, ms a click: {parts}; the slowest: {times[-1]:.0f} ms; load {os.getloadavg()[0]:.1f}")


PAGE_WORK_METRICS = {
    "TaskDuration": "in all",
    "ScriptDuration": "scripts",
    "RecalcStyleDuration": "styles",
    "LayoutDuration": "layout",
}


def work(session: Any) -> dict[str, float]:
    """Processor time of the page's main thread so far, in ms, by kind of work."""
    told = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return {one: float(told[one]) * 1000 for one in PAGE_WORK_METRICS}


if __name__ == "__main__":
    sys.exit(main())
