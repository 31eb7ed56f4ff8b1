"""Matches driven by facts that a scorer would tell: pots, misses, fouls, whole clearances. Balls never move."""

import rules

PLACE = (1.1, 0.6)  # m, in the D; the reds on the right are in full view


def told(match, *, first=(), potted=(), nominated=None, option=None, intended="", observed=(), place=PLACE):
    """The match after a stroke; the cue ball is placed when it is in hand."""
    if option is not None:
        match = match.decide(option)
    placed = place if match.frame.cue_in_hand else None
    facts = rules.facts(match.frame, first=first, potted=potted, observed=observed, placed=placed)
    return match.referee(facts, rules.Decision(nominated), intended=intended)


def pot(match, *names, **more):
    """A fair pot of the balls named; a colour on is nominated."""
    nominated = names[0] if match.frame.phase == "colour" else None
    return told(match, first=names[0], potted=names, **{"nominated": nominated, **more})


def miss(match, **more):
    """A fair stroke that pots nothing."""
    first = "black" if match.frame.phase == "colour" else match.frame.ball_on
    return told(match, first=first, nominated=first if match.frame.phase == "colour" else None, **more)


def foul(match, **more):
    """An in-off from a ball on."""
    first = "black" if match.frame.phase == "colour" else match.frame.ball_on
    nominated = first if match.frame.phase == "colour" else None
    return told(match, first=first, potted="cue", nominated=nominated, **more)


def clear(match, until="", colour="black"):
    """All balls potted in order, the same colour after every red, up to the colour `until`."""
    while not match.frame.is_over and match.frame.ball_on != until and not match.frame.options:
        match = pot(match, colour if match.frame.phase == "colour" else match.frame.ball_on)
    return match


def tied(match, **more):
    """A frame potted out to 21-21, the opener potting the black as told in `more`; the lot, or the end, follows."""
    for _ in range(15):
        match = miss(pot(match, "red"))
    for name in ("yellow", "green", "brown", "blue"):
        match = pot(match, name)
    return pot(pot(miss(match), "pink"), "black", **more)
