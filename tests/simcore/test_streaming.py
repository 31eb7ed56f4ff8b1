"""A stream of chunks: the bits of one batch wherever it is cut, one chunk at a time, bad rows named by their number."""

import tracemalloc
from itertools import count, islice

import numpy as np
import pytest

import simcore
from simcore import Motion, Noise, Shots, SimulationError, Status
from simcore.shots import spans
from tests.simcore.test_simulate import FIELDS, TWO, mixed_batch, same_bits

SHOT = Shots(2.0, np.pi / 2.0, b=0.2)
RESULTS = [name for name in FIELDS if name != "start_positions"]  # a view of what was given
NAN_CUE = np.array([[np.nan, np.nan], [0.5, 0.5]])


def joined(results, axis=0):
    """The chunks' results as one."""
    parts = list(results)
    return simcore.ShotResults(**{f: np.concatenate([getattr(p, f) for p in parts], axis=axis) for f in FIELDS})


class TestSameBits:
    @pytest.mark.parametrize("size", [1, 7, 64, 95, 96, 97, 10_000])
    def test_shots_each_from_its_layout(self, size):
        layouts, shots = mixed_batch()
        parts = list(simcore.stream(simcore.in_chunks(layouts, shots, size)))
        assert [len(part) for part in parts] == [last - first for first, last in spans(96, size)]
        assert same_bits(joined(parts), simcore.simulate(layouts, shots)) == []

    @pytest.mark.parametrize(
        ("layout_axes", "shot_axes"), [((), (10,)), ((10,), ()), ((10, 1), (3,)), ((3,), (10, 3)), ((1,), (10,))]
    )
    def test_axes_that_broadcast(self, layout_axes, shot_axes):
        layouts = np.broadcast_to(TWO, (*layout_axes, 2, 2)) + 0.01 * np.arange(np.prod(layout_axes)).reshape(
            (*layout_axes, 1, 1)
        )
        shots = Shots(np.linspace(1.0, 3.0, int(np.prod(shot_axes))).reshape(shot_axes), 1.5)
        whole = simcore.simulate(layouts, shots)
        assert same_bits(joined(simcore.stream(simcore.in_chunks(layouts, shots, 4))), whole) == []

    def test_motions(self):
        motion = Motion(np.random.default_rng(1).uniform(-2.0, 2.0, (11, 2, 2)))
        streamed = joined(simcore.stream(simcore.in_chunks(TWO, motion, 4)))
        assert same_bits(streamed, simcore.simulate(TWO, motion=motion)) == []

    def test_a_single_shot(self):
        (results,) = simcore.stream(simcore.in_chunks(TWO, SHOT))
        assert same_bits(results, simcore.simulate(TWO, SHOT)) == []

    def test_no_shots(self):
        assert list(simcore.stream(simcore.in_chunks(TWO, Shots(np.zeros(0), 1.0)))) == []

    @pytest.mark.parametrize("size", [1, 13, 50, 51])
    def test_samples_of_noise_go_on_from_chunk_to_chunk(self, size):
        noise, shots = Noise.preset("amateur"), Shots([1.0, 2.0], 1.5)
        noisy, _ = noise.apply(shots, noise.draws(7, 0, 50, 3))
        chunks = list(noise.chunks(shots, 50, 7, size, 3))
        assert [chunk.shape for chunk in chunks] == [(2, last - first) for first, last in spans(50, size)]
        streamed = joined(simcore.stream((TWO, chunk) for chunk in chunks), axis=1)
        assert same_bits(streamed, simcore.simulate(TWO, noisy)) == []
        assert len(np.unique(streamed.positions[..., 0, 0])) == 100

    def test_keywords_are_those_of_simulate(self):
        options = {"stop": "first_contact", "log_events": True, "radius": 0.025, "mass": 0.15, "threads": 1}
        table = simcore.Table.closed(1.778, 3.569)
        physics = simcore.Physics.snooker(mu_slide=0.3)
        (one,) = simcore.stream([(TWO, SHOT)], table=table, physics=physics, **options)
        other = simcore.simulate(TWO, SHOT, table=table, physics=physics, **options)
        assert same_bits(one, other) == []
        assert one.events.t.tobytes() == other.events.t.tobytes()
        assert one.status == Status.FIRST_CONTACT


class TestOneAtATime:
    def test_the_source_is_not_read_ahead(self):
        asked = []

        def source():
            for k in count():
                asked.append(k)
                yield TWO, SHOT

        results = simcore.stream(source())
        assert asked == []
        for k in range(3):
            next(results)
            assert asked == list(range(k + 1))

    def test_an_endless_source(self):
        assert len(list(islice(simcore.stream((TWO, SHOT) for _ in count()), 5))) == 5

    def test_samples_are_drawn_when_they_are_asked_for(self):
        chunks = Noise.preset("pro").chunks(SHOT, 2**60, 1)
        assert next(chunks).shape == next(chunks).shape == (2**13,)

    def test_a_file_on_disk_is_read_chunk_by_chunk(self, tmp_path):
        layouts, shots = mixed_batch()
        np.save(tmp_path / "layouts.npy", layouts)
        kept = np.load(tmp_path / "layouts.npy", mmap_mode="r")
        assert all(np.shares_memory(part, kept) for part, _ in simcore.in_chunks(kept, shots, 10))
        streamed = joined(simcore.stream(simcore.in_chunks(kept, shots, 10)))
        assert same_bits(streamed, simcore.simulate(layouts, shots)) == []

    def test_memory_does_not_grow_with_the_number_of_shots(self):
        """By less than two bytes a shot; lists of Python's that keep freed objects for later make up what there is."""
        size = 1024

        def peak(n_chunks):
            tracemalloc.start()
            try:
                chunks = Noise.preset("pro").chunks(SHOT, n_chunks * size, 1, size)
                for _ in simcore.stream(((TWO, some) for some in chunks), threads=1):
                    pass
                return tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()

        peak(4)
        few, many = peak(4), peak(100)
        assert few > 200 * size  # NumPy's arrays are among what is counted
        assert many - few < 2 * 96 * size

    def test_one_batch_takes_its_results_and_64_bytes_a_shot(self):
        """Those are the strokes and the numbers of their layouts, as the kernel reads them."""

        def beside(n):
            shots = Shots(np.full(n, 0.5), 1.0)
            tracemalloc.start()
            try:
                results = simcore.simulate(TWO, shots, threads=1)
                return tracemalloc.get_traced_memory()[1] - sum(getattr(results, name).nbytes for name in RESULTS)
            finally:
                tracemalloc.stop()

        beside(256)
        assert beside(16_384) - beside(2048) < 64 * (16_384 - 2048)

    def test_a_slice_of_a_batch_costs_its_own_size(self):
        shots = Shots(np.ones(200_000), 1.0)
        tracemalloc.start()
        try:
            assert shots[7:17] == Shots(np.ones(10), 1.0)
            assert tracemalloc.get_traced_memory()[1] < 100_000
        finally:
            tracemalloc.stop()


class TestErrors:
    @pytest.mark.parametrize(
        ("bad", "message"),
        [
            (NAN_CUE, r"positions\[17\]: ball 0 is absent"),
            ([[0.5, 0.5], [0.52, 0.5]], r"positions\[17\]: ball 0 and ball 1 overlap"),
            ([[0.5, 0.5], [0.5, np.inf]], r"positions\[17\]: ball 1 at .* is not finite"),
        ],
    )
    def test_a_bad_row_is_named_by_its_number_in_the_stream(self, bad, message):
        layouts = np.array([TWO] * 20)
        layouts[17] = bad
        results = simcore.stream(simcore.in_chunks(layouts, SHOT, 8))
        assert [len(next(results)), len(next(results))] == [8, 8]
        with pytest.raises(ValueError, match=message) as raised:
            next(results)
        assert raised.value.__notes__ == ["in chunk 2 of the stream, whose first row is row 16"]

    def test_a_shot_that_does_not_finish_is_named_if_asked(self):
        speeds = np.zeros(20)
        speeds[17] = 3.0
        chunks = [(TWO, part) for _, part in simcore.in_chunks(TWO, Shots(speeds, 1.5), 8)]
        unchecked = joined(simcore.stream(chunks, max_events=1))
        assert (unchecked.status == Status.EVENT_CAP).nonzero()[0].tolist() == [17]
        with pytest.raises(SimulationError, match=r"1 of 4 shots did not finish: first shot\[17\], EVENT_CAP"):
            list(simcore.stream(chunks, max_events=1, check=True))

    @pytest.mark.parametrize(
        ("keyword", "message"),
        [
            ({"stop": "soon"}, "stop = 'soon'"),
            ({"threads": 10_000}, "threads = 10000"),
            ({"threads": 0}, "threads = 0"),
            ({"max_events": 0}, "max_events = 0"),
        ],
    )
    def test_keywords_are_refused_at_the_call(self, keyword, message):
        with pytest.raises(ValueError, match=message):
            simcore.stream(iter([]), **keyword)

    @pytest.mark.parametrize("chunk", [SHOT, (TWO,), (TWO, 1.0), [TWO, SHOT], (SHOT, TWO)])
    def test_what_is_no_chunk_is_refused(self, chunk):
        with pytest.raises(TypeError, match="expected a pair of positions and") as raised:
            list(simcore.stream([(TWO, SHOT), chunk]))
        assert raised.value.__notes__ == ["in chunk 1 of the stream, whose first row is row 1"]

    def test_an_error_of_the_source_is_the_readers(self):
        def source():
            yield TWO, SHOT
            raise KeyError("mine")

        results = simcore.stream(source())
        next(results)
        with pytest.raises(KeyError, match="mine") as raised:
            next(results)
        assert not hasattr(raised.value, "__notes__")

    @pytest.mark.parametrize("size", [0, -1, 1.5, True])
    def test_size_of_chunks(self, size):
        with pytest.raises(ValueError, match=f"size = {size}: expected"):
            simcore.in_chunks(TWO, SHOT, size)
        with pytest.raises(ValueError, match=f"size = {size}: expected"):
            Noise.preset("pro").chunks(SHOT, 1, 1, size)

    @pytest.mark.parametrize(("samples", "seed", "stream"), [(-1, 1, 0), (1, -1, 0), (1, 1, -1)])
    def test_numbers_of_noise_are_refused_at_the_call(self, samples, seed, stream):
        with pytest.raises(ValueError, match="= -1: expected an integer"):
            Noise.preset("pro").chunks(SHOT, samples, seed, 8, stream)

    def test_axes_that_do_not_broadcast(self):
        with pytest.raises(ValueError, match=r"shot axes \(3,\), the shots \(2,\)"):
            simcore.in_chunks(np.array([TWO] * 3), Shots([1.0, 2.0], 1.0))
