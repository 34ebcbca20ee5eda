//! The curves of a sweep: a probability or a mean as a function of the values on the axis. Each row
//! has a curve for each question, or for each named outcome of one, unless these are too many to
//! distinguish: then a question or an outcome has one curve, the mean over all rows.

use crate::answer::{Answer, Odds};
use crate::field::Field;
use crate::figure::Figure;
use crate::joined::Joined;

/// The measure of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Height {
    /// The probability of a check, or that of a success.
    Probability,
    /// The mean of a number.
    Mean,
}

/// Collects curves row by row; it takes no more memory for more rows.
#[derive(Clone, Debug)]
pub struct Curves {
    /// The number of values on the axis.
    width: usize,
    /// The curves that there are space for.
    most: usize,
    height: Option<Height>,
    trouble: Option<NoCurves>,
    questions: Vec<String>,
    totals: Vec<Total>,
    /// The curves of rows; none if there are too many.
    single: Option<Vec<Single>>,
    rows: u64,
}

/// Why a sweep has nothing to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoCurves {
    /// The question of this name has no number to draw.
    NotNumbers(String),
    /// Some questions give probabilities, and some numbers.
    Mixed,
}

/// The curves of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Their measure.
    pub height: Height,
    /// A name and a height at each value on the axis, if it is known; equal curves are merged.
    pub curves: Vec<(String, Vec<Option<f64>>)>,
    /// The number of rows over which each is the mean, if it is one.
    pub mean_of: Option<u64>,
}

/// The subject of a curve: a question, or one of its named outcomes.
type About = (usize, Option<usize>);

/// A point of a curve from an answer: the outcome, a name, and the height.
type Point = (Option<usize>, String, f64);

/// The sum of all rows' curves about something.
#[derive(Clone, Debug)]
struct Total {
    about: About,
    name: String,
    points: Vec<(f64, u64)>,
}

/// The curve of a row.
#[derive(Clone, Debug)]
struct Single {
    row: Identity,
    about: About,
    name: String,
    points: Vec<Option<f64>>,
}

/// The common part of all points of a curve: the lines of the rows, and the combination of the
/// other sweeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity {
    line: u64,
    target: u64,
    rest: usize,
}

impl Curves {
    /// Curves of these questions over this many values.
    pub fn new(questions: &[String], values: usize, most: usize) -> Self {
        Self {
            width: values,
            most,
            height: None,
            trouble: None,
            questions: questions.to_vec(),
            totals: Vec::new(),
            single: Some(Vec::new()),
            rows: 0,
        }
    }

    /// Takes the answers of a row.
    pub fn add(&mut self, row: &Joined<'_>, answers: &[Option<Answer>]) {
        let (place, rest) = (row.point().on_axis(), row.point().rest());
        let identity = Identity {
            line: row.record.line(),
            target: row.target().map_or(0, |target| target.line()),
            rest,
        };
        self.rows += u64::from(place == 0);
        for (question, answer) in answers.iter().enumerate() {
            let heights = answer
                .as_ref()
                .map_or_else(Vec::new, |answer| self.heights(question, answer));
            for (outcome, name, height) in heights {
                let about = (question, outcome);
                self.sum(about, &name, place, height);
                self.note((identity, about), &name, row, place, height);
            }
        }
    }

    /// The points of an answer, each with the name of its question, its outcome, or both.
    fn heights(&mut self, question: usize, answer: &Answer) -> Vec<Point> {
        let name = self.questions.get(question).cloned().unwrap_or_default();
        let (found, field) = match &answer.odds {
            Odds::Check(_) | Odds::Degree(..) | Odds::Level(..) | Odds::Test(..) => {
                (Height::Probability, Field::P)
            }
            Odds::Number(_) => (Height::Mean, Field::Mean),
            Odds::Label(labels, shares) => {
                self.measures(Height::Probability);
                let named = |label: &String| match self.questions.len() {
                    1 => label.clone(),
                    _ => format!("{name}: {label}"),
                };
                let outcomes = labels.iter().zip(shares.iter()).enumerate();
                return outcomes
                    .map(|(place, (label, share))| (Some(place), named(label), *share))
                    .collect();
            }
            Odds::Outputs => {
                self.measures(Height::Mean);
                let stats = answer.events.iter().flat_map(|events| &events.stats);
                let named = |output: &String| match self.questions.len() {
                    1 => output.clone(),
                    _ => format!("{name}: {output}"),
                };
                let means = stats.enumerate().filter_map(|(place, stat)| {
                    let mean = stat.summary.as_ref()?.mean;
                    Some((Some(place), named(&stat.name), mean))
                });
                return means.collect();
            }
            Odds::Nothing => {
                self.trouble.get_or_insert(NoCurves::NotNumbers(name));
                return Vec::new();
            }
        };
        self.measures(found);
        let height = answer.figure(field).map(|height| match height {
            Figure::Float(height) => height,
            Figure::Whole(height) => height as f64,
        });
        let point = height.map(|height| (None, name, height));
        point.into_iter().collect()
    }

    /// Records the measure.
    fn measures(&mut self, height: Height) {
        if *self.height.get_or_insert(height) != height {
            self.trouble.get_or_insert(NoCurves::Mixed);
        }
    }

    /// Adds a height to the sum of all rows.
    fn sum(&mut self, about: About, name: &str, place: usize, height: f64) {
        let known = self.totals.iter().position(|total| total.about == about);
        let index = known.unwrap_or_else(|| {
            self.totals.push(Total {
                about,
                name: name.to_owned(),
                points: vec![(0.0, 0); self.width],
            });
            self.totals.len() - 1
        });
        if let Some((sum, count)) = self.totals[index].points.get_mut(place) {
            *sum += height;
            *count += 1;
        }
    }

    /// Adds a point to the curve of a row.
    fn note(
        &mut self,
        (row, about): (Identity, About),
        name: &str,
        joined: &Joined<'_>,
        place: usize,
        height: f64,
    ) {
        let Some(single) = &mut self.single else {
            return;
        };
        let is_it = |curve: &&mut Single| curve.row == row && curve.about == about;
        let found = single.iter_mut().find(is_it);
        if let Some(curve) = found {
            if let Some(point) = curve.points.get_mut(place) {
                *point = Some(height);
            }
            return;
        }
        if single.len() == self.most {
            self.single = None;
            return;
        }
        let mut points = vec![None; self.width];
        if let Some(point) = points.get_mut(place) {
            *point = Some(height);
        }
        let mut parts = joined.labels();
        // The curves of one question differ in their rows, those of its outcomes do not.
        let is_only = self.questions.len() == 1 && about.1.is_none();
        let is_needed = !is_only || parts.is_empty();
        if is_needed && !name.is_empty() {
            parts.push(name.to_owned());
        }
        single.push(Single {
            row,
            about,
            name: parts.join(", "),
            points,
        });
    }

    /// The curves.
    ///
    /// # Errors
    /// Why there are none.
    pub fn finish(self) -> Result<Drawn, NoCurves> {
        if let Some(trouble) = self.trouble {
            return Err(trouble);
        }
        let height = self.height.unwrap_or(Height::Probability);
        let Some(single) = self.single else {
            let mut totals = self.totals;
            totals.sort_by_key(|total| total.about);
            let curve = |total: Total| {
                let point = |(sum, count): (f64, u64)| (count > 0).then(|| sum / count as f64);
                (total.name, total.points.into_iter().map(point).collect())
            };
            return Ok(Drawn {
                height,
                curves: totals.into_iter().map(curve).collect(),
                mean_of: Some(self.rows),
            });
        };
        let names: Vec<String> = single.iter().map(|curve| curve.name.clone()).collect();
        let curves = single.into_iter().map(|curve| {
            let same = names.iter().filter(|name| **name == curve.name).count();
            let name = match same {
                1 => curve.name,
                _ => format!("{} (line {})", curve.name, curve.row.line),
            };
            (name, curve.points)
        });
        let mut different: Vec<(String, Vec<Option<f64>>)> = Vec::new();
        for (name, points) in curves {
            match different.iter_mut().find(|(_, other)| *other == points) {
                // One would hide the other.
                Some((names, _)) => *names += &format!("; {name}"),
                None => different.push((name, points)),
            }
        }
        Ok(Drawn {
            height,
            curves: different,
            mean_of: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::{Events, Spread, Stat, Summary};
    use crate::{Grid, Joins, Record, Source, Sweep};
    use std::sync::Arc;

    fn check(p: f64) -> Option<Answer> {
        Some(Answer {
            odds: Odds::Check(p),
            is_sampled: false,
            se: None,
            clamped: None,
            events: None,
            output: None,
            notes: None,
            results: None,
        })
    }

    /// The curves of rows of these names, where a row's chance at a value is this.
    fn drawn(rows: &[&str], p: impl Fn(usize, usize) -> f64) -> Result<Drawn, NoCurves> {
        let sweeps = ["Bless=0,4", "AC=1..3"].map(Sweep::parse);
        let grid = Grid::new(sweeps.into_iter().flatten().collect()).expect("a grid");
        let joins = Joins::default().sweep(grid);
        let mut curves = Curves::new(&["hit".to_owned()], 3, 4);
        let text = format!("Name\n{}\n", rows.join("\n"));
        let table = Source::csv(Box::new(std::io::Cursor::new(text)), b',');
        let rows = table.and_then(|table| table.rest());
        for (row, record) in rows.expect("a good table").1.iter().enumerate() {
            for index in 0..joins.count() {
                curves.add(&joins.join(record, 1, index), &[check(p(row, index))]);
            }
        }
        curves.finish()
    }

    #[test]
    fn each_row_and_each_other_value_has_a_curve() {
        let drawn = drawn(&["Orc"], |_, index| index as f64).expect("checks");
        let curve = |name: &str, points: [f64; 3]| (name.to_owned(), points.map(Some).to_vec());
        let curves = [
            curve("Orc, Bless 0", [0.0, 1.0, 2.0]),
            curve("Orc, Bless 4", [3.0, 4.0, 5.0]),
        ];
        assert_eq!((drawn.curves, drawn.mean_of), (curves.to_vec(), None));
    }

    #[test]
    fn equal_curves_are_one() {
        let drawn = drawn(&["Orc", "Owl"], |row, index| (row * 9 + index % 3) as f64);
        let names = drawn
            .expect("checks")
            .curves
            .into_iter()
            .map(|curve| curve.0);
        let names: Vec<String> = names.collect();
        assert_eq!(
            names,
            ["Orc, Bless 0; Orc, Bless 4", "Owl, Bless 0; Owl, Bless 4"]
        );
    }

    #[test]
    fn many_rows_have_their_mean() {
        let drawn = drawn(&["a", "b", "c"], |row, _| row as f64).expect("checks");
        assert_eq!(drawn.curves, [("hit".to_owned(), vec![Some(1.0); 3])]);
        assert_eq!(drawn.mean_of, Some(6));
    }

    #[test]
    fn each_named_outcome_has_a_curve() {
        let mut curves = Curves::new(&["pbta".to_owned()], 2, 4);
        let grid = Grid::new(vec![Sweep::parse("Bonus=0,1").expect("a sweep")]);
        let joins = Joins::default().sweep(grid.expect("a grid"));
        let row: Record = ["Monk"].into_iter().collect();
        for index in 0..2 {
            let shares = [0.25, 0.75].map(|share| share - 0.125 * index as f64);
            let names = ["miss", "hit"].map(str::to_owned);
            let answer = check(0.5).map(|answer| Answer {
                odds: Odds::Label(names.into(), shares.into()),
                ..answer
            });
            curves.add(&joins.join(&row, 1, index), &[answer]);
        }
        let drawn = curves.finish().expect("chances");
        let curve = |name: &str, points: [f64; 2]| (name.to_owned(), points.map(Some).to_vec());
        let expected = [
            curve("Monk, miss", [0.25, 0.125]),
            curve("Monk, hit", [0.75, 0.625]),
        ];
        assert_eq!(
            (drawn.curves, drawn.height),
            (expected.to_vec(), Height::Probability)
        );
    }

    #[test]
    fn some_answers_have_no_curve() {
        let mut curves = Curves::new(&["hit".to_owned(), "kind".to_owned()], 1, 4);
        let joins = Joins::default();
        let row: Record = ["Orc"].into_iter().collect();
        let nothing = check(0.5).map(|answer| Answer {
            odds: Odds::Nothing,
            ..answer
        });
        curves.add(&joins.join(&row, 1, 0), &[check(0.5), nothing]);
        let why = NoCurves::NotNumbers("kind".to_owned());
        assert_eq!(curves.finish(), Err(why));
    }

    #[test]
    fn each_output_of_a_program_has_a_curve() {
        let output = |name: &str, mean: f64| Stat {
            name: name.to_owned(),
            per_trial: 1.0,
            summary: Some(Summary {
                mean,
                sd: None,
                spread: Spread::Ends([None, None]),
            }),
            se: None,
        };
        let answer = |n: f64| Answer {
            odds: Odds::Outputs,
            is_sampled: false,
            se: None,
            clamped: None,
            events: Some(Arc::new(Events {
                stats: vec![output("sum", n), output("best", 3.5)],
                lines: Vec::new(),
                left_out: 0.0,
            })),
            output: None,
            notes: None,
            results: None,
        };
        let sweeps = ["N=1..3"].map(Sweep::parse);
        let grid = Grid::new(sweeps.into_iter().flatten().collect()).expect("a grid");
        let joins = Joins::default().sweep(grid);
        let mut curves = Curves::new(&[String::new()], 3, 4);
        let record = Record::default();
        for index in 0..3 {
            let row = joins.join(&record, 0, index);
            curves.add(&row, &[Some(answer(index as f64))]);
        }
        let drawn = curves.finish().expect("numbers");
        assert_eq!(drawn.height, Height::Mean);
        let expected = [("sum", [0.0, 1.0, 2.0]), ("best", [3.5; 3])];
        let expected = expected.map(|(name, points)| (name.to_owned(), points.map(Some).to_vec()));
        assert_eq!(drawn.curves, expected);
    }
}
