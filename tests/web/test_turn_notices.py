"""The bell on one's own page, in a real browser whose push service is played by the test."""

from __future__ import annotations

import json
import urllib.parse
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from sutler.web.accounts import web_push

pytestmark = pytest.mark.browser
SERVICE = """(() => {
  let made = null;
  window.asked = [];
  const endpoint = "https://push.example/page";
  const one = { endpoint, toJSON: () => ({ endpoint, keys: KEYS }), unsubscribe: async () => { made = null; } };
  Notification.requestPermission = async () => { window.asked.push("permission"); return "granted"; };
  PushManager.prototype.getSubscription = async () => made;
  PushManager.prototype.subscribe = async (how) => {
    window.asked.push(how.userVisibleOnly, how.applicationServerKey.length);
    made = one;
    return one;
  };
})()"""


def test_a_click_asks_the_browser_and_another_leaves_it(visit: Callable[..., Any]) -> None:
    """Nothing is asked before the click; then the house is told, and told again that it is over."""
    page = visit()
    point = (
        ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    )
    keys = {"p256dh": web_push.encode_base64url(point), "auth": web_push.encode_base64url(b"sixteen letters.")}
    page.add_init_script(SERVICE.replace("KEYS", json.dumps(keys)))
    page.goto("/")
    page.goto("/me")
    button = page.locator("[data-bell] button")
    button.wait_for()
    assert page.evaluate("window.asked") == []
    with page.expect_response(lambda answer: answer.url.endswith("/me/bell")) as told:
        button.click()
    assert told.value.status == 204, "the house took it"
    page.locator('[data-bell="on"]').wait_for()
    assert page.evaluate("window.asked") == ["permission", True, 65]
    assert button.inner_text() == "Tell me no more"
    with page.expect_response(lambda answer: answer.url.endswith("/me/bell/off")) as told:
        button.click()
    assert told.value.status == 204
    page.locator('[data-bell="off"]').wait_for()


def deliver(page: Any, house: str, told: dict[str, str]) -> None:
    """Hand a message to the house's worker, as the browser does when a push service brings one."""
    line = page.context.new_cdp_session(page)
    seen: list[str] = []
    line.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: seen.extend(one["registrationId"] for one in told["registrations"] if not one["isDeleted"]),
    )
    line.send("ServiceWorker.enable")
    while not seen:
        page.evaluate("() => new Promise(requestAnimationFrame)")
    line.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": house, "registrationId": seen[-1], "data": json.dumps(told)},
    )


SHOWN = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
  .map((one) => [one.title, one.body, one.tag])"""

SHOWN_AT_LAST = f"""async (count) => {{
  for (;;) {{
    const shown = await ({SHOWN})();
    if (shown.length === count) return shown.sort();
    await new Promise((later) => setTimeout(later, 20));
  }}
}}"""
"""What is shown once it is so many. (The driver's own wait takes a promise for a yes, whatever it will say.)"""

NOBODY_LOOKS = """async () => {
  const looked = async () =>
    (await self.clients.matchAll({ type: "window", includeUncontrolled: true })).some((page) => page.focused);
  while (await looked()) await new Promise((later) => setTimeout(later, 20));
}"""
"""Ends when the worker itself, which decides by it, knows of no page that is looked at."""

HANDLED = """async (told) => {
  const event = new PushEvent("push", { data: JSON.stringify(told) }), waits = [];
  event.waitUntil = (one) => waits.push(one);
  self.dispatchEvent(event);
  await Promise.all(waits);
}"""
"""A message handled to its end."""


def test_the_worker_tells_whoever_does_not_look(visit: Callable[..., Any], house: str) -> None:
    """The very script, in Chromium's own worker: a message is shown, one for a table; whoever looks is left alone; a click leads on."""
    page = visit()
    page.context.grant_permissions(["notifications"], origin=house)
    page.goto("/")
    say = "It is your turn."
    with page.context.expect_event("serviceworker") as begun:
        page.evaluate(
            "where => navigator.serviceWorker.register(where).then(() => navigator.serviceWorker.ready)",
            f"/bell-worker.js?say={urllib.parse.quote(say)}",
        )
    worker = begun.value
    page.evaluate("navigator.serviceWorker.ready")
    worker.evaluate(HANDLED, {"game": "Medieval Manor", "tag": "table-0"})
    assert page.evaluate(SHOWN) == [], "the page is looked at"
    away = page.context.new_page()
    page.context.new_cdp_session(page).send("Emulation.setFocusEmulationEnabled", {"enabled": False})
    away.bring_to_front()
    worker.evaluate(NOBODY_LOOKS)
    deliver(page, house, {"game": "Medieval Manor", "tag": "table-1"})
    deliver(page, house, {"game": "Medieval Manor", "tag": "table-1"})
    deliver(page, house, {"game": "WARFARM", "tag": "table-2"})
    assert page.evaluate(SHOWN_AT_LAST, 2) == [["Medieval Manor", say, "table-1"], ["WARFARM", say, "table-2"]]
    away.close()
    opened = worker.evaluate("""async () => {
      const [one] = await self.registration.getNotifications();
      let led = null;
      self.clients.openWindow = async (where) => { led = where; };
      self.dispatchEvent(new NotificationEvent("notificationclick", { notification: one }));
      return led;
    }""")
    assert opened == f"{house}/me"
    assert len(page.evaluate(SHOWN_AT_LAST, 1)) == 1


def test_the_house_can_be_put_among_ones_apps(visit: Callable[..., Any], house: str) -> None:
    """The manifest is one that the browser takes: a name, a beginning, an icon that is there."""
    page = visit()
    page.goto("/")
    line = page.context.new_cdp_session(page)
    told = line.send("Page.getAppManifest")
    assert told["errors"] == []
    manifest = json.loads(told["data"])
    assert manifest["name"] == "Sutler"
    assert urllib.parse.urljoin(told["url"], manifest["start_url"]) == f"{house}/", "below a path it begins there"
    for icon in manifest["icons"]:
        answer = page.request.get(urllib.parse.urljoin(told["url"], icon["src"]))
        assert answer.ok
        assert answer.headers["content-type"].startswith(icon["type"])
