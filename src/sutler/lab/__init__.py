"""The lab: playing many games, recording them, answering a designer's questions about them, training bots, and measuring speed."""

from __future__ import annotations

from sutler.bots import Bot
from sutler.core.play.game import Game


def warm(game: Game) -> None:
    """Compile the code that the lab's games call, or load it from the cache."""
    from sutler.bots.kit.repeatable_bots import build_repeatable_bots
    from sutler.lab.play.event_logs import play_and_log
    from sutler.lab.play.experiment_recording import Recorder
    from sutler.lab.play.export import warm_export
    from sutler.lab.play.rollouts import is_state_valid
    from sutler.lab.play.simulate import simulate

    simulate(game, ["random"], games=1, threads=1)
    Recorder(game, build_repeatable_bots(["random"] * game.min_seats, game)).record_span(seed=1, first=0, end=1)
    warm_export(game)
    play_and_log(game, ["random"], games=1)
    is_state_valid(game.definition, game.box, game.new(seed=1).state)


def warm_own(game: Game) -> None:
    """Compile the lab's code for bots and studies that have templates of their own, or load it from the cache."""
    from sutler.bots import list_bots_with_own_rules
    from sutler.lab.bench.speed import compile_bench_code
    from sutler.lab.play.event_logs import play_and_log
    from sutler.lab.play.export import warm_export
    from sutler.lab.play.simulate import simulate
    from sutler.lab.studies.hidden_information import compile_hidden_information_code
    from sutler.lab.training.league import compile_training_code

    for bot in list_bots_with_own_rules(game):
        bots: list[str | Bot] = [bot, *["random"] * (game.min_seats - 1)]
        simulate(game, bots, games=1, threads=1)
        play_and_log(game, bots, games=1)
        warm_export(game, bot)
    compile_bench_code(game)
    compile_hidden_information_code(game)
    if game.definition.reasons is not None:
        compile_training_code(game)
