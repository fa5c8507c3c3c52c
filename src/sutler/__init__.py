"""Five tabletop games about feeding people while a war goes on, from one set of rules."""
