"""The documented address of `SeatView`, the knowledge of one seat, which a bot decides from."""

from sutler.core.play.position import SeatView as SeatView
