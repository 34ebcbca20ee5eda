"""Tables of pyarrow, pandas, Polars and DuckDB: the same kind comes out, with the same answers."""

import csv
import io
import warnings

import dicec
import duckdb
import pandas
import polars
import pyarrow
import pytest

RULES = {"hit": "1d20 + [Attack] >= [AC]", "damage": "[Damage] + 1"}
ROWS = {
    "Name": ["Orc", "Elf", "Owl"],
    "Attack": [5, 6, 5],
    "AC": [12, 18, 12],
    "Damage": ["1d12", "1d8+2", "3"],
}
HIT = [0.7, 0.45, 0.7]
MEAN = [7.5, 7.5, 4.0]
QUANTILES = ["damage_p5", "damage_p50", "damage_p95"]
ADDED = ["hit_p", "damage_mean", "damage_sd", *QUANTILES]


@pytest.fixture
def table():
    return pyarrow.table(ROWS)


def check(columns):
    """Columns by name, as lists."""
    assert list(columns) == [*ROWS, *ADDED]
    assert {name: columns[name] for name in ROWS} == ROWS
    assert columns["hit_p"] == HIT
    assert columns["damage_mean"] == MEAN
    assert [columns[name][2] for name in QUANTILES] == [4.0] * 3


def test_pyarrow(table):
    done = dicec.batch(table, RULES)
    assert isinstance(done, pyarrow.Table)
    check(done.to_pydict())
    # Its own columns are not even copied.
    mine, theirs = (of["Attack"].chunk(0).buffers()[1].address for of in (done, table))
    assert mine == theirs


def test_a_record_batch(table):
    (batch,) = table.to_batches()
    done = dicec.batch(batch, RULES)
    assert isinstance(done, pyarrow.RecordBatch)
    check(done.to_pydict())


def test_a_reader_is_read_as_its_result_is(table):
    read = []

    def batches():
        for number in range(5):
            read.append(number)
            yield from table.to_batches()

    reader = pyarrow.RecordBatchReader.from_batches(table.schema, batches())
    done = dicec.batch(reader, RULES)
    assert isinstance(done, pyarrow.RecordBatchReader)
    assert read == [0]
    check(done.read_next_batch().to_pydict())
    assert done.read_all().num_rows == 12
    assert read == [0, 1, 2, 3, 4]


def test_pandas(table):
    frame = table.to_pandas().set_index(pandas.Index([7, 7, 9], name="id"))
    before = frame.copy()
    done = dicec.batch(frame, RULES)
    assert isinstance(done, pandas.DataFrame)
    assert list(done.index) == [7, 7, 9]
    check({name: list(done[name]) for name in done.columns})
    pandas.testing.assert_frame_equal(frame, before)
    # Columns that went in come out with their types.
    pandas.testing.assert_frame_equal(done[list(ROWS)], before)


def test_polars():
    frame = polars.DataFrame(ROWS)
    done = dicec.batch(frame, RULES)
    assert isinstance(done, polars.DataFrame)
    check(done.to_dict(as_series=False))
    lazy = dicec.batch(frame.lazy(), RULES)
    assert isinstance(lazy, polars.LazyFrame)
    check(lazy.collect().to_dict(as_series=False))


def test_duckdb(table):
    table_of_arrow = table
    with duckdb.connect() as connection:
        connection.sql("CREATE TABLE foes AS SELECT * FROM table_of_arrow")
        done = dicec.batch(connection.sql("SELECT * FROM foes"), RULES)
        assert isinstance(done, duckdb.DuckDBPyRelation)
        check(dict(zip(done.columns, map(list, zip(*done.fetchall())))))
        # It belongs to the connection, and can be asked further.
        assert done.filter("hit_p > 0.5").aggregate("count(*)").fetchall() == [(2,)]


def test_anything_with_the_interface_of_arrow(table):
    class Own:
        def __arrow_c_stream__(self, requested_schema=None):
            return table.__arrow_c_stream__(requested_schema)

    check(pyarrow.table(dicec.batch(Own(), RULES)).to_pydict())
    with pytest.raises(TypeError, match="int is not a table"):
        dicec.batch(3, RULES)


def test_types_of_cells(table):
    types = {
        "int8": pyarrow.array([5, 6, 5], pyarrow.int8()),
        "float": pyarrow.array([5.0, 6.0, 5.0]),
        "decimal": pyarrow.array(["5", "6", "5"]).cast(pyarrow.decimal128(5, 0)),
        "dictionary": pyarrow.array(["5", "6", "5"]).dictionary_encode(),
        "view": pyarrow.array(["5", "6", "5"], pyarrow.string_view()),
    }
    for name, column in types.items():
        of_type = table.set_column(1, "Attack", column)
        assert dicec.batch(of_type, RULES)["hit_p"].to_pylist() == HIT, name
    nested = pyarrow.table({"foe": [{"AC": 12}, {"AC": 18}]})
    done = dicec.batch(nested, {"hit": "1d20 + 5 >= [foe.AC]"})
    assert done["hit_p"].to_pylist() == [0.7, 0.4]


def test_resources_beside_columns(table):
    without = table.drop_columns(["AC"])
    done = dicec.batch(without, {"hit": RULES["hit"]}, {"AC": 12})
    assert done["hit_p"].to_pylist() == [0.7, 0.75, 0.7]
    with pytest.raises(dicec.DiceError) as caught:
        dicec.batch(without, {"hit": RULES["hit"]})
    error = caught.value
    assert (error.code, error.message) == ("D0505", 'the table has no column "AC"')
    assert 'resources={"AC": 4}' in error.help
    assert RULES["hit"][slice(*error.span)] == "[AC]"


def test_a_bad_row_is_named(table):
    bad = table.set_column(2, "AC", [[12, None, 12]])
    with pytest.raises(dicec.DiceError, match='row 1: a cell in column "AC" is empty') as caught:
        dicec.batch(bad, RULES)
    assert caught.value.code == "D0504"
    with pytest.warns(dicec.DiceWarning, match="1 row is without odds; the first: row 1"):
        done = dicec.batch(bad, RULES, on_error="null")
    assert done["hit_p"].to_pylist() == [0.7, None, 0.7]
    assert done["damage_mean"].to_pylist() == MEAN
    with pytest.raises(ValueError, match='"raise" or "null"'):
        dicec.batch(table, RULES, on_error="skip")
    dice = table.set_column(3, "Damage", [["1d12", "1d8", "2d"]])
    with pytest.raises(dicec.DiceError, match="row 2: a die needs its sides"):
        dicec.batch(dice, RULES)


def test_a_bad_row_ends_a_reader(table):
    first, later = table, table.set_column(2, "AC", pyarrow.array([12, None, 12]))
    batches = [*first.to_batches(), *later.to_batches()]
    reader = pyarrow.RecordBatchReader.from_batches(table.schema, batches)
    done = dicec.batch(reader, RULES)
    assert done.read_next_batch().num_rows == 3
    with pytest.raises(Exception, match="row 4: a cell in column"):
        done.read_next_batch()


def test_names_are_not_taken_twice(table):
    taken = table.append_column("hit_p", [[1, 2, 3]])
    with pytest.raises(dicec.DiceError, match='has a column "hit_p" already') as caught:
        dicec.batch(taken, RULES)
    assert caught.value.code == "D0519"
    with pytest.raises(TypeError, match="rules have names"):
        dicec.batch(table, ["1d20"])
    with pytest.raises(ValueError, match="there is no rule"):
        dicec.batch(table, {})
    with pytest.raises(dicec.DiceError, match="is never closed"):
        dicec.batch(table, {"hit": "1d20 + [AC"})


def test_no_rows(table):
    done = dicec.batch(table.slice(0, 0), RULES)
    assert (done.num_rows, done.column_names) == (0, [*ROWS, *ADDED])


def test_sampled_rows_have_an_error_and_a_seed(table):
    once, again = (dicec.batch(table, RULES, trials=20_000, seed=3) for _ in range(2))
    assert once.equals(again)
    for found, exact, se in zip(once["hit_p"].to_pylist(), HIT, once["hit_se"].to_pylist()):
        assert abs(found - exact) < 5 * se
    with pytest.raises(TypeError, match="exact odds take no seed"):
        dicec.batch(table, RULES, seed=3)


def test_quantiles_are_asked_for(table):
    done = dicec.batch(table, {"damage": "1d100"}, quantiles=[0.25, 0.75])
    assert done["damage_p25"].to_pylist() == [25] * 3
    assert done["damage_p75"].to_pylist() == [75] * 3
    ends = dicec.batch(table, {"damage": "1d100"}, quantiles=[])
    assert ends["damage_max"].to_pylist() == [100] * 3
    with pytest.raises(ValueError, match="from 0 to 1"):
        dicec.batch(table, {"damage": "1d100"}, quantiles=[2])


def test_clamping_is_a_warning(table):
    with pytest.warns(dicec.DiceWarning, match="3 rows are changed by clamping at 0"):
        dicec.batch(table, {"x": "1d6 - 3"})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dicec.batch(table, {"x": "1d6 + 3"})


def test_progress_counts_rows():
    table = pyarrow.table({"Attack": [number % 50 for number in range(20_000)]})
    told = []
    rules = {"hit": "1d20 + [Attack] >= 20"}
    done = dicec.batch(table, rules, progress=lambda *counts: told.append(counts))
    assert told[-1] == (20_000, 20_000)
    expected = [dicec.odds("1d20 + [Attack] >= 20", Attack=attack).p() for attack in range(50)]
    assert done["hit_p"].to_pylist() == [round(expected[n % 50], 12) for n in range(20_000)]


def test_numbers_are_those_of_the_command(command, examples):
    path = examples / "encounters.csv"
    rules = {"hit": "1d20 + [Attack] >= [Target Defense]", "damage": "1d8 + [Strength]"}
    words = [word for name, rule in rules.items() for word in ("-e", f"{name}={rule}")]
    printed = command("batch", "examples/encounters.csv", *words).stdout
    rows = list(csv.DictReader(io.StringIO(printed)))
    done = dicec.batch(polars.read_csv(path), rules).to_dicts()
    assert len(done) == len(rows) > 20
    for mine, theirs in zip(done, rows):
        for name in ["hit_p", "damage_mean", "damage_sd"]:
            assert mine[name] == float(theirs[name])
        quantiles = [float(theirs[f"damage_p{q}"]) for q in (5, 50, 95)]
        assert [mine[name] for name in QUANTILES] == quantiles
