//! The numbers of an answer, by name: the columns that a question adds.

use dicec_runtime::degree::Ladder;

/// One of the numbers of an answer: a column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// A check's probability of being true, a degree's, a level's or a test's of being a success.
    P,
    /// The mean.
    Mean,
    /// The standard deviation.
    Sd,
    /// The quantile of 5 %.
    P5,
    /// The median.
    P50,
    /// The quantile of 95 %.
    P95,
    /// The lowest result.
    Min,
    /// The highest result.
    Max,
    /// The standard error.
    Se,
    /// The probability of a rung, by its number.
    Rung(Ladder, u8),
    /// The probability of a label, by its index.
    Label(u16),
    /// A requested quantile, by index.
    Quantile(u16),
    /// The probability of a requested range, by index.
    Range(u16),
    /// The mean of statistics, by the index of their column.
    StatMean(u16),
    /// Its standard deviation.
    StatSd(u16),
    /// A quantile of statistics, by the index of their column and its own.
    StatQuantile(u16, u16),
    /// The probability of a range of statistics, in the same way.
    StatRange(u16, u16),
    /// The mean number of lines in a trial, by the index of their column.
    Line(u16),
}

impl Field {
    /// The columns of a degree, the worst rung first.
    pub fn of_degree(ladder: Ladder) -> Vec<Field> {
        let rungs = (0..).take(ladder.rungs().len());
        rungs.map(|rung| Field::Rung(ladder, rung)).collect()
    }

    /// The columns of this many labels, in written order.
    pub fn of_labels(count: usize) -> Vec<Field> {
        (0..).take(count).map(Field::Label).collect()
    }

    /// The suffix of a column's name, after the name of the expression. `labels` are those of the
    /// expression.
    pub fn suffix(self, labels: &[String]) -> &str {
        match self {
            Field::P => "p",
            Field::Mean | Field::StatMean(_) => "mean",
            Field::Sd | Field::StatSd(_) => "sd",
            Field::Line(_) => "lines",
            // A group knows what is asked.
            Field::Quantile(_) | Field::StatQuantile(..) => "quantile",
            Field::Range(_) | Field::StatRange(..) => "range",
            Field::P5 => "p5",
            Field::P50 => "p50",
            Field::P95 => "p95",
            Field::Min => "min",
            Field::Max => "max",
            Field::Se => "se",
            Field::Rung(ladder, rung) => {
                let slug = ladder.rungs().get(usize::from(rung)).map(|rung| rung.slug);
                slug.unwrap_or("degree")
            }
            Field::Label(place) => {
                let label = labels.get(usize::from(place));
                label.map_or("label", String::as_str)
            }
        }
    }
}
