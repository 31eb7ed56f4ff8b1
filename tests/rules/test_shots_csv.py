"""rules.shots_csv: a user's candidates, or an error that says where to look."""

import math

import numpy as np
import pytest

from rules.frame import Frame
from rules.shots_csv import read_strokes


@pytest.fixture
def file(tmp_path):
    def write(text, encoding="utf-8"):
        path = tmp_path / "shots.csv"
        path.write_bytes(text.encode(encoding))
        return path

    return write


def test_all_columns(file):
    strokes = read_strokes(
        file("b,V0,phi,theta,a,nominated,place_x,place_y\n0.1,2,1.5,0.05,-0.2,black,0.8,0.6\n0,3,-1,0,0,,,\n")
    )
    assert len(strokes) == 2
    shots = strokes.shots
    assert shots.V0.tolist() == [2.0, 3.0]
    assert shots.phi.tolist() == [1.5, -1.0]
    assert shots.theta.tolist() == [0.05, 0.0]
    assert shots.a.tolist() == [-0.2, 0.0]
    assert shots.b.tolist() == [0.1, 0.0]
    assert [stroke.nomination for stroke in strokes] == ["black", None]
    assert np.array_equal(strokes.cue_ball, [[0.8, 0.6], [math.nan, math.nan]], equal_nan=True)


def test_degrees_bom_windows_line_ends_spaces_and_blank_lines(file):
    strokes = read_strokes(file("V0, phi_deg, theta_deg\r\n2.5, 90, 30\r\n\r\n1, -45.5, 0\r\n", encoding="utf-8-sig"))
    assert np.allclose(strokes.shots.phi, np.radians([90, -45.5]), rtol=1e-15)
    assert np.allclose(strokes.shots.theta, np.radians([30, 0]), rtol=1e-15)
    assert strokes.shots.b.tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("V0,phi\n", "no shots"),
        ("V0;phi\n1;2\n", "commas"),
        ("V0,phi,spin\n1,2,3\n", "'spin'"),
        ("V0,phi,V0\n1,2,3\n", "'V0'.*twice"),
        ("V0,phi,phi_deg\n1,2,3\n", "phi or phi_deg, not both"),
        ("phi\n1\n", "V0.*missing"),
        ("V0,a\n1,0\n", "phi.*missing"),
        ("V0,phi,place_x\n1,1,1\n", "place_x and place_y"),
        ("V0,phi\n1,1\n1,x\n", "line 3, column phi: 'x'"),
        ("V0,phi\n1,\n", "line 2, column phi: ''"),
        ("V0,phi\n1,nan\n", "line 2, column phi: 'nan'"),
        ("V0,phi\n1,1,5\n", "line 2: more cells"),
        ("V0,phi\n1\n", "line 2: no cell for column phi"),
        ("V0,phi,place_x,place_y\n1,1,0.8,\n", "line 2: place_x and place_y"),
        ("V0,phi\n1,90\n", "degrees"),
        ("V0,phi\n1,1\n-1,1\n", "line 3: column V0 = -1.0"),
        ("V0,phi\n\n101,1\n", "line 3: column V0 = 101.0: expected metres per second, at most 100"),
        ("V0,phi\n1,1\n1,90\n", "line 3: column phi = 90.0.*phi_deg"),
        ("V0,phi,theta_deg\n1,1,95\n", "line 2: column theta_deg"),
        ("V0,phi,a,b\n1,1,0,0\n1,1,0.9,0.9\n", "line 3: column a = 0.9 and column b = 0.9"),
        ("V0,phi,nominated\n1,1,\n1,1,purple\n", "line 3: column nominated.*purple"),
        ('V0,phi\n1,1\n"1,1\n2,2\n', "line 3: .*quote"),
        ('"V0,phi\n', "line 1: .*quote"),
    ],
)
def test_errors_say_where_and_what(file, text, words):
    path = file(text)
    with pytest.raises(ValueError, match=words) as caught:
        read_strokes(path)
    assert str(path) in str(caught.value)


def test_other_encodings_are_named(file):
    with pytest.raises(ValueError, match="UTF-8"):
        read_strokes(file("V0,phi,nominated\n1,1,schwärz\n", encoding="latin-1"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("V0,phi\n1,1\n", "line 2: the cue ball is in hand.*columns place_x, place_y"),
        ("V0,phi,place_x,place_y\n1,1,0.889,0.6\n1,1,0.1,0.1\n", "line 3: place_x, place_y.*outside the D"),
    ],
)
def test_placements_are_checked_in_the_frame(file, text, words):
    with pytest.raises(ValueError, match=words):
        read_strokes(file(text), Frame.start())


def test_a_nomination_out_of_place_is_told_with_its_line(file):
    with pytest.raises(ValueError, match=r"line 3: .*black"):
        read_strokes(file("V0,phi,nominated\n1,1,\n1,1,black\n"), Frame.named("last_red"))
