"""The referee's calls: what is said of every kind of event, and that every language says it."""

import re
from string import Formatter

import pytest

import rules
from rules.records.calls import LANGUAGES, catalogue, transcript
from rules.records.lines import parse_line
from rules.records.record import Record
from rules.steps import RecordEntry
from rules.wording import DECIDED, MESSAGES, PLURALS
from tests.rules.records.catalogues import compiled, read, sources

TRANSLATED = [language for language in LANGUAGES if language != "en"]
NAMES = (("Players", "Ann; Bob"),)
CLEARANCE = (
    "snooker/current clearance {scores} cue=0.5,1.5 {extra}blue=0.889,1.7845 pink=0.889,2.67675 black=0.889,3.245"
)
BLACK = "snooker/current clearance {scores} cue=0.5,1.5 black=0.889,3.245"


def said(start, *lines, language="en", tags=NAMES, moved=()):
    """The calls of the last of some lines."""
    record = Record(start if isinstance(start, rules.Frame) else rules.Frame.from_text(start), (), tags)
    for line in lines:
        where = moved if line == lines[-1] else ()
        record = record.with_entry(RecordEntry(parse_line(record.final, line), moved=where))
    return transcript(record, language)[-1].split(maxsplit=2)[2]


def clearance(scores="0:0", extra=""):
    return CLEARANCE.format(scores=scores, extra=extra)


# --- what is said ----------------------------------------------------------------------------------------------------


def test_a_break_is_counted_and_announced_when_it_ends():
    start = rules.Frame.start()
    lines = ["first red; pot red, red; placed 0.8,0.6", "first black; pot black; nominated black", "first red"]
    assert said(start, *lines[:1]) == "Ann: Red, red, break 2."
    assert said(start, *lines[:2]) == "Ann: Black, break 9."
    assert said(start, *lines) == "Ann, 9."
    assert said(start, *lines, "first red") == "Bob: No score."


def test_a_foul_says_why_and_what_follows():
    assert said(clearance(), "first pink; pot pink, cue") == (
        "Ann: Foul and a miss, 6 points: the cue ball was pocketed; pocketed a ball not on; "
        "the cue ball first hit a ball not on. Cue ball in hand."
    )
    assert said(clearance(), "first blue; observed push") == "Ann: Foul, 5 points: made a push stroke."
    start = clearance(extra="brown=0.889,0.737 ")
    behind = ((0, 0.889, 1.84),)  # the blue hides the brown
    assert said(start, "first brown; observed push", moved=behind) == (
        "Ann: Foul, 4 points: made a push stroke. Free ball."
    )


def test_a_break_that_a_foul_ends_is_announced_too():
    assert said(clearance(), "first blue; pot blue", "nothing") == (
        "Ann: Foul and a miss, 6 points: the cue ball missed every object ball. Ann, 5."
    )


def test_a_player_called_like_a_ball_is_named_all_the_same():
    names = (("Players", "Blue; Bob"),)
    assert said(clearance(), "first blue; pot blue", tags=names) == "Blue: Blue, break 5."


def test_decisions_are_sentences():
    foul = [clearance(), "nothing"]
    assert said(*foul, "decide play") == "Bob plays."
    assert said(*foul, "decide play_again") == "Bob asks Ann to play again."
    assert said(*foul, "decide restore") == "Bob has the balls replaced: Ann plays again."
    assert said(*foul, "concede") == "Bob concedes the frame. Frame to Ann, 0–5."
    assert said(*foul, "re_rack") == "The frame is void and is played again."
    assert said(*foul, "forfeit 1") == "The frame is awarded against Bob. Frame to Ann, 18–0."
    assert said(BLACK.format(scores="30:20"), "claim") == "Ann claims the frame. Frame to Ann, 30–20."
    hampered = [rules.Frame.named("colour_to_choose"), "touched blue; observed no_stroke, hampered"]
    assert said(*hampered, "decide keep_ball_on") == "Bob asks Ann to play again at the ball that was on."
    assert said(*hampered, "decide replace_balls") == "Bob has the balls replaced: Ann plays at the next ball on."
    spanish = [clearance().replace("current", "es"), "observed angled"]
    assert said(*spanish, "decide in_hand") == "Bob plays from in hand."


def test_who_concedes_a_re_spotted_black_leaves_it_to_others():
    black = BLACK.format(scores="20:20:20").replace("clearance", "respotted")
    black = black.replace(" cue=", " rule.n_players=3 rule.n_sides=3 cue=")
    names = (("Players", "Ann; Bob; Cy"),)
    assert said(black, "concede", tags=names) == "Ann concedes the frame."
    assert (
        said(black, "concede", "first black", "concede", tags=names) == "Cy concedes the frame. Frame to Bob, 20–20–20."
    )


def test_a_third_miss_is_warned_of_and_loses_the_frame():
    miss, restore = "nothing", "decide restore"
    lines = [clearance(), miss, restore, miss]
    assert said(*lines).endswith("Ann is warned: another miss loses the frame.")
    assert said(*lines, restore, miss).endswith("Frame to Bob, 0–15.")


def test_a_free_ball_is_named():
    start = clearance(extra="free_ball=offered ")
    assert said(start, "first pink; pot pink; nominated pink") == "Ann: Nominated: pink. Pink, break 5."
    options = start.replace("free_ball=offered", "free_ball=offered options=play,free_ball,play_again offender=1")
    assert said(options, "decide free_ball") == "Ann takes the free ball."


def test_touching_is_said_of_a_ball_that_can_be_on():
    start = clearance(extra="brown=0.5,1.5525 ")
    assert said(start, "touching brown") == "Ann: Touching ball. No score."
    not_on = start.replace("brown=0.5,1.5525 ", "").replace("pink=0.889,2.67675", "pink=0.5,1.5525")
    assert said(not_on, "touching pink; first blue") == "Ann: No score."
    colour = rules.Frame.start()
    lines = ["first red; pot red; placed 0.64951,0.737", "touching green; nominated green"]
    assert said(colour, *lines) == "Ann: Touching ball. Nominated: green. Ann, 1."


def test_what_fell_unhit_is_put_back():
    assert said(rules.Frame.start(), "first red; fell red 9; placed 0.8,0.6") == "Ann: No score. Put back: red."
    void = "first red; fell red 9; placed 0.8,0.6; observed would_be_hit"
    assert said(rules.Frame.start(), void) == "Ann: No score. All balls are put back. Cue ball in hand."
    assert "Все шары восстановлены на прежних местах." in said(rules.Frame.start(), void, language="ru")
    assert "Se recolocan todas las bolas." in said(rules.Frame.start(), void, language="es")


def test_the_end_of_a_frame():
    pot = "first black; pot black"
    assert said(BLACK.format(scores="30:20"), pot) == "Ann: Black, break 7. Frame to Ann, 37–20."
    tie = BLACK.format(scores="13:20")
    assert said(tie, pot) == "Ann: Black, break 7. Scores level: the black is re-spotted."
    assert said(tie, pot, "decide player_1_first") == "Bob plays first."
    tied = tie.replace("13:20", "13:20 rule.respot_on_tie=0")
    assert said(tied, pot) == "Ann: Black, break 7. The frame is tied, 20–20."


def test_pairs_are_called_by_both_names_and_players_without_names_by_numbers():
    start = rules.Frame.start(n_players=4)
    names = (("Players", "Ann; Bob; Al; Ben"),)
    assert said(start, "concede", tags=names) == "Ann concedes the frame. Frame to Bob / Ben, 0–0."
    assert said(start, "concede", tags=()) == "Player 1 concedes the frame. Frame to Player 2 / Player 4, 0–0."
    by_another = "first red; placed 0.8,0.6; played_by 3"
    assert said(start, by_another, tags=names) == "Ben: Foul, 4 points: played out of turn."


def test_titles_comments_and_strokes_are_printed_on_demand():
    text = rules.records.text.__doc__.partition("\n\n")[2].partition("\nTags come")[0]
    lines = transcript(Record.from_text(text), strokes=True)
    assert lines[:6] == [
        "Club night",
        "Ann – Bob",
        "",
        "# Ann breaks off.",
        "  1      0–0  Ann: No score.",
        "              first red 11; placed 0.8,0.6; shot V0=4.200 phi=1.430 theta=0.000 a=0.300 b=0.100",
    ]
    record = Record(rules.Frame.start(), (), (("Frame", "3"), ("Source", "not shown")), ("the end", ""))
    assert transcript(record) == ["Frame 3", "Player 1 – Player 2", "", "# the end", "#"]
    assert transcript(record, "es") == ["Ronda 3", "Jugador 1 – Jugador 2", "", "# the end", "#"]


def test_numbers_are_rounded_for_display_only():
    frame = rules.Frame.start()
    entry = RecordEntry(parse_line(frame, "first blue; placed 0.8123456,0.6; gap 0.123456"))
    record = Record(frame, [entry])
    assert transcript(record, strokes=True)[-1].strip() == "first blue; placed 0.812,0.6; gap 0.123"
    assert "0.8123456,0.6" in record.text


# --- languages -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "calls"),
    [
        ("ru", ["Ann: Фол и промах, 5 очков: промах по всем прицельным шарам.",
                "Ann: Фол, 4 очка: пропих. Свободный шар."]),
        ("es", ["Ann: Falta y fallo, 5 puntos: la bola blanca no tocó ninguna bola objetivo.",
                "Ann: Falta, 4 puntos: golpe doble. Bola libre."]),
    ],
)  # fmt: skip
def test_the_terms_are_those_of_the_source_texts(language, calls):
    start = clearance(extra="brown=0.889,0.737 ")
    found = [
        said(clearance(), "nothing", language=language),
        said(start, "first brown; observed push", moved=((0, 0.889, 1.84),), language=language),
    ]
    assert found == calls


def test_an_unknown_language_is_refused():
    with pytest.raises(ValueError, match="language 'de': expected one of en, ru, es"):
        transcript(Record(rules.Frame.start()), "de")


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_is_translated(language):
    (path,) = [path for path in sources() if path.parts[-3] == language]
    header, *messages = read(path)
    assert header[0] == ""
    assert f"Language: {language}\n" in header[2][0]
    singles = {one: translations for one, many, translations in messages if many is None}
    assert sorted(singles) == sorted(MESSAGES)
    plurals = {(one, many): translations for one, many, translations in messages if many is not None}
    assert sorted(plurals) == sorted(PLURALS)
    n_forms = int(re.search(r"nplurals=(\d)", header[2][0])[1])
    for one, translations in [*singles.items(), *((one, forms) for (one, _), forms in plurals.items())]:
        assert len(translations) == (1 if one in singles else n_forms)
        assert all(translations)
        assert all(fields(text) == fields(one) for text in translations), one


def fields(text):
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name)


def test_the_messages_are_all_that_can_be_said():
    assert {*DECIDED} == {*rules.decisions.CHOICES} - {*rules.state.LOT_NAMES}
    assert len(MESSAGES) == len(set(MESSAGES))


def test_the_compiled_catalogues_agree_with_their_sources():
    assert [path.parts[-3] for path in sources()] == sorted(TRANSLATED)
    for path in sources():
        assert path.with_suffix(".mo").read_bytes() == compiled(read(path)), (
            f"{path.name} has changed: python -m tests.rules.records.catalogues"
        )


def test_plural_forms():
    def form(language, n):
        return catalogue(language).ngettext(*PLURALS[0], n).format(n=n, why="x")

    russian = {1: "очко", 2: "очка", 4: "очка", 5: "очков", 11: "очков", 12: "очков", 21: "очко", 22: "очка"}
    assert {n: form("ru", n).split()[2].rstrip(":") for n in russian} == russian
    assert [form("es", n).split()[2].rstrip(":") for n in (1, 2)] == ["punto", "puntos"]
    assert [form("en", n).split()[2].rstrip(":") for n in (1, 2)] == ["point", "points"]
