"""The bell on one's own page, in a real browser whose push service is played by the test."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("cryptography", reason="what covers messages is not here: pip install 'sutler[push]'")

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from sutler.web import push

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
    keys = {"p256dh": push.letters(point), "auth": push.letters(b"sixteen letters.")}
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
