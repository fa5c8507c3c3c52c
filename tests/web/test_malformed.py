"""Requests as nobody would send them: whatever comes, no route breaks, and answers are words."""

from __future__ import annotations

import os
from typing import Any

import hypothesis
import pytest
import schemathesis
from schemathesis.checks import not_a_server_error

from sutler.web.accounts.mail_links import LinkMailer
from sutler.web.accounts.mailer import SmtpServer
from sutler.web.app import create_app
from sutler.web.events import Created, SeatPlan
from sutler.web.rate_limits import Limits, Rate

APP = create_app("sqlite://", bot_pause=0.0, warm=False)
APP.state.postman = LinkMailer(
    SmtpServer("127.0.0.1", 9, False, "sutler@play.example"), Limits({"house": Rate(0, 60.0)})
)
"""Its mail routes are asked like all others; no letter leaves it."""


async def stays_open(scope: Any, receive: Any, send: Any) -> None:
    """The application without its beginning and end, which the tester would play through at every request."""
    if scope["type"] != "lifespan":
        await APP(scope, receive, send)
        return
    for step in ("startup", "shutdown"):
        await receive()
        await send({"type": f"lifespan.{step}.complete"})


SCHEMA = schemathesis.openapi.from_asgi("/openapi.json", stays_open)
EXAMPLES = int(os.environ.get("SUTLER_EXAMPLES", "20"))


ADDRESSES: dict[str, str] = {}


def address(name: str) -> str:
    """A table that is really there: without one, every request would end at the door."""
    if not ADDRESSES:
        seats = (SeatPlan(kind="me", name="Agnes"), SeatPlan(kind="link", name="Perrin"))
        room = APP.state.house.open_table(Created(game="manor", seed=1, seats=seats))
        ADDRESSES.update(token=room.make_seat_token(0), table=room.id, game="manor")
    return ADDRESSES[name]


@pytest.mark.filterwarnings("ignore")
@SCHEMA.exclude(path_regex="/events$").parametrize()
@hypothesis.settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(hypothesis.HealthCheck)
)
def test_nothing_breaks(case: schemathesis.Case) -> None:
    for name in case.path_parameters:
        if name in ("token", "table", "game"):
            case.path_parameters[name] = address(name)
    case.call_and_validate(checks=[not_a_server_error])
