"""An attack: a name, and a function that carries it out in an arena."""

from collections.abc import Callable
from dataclasses import dataclass

from arena import Arena
from verdict import Verdict


@dataclass
class Attack:
    family: str
    name: str
    run: Callable[[Arena], Verdict]
