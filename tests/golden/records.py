"""Frames of note as records, and what the referee calls in them, in every language: reviewed as differences.

python -m tests.golden.records        # writes records/*.txt anew, after a change that is meant to change them

Players and strokes are made up but for the end of the 1998 Masters final, where the comments say what is documented.
Where balls lie matters for misses and free balls only, and is told where it does.
"""

import textwrap
from pathlib import Path

import rules
from rules.notation import BALL_WORDS
from rules.records.calls import LANGUAGES, transcript
from rules.records.lines import parse_line
from rules.records.record import Record, RecordEntry
from rules.records.text import print_records
from simcore.files import write_atomically

FOLDER = Path(__file__).with_name("records")
COLOURS = ("yellow", "green", "brown", "blue", "pink", "black")
SPOTS = rules.Frame.start().table.spots
BEHIND_BLACK = {"cue": (0.889, 3.2985)}  # every ball on the baulk side of the black is hidden
IN_THE_D = "placed 0.8,0.6"
WIDTH = 96  # characters of a comment


def place_text(name, x, y):
    return f"{name.replace(' ', '')}={x!r},{y!r}"


def on_spots(*names):
    """Colours on their spots, as the text of a frame has them."""
    return " ".join(place_text(name, *SPOTS[name]) for name in names)


def made(start, tags, *told, end=""):
    """The record of what is told: lines of words, each alone or with where balls came to rest and a comment."""
    record = Record(start, (), tuple(tags.items()), tuple(textwrap.wrap(end, WIDTH)))
    for item in told:
        words, places, comment = (*item, "")[:3] if isinstance(item, tuple) else (item, {}, "")
        moved = tuple((BALL_WORDS.index(name), *place) for name, place in places.items())
        comments = tuple(textwrap.wrap(comment, WIDTH))
        record = record.with_entry(RecordEntry(parse_line(record.final, words), None, moved, comments))
    return record


def pot(*names, nominated=None):
    balls = ", ".join(names)
    return f"first {names[0]}; pot {balls}" + (f"; nominated {nominated}" if nominated else "")


def clearance_of(reds, colour):
    """The lines that clear a table of numbered reds, each followed by `colour`, and then the colours."""
    for red in reds:
        yield pot(f"red {red}")
        yield pot(colour, nominated=colour)
    yield from (pot(name) for name in COLOURS)


def maximum():
    return made(
        rules.Frame.start(),
        {"Event": "A maximum break", "Players": "Ann; Bob"},
        (f"first red 15; {IN_THE_D}; intended safety", {}, "Ann breaks off and leaves a red to pot."),
        *clearance_of(range(1, 16), "black"),
        end="15 reds, 15 blacks and the colours: 147.",
    )


def beyond_the_maximum():
    return made(
        rules.Frame.start(),
        {"Event": "The greatest break there can be", "Players": "Ann; Bob"},
        (f"first red 15; touched blue; {IN_THE_D}", BEHIND_BLACK, "Ann's sleeve moves the blue, and the cue ball stops "
         "behind the black."),
        "decide free_ball",
        (pot("black", nominated="black"), {}, "The black is played as a red, and is put back."),
        pot("black", nominated="black"),
        *clearance_of(range(1, 16), "black"),
        end="A free ball and a black before the first red: 8 + 147 = 155.",
    )  # fmt: skip


def masters_1998():
    start = f"snooker/current clearance 34:56 cue=0.5,1.0 {on_spots(*COLOURS[2:])}"
    return made(
        rules.Frame.from_text(start),
        {
            "Event": "The Masters, final, 19th and last frame",
            "Site": "Wembley Conference Centre, London",
            "Date": "1998.02.08",
            "Players": "Mark Williams; Stephen Hendry",
        },
        ("first brown; pot brown", {}, "At 9-9 in frames Hendry, ahead 56-34, has missed the brown. Williams clears "
         "the colours: 56-56 (The Irish Times; Wikipedia, 1998 Masters; the Snooker Scene Blog, 2009, has him come "
         "from 0-56). Where the balls lay is not documented: the places here are spots, and two for the cue ball that "
         "are chosen for the record."),
        "first blue; pot blue",
        "first pink; pot pink",
        "first black; pot black",
        ("decide player_1_first", {}, "Hendry plays first (the Blog). How the lot went is not documented."),
        (f"first black; {IN_THE_D}", {}, "Hendry plays the black to a side cushion (the Blog)."),
        ("first black", {}, "Williams tries a double and misses (the Blog)."),
        ("first black", {}, "The black rattles in the jaws of the green pocket and stays out (the Blog)."),
        ("first black", {}, "Several more strokes by both (the Blog). Wikipedia counts seven strokes at this black "
         "before the last, The Irish Times eight with it. A foul would have ended the frame, so each of them met the "
         "black; no more is known of these three."),
        "first black",
        "first black",
        ("first black", {}, "Hendry misses the black to a middle pocket (Wikipedia, the Blog, The Sportsman, 2023)."),
        ("first black; pot black", {}, "Williams pots it and wins the match 10-9 (all four)."),
    )  # fmt: skip


def misses():
    reds = {"red1": (0.5, 2.3), "red2": (1.25, 2.4), "red3": (1.0, 2.9)}
    places = " ".join(place_text(name, *place) for name, place in reds.items())
    start = rules.Frame.from_text(f"snooker/current red 12:20 cue=0.5,1.2 {on_spots(*COLOURS)} {places}")
    return made(
        start,
        {"Event": "Two free balls and three misses", "Players": "Ann; Bob"},
        ("first red 1; touched blue", BEHIND_BLACK, "Ann's hand moves the blue, and Bob is snookered: the first free "
         "ball."),
        "decide free_ball",
        (pot("green", nominated="green"), {"cue": (0.3, 0.9)}, "The green is Bob's red."),
        (pot("blue", nominated="blue"), {"cue": (1.5, 2.0)}),
        ("first red 2; touched black", BEHIND_BLACK, "Bob's cue moves the black, and Ann is snookered: the second free "
         "ball."),
        "decide free_ball",
        (pot("yellow", nominated="yellow"), {"cue": (0.4, 1.0)}),
        (pot("pink", nominated="pink"), {"cue": (0.4, 1.0)}),
        ("first red 1", {"cue": (0.9, 1.2), "red1": (0.45, 2.35)}, "A safety that leaves a red in full view."),
        ("nothing", {"cue": (1.6, 3.0)}, "The first miss."),
        "decide restore",
        ("nothing", {"cue": (1.6, 3.1)}, "The second: the next one will lose the frame."),
        "decide restore",
        ("nothing", {"cue": (1.6, 3.2)}, "The third."),
    )  # fmt: skip


def pairs():
    return made(
        rules.Frame.start(n_players=4),
        {"Event": "Pairs", "Players": "Ann; Bob; Amy; Ben"},
        (f"first red 1; {IN_THE_D}; intended safety", {"cue": (0.4, 0.5)}, "The order is Ann, Bob, Amy, Ben."),
        "first red 2; pot red 2",
        "first black; nominated black",
        ("first red 1; played_by 0", {}, "It is Amy's turn, but Ann plays. Amy's turn is lost."),
        "decide play",
        "first red 5; pot red 5",
        pot("blue", nominated="blue"),
        ("nothing", {}, "Ben misses, and Ann has him play again; the order stays."),
        "decide play_again",
        "first red 6",
        "first red 1; pot red 1",
        pot("pink", nominated="pink"),
        "first red 7; intended safety",
        "concede",
    )


MATCH = (
    [
        f"first red 1; {IN_THE_D}; intended safety",
        pot("red 4"),
        pot("blue", nominated="blue"),
        "first red 5; intended red 5",
        "first red 6; pot cue",
        "decide play",
        f"first red 7; {IN_THE_D}",
        "concede",
    ],
    [f"first red 1; {IN_THE_D}; intended safety", pot("red 9"), "first black; nominated black", "concede"],
    [f"first red 1; {IN_THE_D}; intended safety", "re_rack", f"first red 2; {IN_THE_D}", pot("red 3"), "forfeit 0"],
)


def best_of_three():
    match = rules.Match.start(["Ann", "Bob"], best_of=3)
    for told in MATCH:
        match = match.next_frame() if match.frame.is_over else match
        for words in told:
            match = match.with_line(parse_line(match.frame, words))
    return rules.match_records(match, [("Event", "A match")])


RECORDS = {
    "maximum_147": maximum,
    "free_ball_155": beyond_the_maximum,
    "masters_1998": masters_1998,
    "misses": misses,
    "pairs": pairs,
    "match": best_of_three,
}


def texts():
    """Content of every file by its name."""
    found = {}
    for name, make in RECORDS.items():
        made_now = make()
        records = made_now if isinstance(made_now, tuple) else (made_now,)
        found[f"{name}.txt"] = print_records(records)
        for language in LANGUAGES:
            found[f"{name}.{language}.txt"] = "\n".join(transcript(records, language)) + "\n"
    return found


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, text in texts().items():
        write_atomically(FOLDER / name, lambda path, text=text: path.write_text(text, encoding="utf-8"))


if __name__ == "__main__":
    main()
