"""A scorer's session: lines typed in, the referee's calls out, and every step back and forth again.

    scorer = rules.Scorer.start(["Ann", "Bob"], best_of=3)
    scorer, said = scorer.enter("r")

A scorer is an immutable value: what is refused leaves nothing behind. A line tells a stroke or a decision, in the short
forms of `rules.scoring.shorthand` or in full words; or it is a comment (#), or one of the commands listed in HELP.

The rules of its frames say that positions are not known, so what they decide is told (see `OBSERVED_NAMES`). Comments,
and tags of a record that it goes on with, are kept.

Not part of it: the terminal and files (`rules.scoring.session`); matches of several games, with a start, or of teams
with more players than play a frame.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from rules.match import Match
from rules.notation import BALL_CLAUSES
from rules.prospects import deficit, points_available, snookers_required
from rules.records.calls import ENGLISH, Voice, calls, catalogue, counts, standing_calls
from rules.records.lines import FORFEIT_MATCH, parse_line, print_line
from rules.records.match import frame_records, moments_of
from rules.records.record import MATCH_TAGS, Record, Tags
from rules.records.text import COMMENT
from rules.ruleset import ball_names
from rules.scoring.shorthand import DECISIONS, SEEN, told_as_fair, told_as_foul, write_out
from rules.state import CLAIM, LOT_NAMES, OBSERVED_NAMES
from rules.statistics import player_statistics
from rules.steps import BETWEEN_NAMES, Step, StrokeStep, checked_comments

NAMES = ("A", "B", "C", "D")  # of players who are not named
HELP = """\
Balls: r y gr br bl p bk, w (cue ball), or their names.
  r            red potted                        foul         no ball hit
  r r w        two reds and the cue ball         foul bl      blue hit first, a ball not on
  bk           black potted                      foul on bk   no ball hit, black nominated
  -            ball on hit, nothing potted       touch bl     blue touched, no stroke made
  - bk         the same, black nominated         free gr      the free ball taken, green potted
  in           in-off the ball on                # words      a comment
After the balls: miss, full (a full ball was on), snookered (the next player is), behind (the free ball), push, twice,
feet, jump, hampered (when he touched a ball), safe (meant so), try bk (black meant); or after a semicolon full words:
  - ; pot blue; touched pink
Decisions: play, free, again, back (balls replaced), hand, concede, claim, rerack; NAME (the lot's, of who begins);
keep (again at what was on), replace (back, but at the next ball on): when a hampered player, at a colour or a free
ball, touched a ball;
play bl, free bl: with the stroke in one line; by the referee: forfeit NAME (of the frame), forfeit_match NAME
Commands: help, undo, redo, score, decisions, frame, order NAME; NAME (of the next frame)"""


TYPED_SEEN = {name: word for word, name in SEEN.items()}
EXPECTED_FOUL = "say what the foul was: in (in-off), push, touch, foul (nothing hit), or foul and the wrong ball hit"
RED_FORGOTTEN = "(red was on; undo if a red was left out)"


class Typed(NamedTuple):
    """A line that was typed, and the match after it."""

    text: str  # "" of the beginning
    match: Match
    comments: tuple[str, ...] = ()  # on what follows


@dataclass(frozen=True, slots=True)
class Scorer:
    """One moment of a session; build it with `start` or `resume`, the constructor trusts."""

    moments: tuple[Typed, ...]  # from the beginning, those that were undone included
    at: int = 0  # number of the present one
    language: str = ENGLISH  # of the referee's calls
    tags: tuple[Tags, ...] = ((),)  # what else is kept of each frame; those that follow have the last

    @classmethod
    def start(
        cls,
        players: Sequence[str] = (),
        *,
        best_of: int = 1,
        pairs: bool = False,
        aggregate: bool = False,
        handicap: Sequence[int] = (),
        tags: Tags = (),
        edition: str = "current",
        language: str = ENGLISH,
    ) -> "Scorer":
        """The session of a match about to begin.

        players: names in the order of play, the one who breaks first; default A and B (and C, D). best_of: frames, odd
        unless aggregate. aggregate: all frames are played, and their points added. handicap: points that each side has
        before every frame, default none. tags: what else is kept of the match, such as ("Event", "Club night").
        pairs: four play, the first and third together. Without it more than two play each for himself. language: "en",
        "ru" or "es", of the referee's calls.
        Raises ValueError for names, numbers, an edition and a language that do not fit.
        """
        catalogue(language)
        names = tuple(players) or NAMES[: 4 if pairs else 2]
        if pairs and len(names) != 4:
            raise ValueError(f"players: {len(names)} names, expected 4 for pairs")
        n_sides = 2 if pairs else len(names)
        if len(handicap) not in (0, n_sides):
            points = "; ".join(map(str, handicap))
            raise ValueError(f"handicap '{points}': expected points of each of the {n_sides} sides")
        sides = [names[side::n_sides] for side in range(n_sides)]
        match = Match.start(
            sides,
            best_of=best_of,
            aggregate=aggregate,
            order=names,
            edition=edition,
            n_players=len(names),
            handicap=tuple(handicap),
            positions_known=0,
        )
        frame_records(match, (tags,))  # refuses names and tags that could not be written
        return cls((Typed("", match),), language=language, tags=(tags,))

    @classmethod
    def resume(cls, records: Sequence[Record], *, language: str = ENGLISH) -> "Scorer":
        """The session that goes on where the records of a match end; each of their lines can be undone.

        Raises ValueError as `rules.match_of` and `start`, and for frames whose positions are known: they were not
        scored by hand.
        """
        catalogue(language)
        frames = moments_of(records)
        if records[0].start.ruleset.positions_known:
            raise ValueError("the frames have positions (rule positions_known): a match scored by hand has none")
        moments = [Typed("", *frames[0][0])]
        for record, (begun, *after) in zip(records, frames, strict=True):
            lines = [print_line(entry.line) for entry in record.entries]
            moments += [Typed(line, *moment) for line, moment in zip(lines, after, strict=True)]
            if not after:
                moments[-1] = Typed(moments[-1].text, *begun)
        tags = tuple(tuple(tag for tag in record.tags if tag[0] not in MATCH_TAGS) for record in records)
        return cls(tuple(moments), len(moments) - 1, language, tags)

    @property
    def match(self) -> Match:
        """The match; its frame is the last one until a line begins the next."""
        return self.moments[self.at].match

    @property
    def records(self) -> tuple[Record, ...]:
        """The match as `rules.write_records` saves it, comments on what follows at the end."""
        return frame_records(self.match, self.tags, self.moments[self.at].comments)

    @property
    def prompt(self) -> str:
        """Who is to play or decide, before a line is typed."""
        if self.match.is_over:
            return "match over> "
        match = with_next_frame(self.match)
        return f"{'lot' if _lot(match) else match.striker}{'?' if match.frame.options else ''}> "

    def enter(self, text: str) -> tuple["Scorer", list[str]]:
        """The session after a typed line, and what is said to it, line by line.

        Raises ValueError that says what is not understood, or why the referee or the rules refuse it; TypeError for
        other things than text.
        """
        if not isinstance(text, str):
            raise TypeError(f"text = {text!r:.80}: expected str, a line such as 'r'")
        text = text.strip()
        word, _, rest = text.partition(" ")
        if not text:
            return self, []
        if text.startswith(COMMENT):
            return self._commented(text), []
        if word.lower() == "order":
            return self._ordered(text, rest)
        command = "help" if word.lower() in ("help", "?") else text.lower()
        if command in COMMANDS:
            return COMMANDS[command](self)
        if word.lower() in COMMANDS:
            raise ValueError(f"{text!r}: {word} stands alone; type it again for another line")
        return self._told(text)

    def _after(self, text: str, match: Match, comments: tuple[str, ...] = ()) -> "Scorer":
        moments = (*self.moments[: self.at + 1], Typed(text, match, comments))
        return replace(self, moments=moments, at=self.at + 1)

    def _commented(self, text: str) -> "Scorer":
        """After a comment on what follows."""
        comments = checked_comments((*self.moments[self.at].comments, text.removeprefix(COMMENT).strip()))
        return self._after(text, with_next_frame(self.match), comments)

    def _told(self, text: str) -> tuple["Scorer", list[str]]:
        """After a stroke or a decision, with the decision that a stroke tells."""
        match, comments = self.match, self.moments[self.at].comments
        if match.is_over:
            raise ValueError("the match is over; undo takes the last line back")
        if not text.lower().startswith(FORFEIT_MATCH):  # the match may be lost without another frame
            match = with_next_frame(match)
        said = []
        for words in write_out(match.frame, text, match.players):
            match, comments = _judged(match, words, comments), ()
            said += [f"  {words}", " ".join(calls(voice(match, self.language), match.history[-1]))]
        said += _doubts(text, match.history[-1])
        after = self._after(text, match)
        return after, [*said, *after.standing(self.match)]

    def _ordered(self, text: str, names: str) -> tuple["Scorer", list[str]]:
        """After the sides have chosen the order of play of the next frame (3.14.2)."""
        if not self.match.frame.is_over or self.match.is_over:
            raise ValueError("order: it is chosen between frames")
        order = [name.strip() for name in names.split(BETWEEN_NAMES)]
        after = self._after(text, self.match.next_frame(order), self.moments[self.at].comments)
        return after, after.standing()

    def undo(self) -> tuple["Scorer", list[str]]:
        """The session before the last line; ValueError if there is none."""
        if self.at == 0:
            raise ValueError("there is nothing to undo")
        before = replace(self, at=self.at - 1)
        return before, [f"undone: {self._ruled()}", *before.standing()]

    def redo(self) -> tuple["Scorer", list[str]]:
        """The session with the line that was undone last; ValueError if there is none."""
        if self.at == len(self.moments) - 1:
            raise ValueError("there is nothing to redo")
        after = replace(self, at=self.at + 1)
        return after, [f"redone: {after._ruled()}", *after.standing()]

    def _ruled(self) -> str:
        """The line last typed, with what the referee said to it."""
        typed, earlier = self.moments[self.at], self.moments[self.at - 1]
        steps = typed.match.history[len(earlier.match.history) :]
        said = " ".join(word for step in steps for word in calls(voice(typed.match, self.language), step))
        return f"{typed.text} ({said})" if said else typed.text

    def board(self) -> list[str]:
        """Frames, points, and what is left to each side."""
        match = self.match
        form = f"{'aggregate of' if match.form.aggregate else 'best of'} {match.form.best_of}"
        frame = f"Frame {match.number + 1}, {form}, frames {counts(match.standing.frames)}"
        if match.frame.is_over:
            return [frame, *self.standing(), *([] if match.is_over else _results(match))]
        sides = [_side_line(match, side) for side in range(match.form.n_sides)]
        return [frame, *sides, _to_come(match), *_snookers(match)]

    def decisions(self) -> list[str]:
        """What may be decided now, as it is typed."""
        return [f"decisions: {', '.join(decision_words(with_next_frame(self.match))) or 'none'}"]

    def standing(self, before: Match | None = None) -> list[str]:
        """The score and what is to come: the next stroke, decision or frame, or the result of the match.

        before: the match of which the snookers needed were told, so that they are told again only if there are others.
        """
        match = self.match
        if not match.frame.is_over:
            is_known = before is not None and _needed(before) == _needed(match)
            snookers = [] if is_known else _snookers(match)
            score = " – ".join(f"{name} {n}" for name, n in zip(_side_names(match), match.frame.scores, strict=True))
            return [f"{score}. {_to_come(match)}", *snookers]
        said = " ".join(standing_calls(voice(match, self.language), match))
        if match.is_over:
            return [said, *_results(match)]
        following = with_next_frame(match)
        return [said, f"Frame {following.number + 1}: {following.striker} to break off."]


def _judged(match: Match, words: str, comments: tuple[str, ...]) -> Match:
    """The match after a line of full words; what is refused is said in the words that are typed."""
    try:
        return match.with_line(parse_line(match.frame, words), comments)
    except ValueError as error:
        message = str(error)
        for name, word in (*((field, word) for word, field in BALL_CLAUSES.items()), *TYPED_SEEN.items()):
            message = message.replace(name, word) if "_" in name else message
        raise ValueError(message) from None


def _doubts(text: str, step: Step) -> list[str]:
    """What is to be asked of a stroke that the line tells; ValueError for what cannot be said of it."""
    if not isinstance(step, StrokeStep):
        return []
    state, observed = step.before.state, step.told.facts.observed
    seen = [name for i, name in enumerate(OBSERVED_NAMES) if observed >> i & 1]
    if not step.ruling.foul:
        if told_as_foul(text):
            on = step.told.nominated or step.before.ball_on
            raise ValueError(f"{on} is on, so that is no foul: {EXPECTED_FOUL}")
        if "next_snookered" in seen:
            typed = TYPED_SEEN["next_snookered"]
            raise ValueError(f"{typed}: said of a foul only, and the stroke was none; {EXPECTED_FOUL}")
    if "full_ball_on" in seen and state.misses and not state.full_ball:
        raise ValueError(f"{TYPED_SEEN['full_ball_on']} counts only with the first miss of a row, which had none")
    is_red_forgotten = step.before.phase == "red" and not state.free_ball and step.ruling.foul and told_as_fair(text)
    hit = ball_names(step.told.facts.first_contacts)
    return [RED_FORGOTTEN] if is_red_forgotten and any(not name.startswith("red") for name in hit) else []


def with_next_frame(match: Match) -> Match:
    """The match with the next frame set up if the last is over and there is one; itself otherwise."""
    return match.next_frame() if match.frame.is_over and not match.is_over else match


def voice(match: Match, language: str) -> Voice:
    """The voice that calls the strokes of the frame on the table."""
    return Voice(catalogue(language), match.players, match.form.n_sides)


def decision_words(match: Match) -> list[str]:
    """The decisions open, as they are typed."""
    typed = {name: word for word, name in DECISIONS.items()}
    typed |= dict(zip(LOT_NAMES, match.players, strict=False))
    return [typed[name] for name in match.frame.decisions]


def _to_come(match: Match) -> str:
    frame, name = match.frame, match.striker
    if frame.options:
        words = decision_words(match)[: len(frame.options)]
        return f"{'Lot' if _lot(match) else name}: {', '.join(words)}?"
    ball = "free ball" if frame.state.free_ball else f"{frame.ball_on} on"
    claim = f"; {CLAIM} is open" if CLAIM in frame.decisions else ""
    return f"{name}: {ball}, break {frame.state.break_points}, {points_available(frame)} left{claim}."


def _needed(match: Match) -> list[int]:
    """The snookers that each side needs."""
    return [snookers_required(match.frame, side) or 0 for side in range(match.form.n_sides)]


def _snookers(match: Match) -> list[str]:
    """Who cannot draw level by potting alone."""
    said = []
    for side, (name, n) in enumerate(zip(_side_names(match), _needed(match), strict=True)):
        if n:
            snookers = f"{n} snooker{'s' * (n > 1)}"
            available = points_available(match.frame, side)
            said.append(f"{name} needs {snookers}: {deficit(match.frame, side)} behind, {available} available.")
    return said


def _results(match: Match) -> list[str]:
    """The points of each frame that is over, and the highest breaks."""
    names = " – ".join(_side_names(match))
    breaks = [f"{name} {found.highest_break}" for name, found in player_statistics(match).items()]
    points = ", ".join(counts(result.scores) for result in match.results)
    return [f"Points of the frames, {names}: {points}", f"Highest breaks: {', '.join(breaks)}"]


def _side_names(match: Match) -> list[str]:
    return [" / ".join(side) for side in match.sides]


def _side_line(match: Match, side: int) -> str:
    frame, name = match.frame, _side_names(match)[side]
    behind = deficit(frame, side)
    words = f"{behind} behind" if behind > 0 else f"{-behind} ahead" if behind < 0 else "level"
    return f"  {name}: {frame.scores[side]}, {words}, {points_available(frame, side)} available"


def _lot(match: Match) -> bool:
    return bool(set(match.frame.options) & set(LOT_NAMES))


COMMANDS: dict[str, Callable[[Scorer], tuple[Scorer, list[str]]]] = {
    "help": lambda scorer: (scorer, HELP.splitlines()),
    "undo": Scorer.undo,
    "redo": Scorer.redo,
    "score": lambda scorer: (scorer, scorer.board()),
    "decisions": lambda scorer: (scorer, scorer.decisions()),
    "frame": lambda scorer: (scorer, [with_next_frame(scorer.match).frame.text]),
}
