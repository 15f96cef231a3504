"""Games as PettingZoo environments: one seat at a time says one word (AEC), with action masks."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from rivalry_engine import catalog
from rivalry_engine.chance import seed_from_text, seed_of_match
from rivalry_engine.error import RivalryError
from rivalry_engine.extra import install
from rivalry_engine.game import Game
from rivalry_environments.encoder import encoder
from rivalry_environments.layout import Layout, Vector
from rivalry_environments.play import OVER, Play
from rivalry_environments.reward import checked, final

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError(f"PettingZoo is missing ({error}); {install('pettingzoo')}") from error

Seen = dict[str, Any]
"""``observation``, the vector; ``action_mask``, 1 for each action that is allowed now."""


def env(game: str | Game, **options: Any) -> AECEnv[str, Seen, int]:
    """A game as an environment that says when it is used in the wrong order; else see ``GameEnv``."""
    return wrappers.OrderEnforcingWrapper(GameEnv(game, **options))


class GameEnv(AECEnv[str, Seen, int]):  # type: ignore[misc]  # it has no types
    """One game at one number of seats and options; agents are ``seat_0``, ``seat_1``, …"""

    def __init__(
        self,
        game: str | Game,
        *,
        reward: str = "rank",
        render_mode: str | None = None,
        choices: int = 128,
        parts: int = 128,
        **options: Any,
    ) -> None:
        """``game`` is a game's name with its ``options``, ``seats`` among them, or a game made already.

        ``choices`` and ``parts`` are the numbers of words for a game that has no encoder.  Raises UnknownGameError,
        OptionError or RivalryError.
        """
        super().__init__()
        if render_mode not in (None, "ansi", "human"):
            raise RivalryError(f"render mode {render_mode!r}: expected ansi, human or None")
        if isinstance(game, str):
            game = catalog.game(game, options)
        elif options:
            raise RivalryError(f"{game.name} is made already; its options cannot be given again")
        self.encoder = encoder(game, choices=choices, parts=parts)
        self.metadata = {"name": f"rivalry_{game.name}", "render_modes": ["ansi", "human"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.reward = checked(reward)
        self.possible_agents = [f"seat_{seat}" for seat in range(self.encoder.game.seats)]
        self.agents: list[str] = []
        layout = self.encoder.layout
        size = len(self.encoder.words.texts)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(layout.least(), layout.most(), dtype=np.float32),
                    "action_mask": spaces.Box(0, 1, (size,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(size) for agent in self.possible_agents}
        seats = self.encoder.game.seats
        self.state_space = spaces.Box(np.tile(layout.least(), seats), np.tile(layout.most(), seats), dtype=np.float32)
        self._seed: bytes | None = None
        self._matches = 0
        self._play: Play | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def layout(self) -> Layout:
        """What stands where in ``observation``: an iterable of slices, and by name where a slice stands."""
        return self.encoder.layout

    def words(self) -> tuple[str, ...]:
        """What each action means."""
        return self.encoder.words.texts

    @property
    def play(self) -> Play:
        """The match: its prompt, its record, and the words that say a bot's answer."""
        if self._play is None:
            raise RivalryError("no match has begun: call reset first")
        return self._play

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a match.

        ``seed`` is the seed of ``rivalry match --seed``; ``options={"seed": TEXT}`` takes any other, as text or 0x and
        hex.  Without one the matches go on from the last seed, the k-th of them with its bytes followed by /k, or from
        a random one.
        """
        text = (options or {}).get("seed")
        if text is not None and not isinstance(text, str):
            raise RivalryError(f"seed {text!r}: expected text, or 0x and hex in a text")
        if text is not None or seed is not None:
            self._seed = seed_from_text(str(seed) if text is None else text)
            self._matches = 0
        elif self._seed is None:
            self._seed = secrets.token_bytes(32)
        else:
            self._matches += 1
        of_match = seed_of_match(self._seed, self._matches) if self._matches else self._seed
        self._play = Play(self.encoder, of_match)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def step(self, action: int) -> None:
        """The agent selected says a word; raises IllegalActionError that says what is allowed."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.play.say(int(action))
        self._go_on()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Seen:
        """What ``agent`` sees now; it is allowed nothing while another is asked."""
        seat = self.possible_agents.index(agent)
        return {"observation": self.play.vector(seat), "action_mask": self.play.mask(seat)}

    def state(self) -> Vector:
        """What all seats together see, one vector after another: for critics that train on more than a seat sees."""
        return np.concatenate([self.play.vector(seat) for seat in range(self.encoder.game.seats)])

    def render(self) -> str | None:
        """What the agent selected sees, as text: returned with ``ansi``, printed with ``human``."""
        if self.render_mode is None:
            return None
        seat = self.possible_agents.index(self.agent_selection)
        text = self.encoder.game.view(self.play.state.observe(seat))
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """There is nothing to release."""

    def __str__(self) -> str:
        return f"rivalry {self.encoder.game.name}"

    def _go_on(self) -> None:
        play = self.play
        if play.seat != OVER:
            self.agent_selection = self.possible_agents[play.seat]
            return
        scores, ranks = play.state.scores(), play.state.ranks()
        rewards = final(self.reward, self.encoder.game, scores, ranks)
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = rewards[seat]
            self.terminations[agent] = True
            self.infos[agent] = {"score": scores[seat], "rank": ranks[seat], "scores": scores, "ranks": ranks}
        self.agent_selection = self.possible_agents[0]
