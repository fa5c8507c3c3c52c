"""States in one array keep the type that machine code knows."""

from __future__ import annotations

import numpy as np

import sutler
from sutler.lab.play.simulate import concatenate_states


def test_states_in_line_are_of_their_own_type():
    """Arrays and single states; what NumPy would make of them is another type, which the rules' machine code refuses."""
    pos = sutler.load("manor").new(seats=3, seed=1)
    two = np.zeros(2, pos.state.dtype)
    two["to_act"] = [4, 5]
    line = concatenate_states(two, pos.state, two[:1])
    assert line.dtype == pos.state.dtype
    assert line.dtype.type is pos.state.dtype.type
    assert line["to_act"].tolist() == [4, 5, int(pos.state.to_act), 4]
    assert np.concatenate([two, two]).dtype != pos.state.dtype
