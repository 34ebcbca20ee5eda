"""The examples, as a reader runs them."""

import dicec
import pandas
import pytest


@pytest.fixture(autouse=True)
def folder(monkeypatch, examples):
    monkeypatch.syspath_prepend(str(examples.parent / "python" / "examples"))


def test_polars_over_the_srd():
    from polars_pipeline import strongest
    from srd import pairs

    table = pairs()
    assert len(table) > 150_000
    best = strongest(table.filter(table["CR"] >= 17))
    assert best["CR"].is_sorted()
    # The exact mean of one of them, by hand: the Tarrasque's bite.
    tarrasque = table.filter((table["Creature"] == "Tarrasque") & (table["Action"] == "Bite"))
    means = [
        dicec.odds(
            "dnd.attack([Attack], [AC], [Damage])",
            Attack=row["Attack"],
            AC=row["Target AC"],
            Damage=row["Damage"],
        ).mean
        for row in tarrasque.to_dicts()[:20]
    ]
    found = dicec.batch(tarrasque[:20], {"x": "dnd.attack([Attack], [Target AC], [Damage])"})
    assert found["x_mean"].to_list() == pytest.approx(means)


def test_dask_gives_the_same_table():
    from dask_pipeline import spread
    from srd import RULES, pairs

    table = pairs()[:2000].to_pandas()
    spread_out, here = spread(table), dicec.batch(table, RULES)
    pandas.testing.assert_frame_equal(spread_out, here, check_dtype=False)


def test_the_gallery(tmp_path):
    # It checks its own numbers.
    import gallery

    figure = gallery.pictures(tmp_path)
    assert [len(axes.patches) for axes in figure.axes] == [41, 32]
    assert (tmp_path / "gallery.png").stat().st_size > 10_000
