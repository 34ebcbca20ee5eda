//! The columns that each question adds to the table, and their names.

use crate::answer::{Answer, Events, tidy};
use crate::field::Field;
use crate::figure::Figure;
use crate::lines::Templates;
use crate::wanted::{Numbers, Wanted};
use dicec_lang::hir::Kind;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The columns that a question adds to the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The question's name.
    pub name: String,
    /// The columns.
    pub fields: Vec<Field>,
    /// Labels as parts of column names, as degrees have them.
    labels: Vec<String>,
    /// The requested figures of numbers, if there are any.
    wanted: Option<Arc<Wanted>>,
    /// The columns that a roll of a script adds besides its result.
    script: Option<ScriptColumns>,
    /// Whether all its results are whole numbers.
    is_whole: bool,
}

/// A column that cannot be added to a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Collision<'g> {
    /// The owner of the column.
    pub group: &'g Group,
    /// Its name.
    pub column: String,
    /// The table's own column of that name, from 0; none if two added ones have it.
    pub own: Option<usize>,
}

/// The columns of a roll's statistics and lines.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ScriptColumns {
    /// Whether the statistics are outputs of an AnyDice program.
    are_outputs: bool,
    stats: Templates,
    /// The names of the statistics' columns, before the field.
    stat_titles: Vec<String>,
    /// The columns of statistics that are shown, by their indices, and the fields of each.
    shown: Vec<u16>,
    fields: usize,
    lines: Templates,
    /// The names of the lines' columns.
    titles: Vec<String>,
}

impl Group {
    /// Whether it is a roll of a script.
    pub fn is_script(&self) -> bool {
        self.script.is_some() && !self.are_outputs()
    }

    /// Whether it is an AnyDice program with several outputs.
    pub fn are_outputs(&self) -> bool {
        let script = self.script.as_ref();
        script.is_some_and(|script| script.are_outputs)
    }

    /// The columns of a rule of this kind and with these labels, or of either kind if each row has
    /// a rule of its own.
    pub fn new(
        name: &str,
        kind: Option<Kind>,
        labels: &[String],
        numbers: &Numbers,
        is_sampled: bool,
    ) -> Self {
        let of_number = numbers.fields();
        let mut fields = match kind {
            Some(Kind::Check) => vec![Field::P],
            Some(Kind::Number | Kind::Float) => of_number,
            Some(Kind::Test) => [vec![Field::P], of_number].concat(),
            Some(Kind::Degree(ladder)) => Field::of_degree(ladder),
            Some(Kind::Label) => Field::of_labels(labels.len()),
            Some(Kind::Level(_)) => [vec![Field::P], Field::of_labels(labels.len())].concat(),
            None => [vec![Field::P], of_number].concat(),
        };
        // Each rung and each label has an error of its own; these are left out.
        if is_sampled && !matches!(kind, Some(Kind::Degree(_) | Kind::Label | Kind::Level(_))) {
            fields.push(Field::Se);
        }
        Self {
            name: name.to_owned(),
            fields,
            labels: labels.iter().map(|label| label.replace(' ', "_")).collect(),
            wanted: numbers.wanted().cloned(),
            script: None,
            is_whole: matches!(kind, Some(Kind::Number | Kind::Test)),
        }
    }

    /// The columns of rules of which each row has one: of these kinds, or a check or a number if
    /// that is not known.
    pub(crate) fn of_kinds(
        name: &str,
        kinds: &[Kind],
        numbers: &Numbers,
        is_sampled: bool,
    ) -> Self {
        let mut group = Self::new(name, None, &[], numbers, is_sampled);
        if kinds.is_empty() {
            return group;
        }
        let mut wanted: Vec<Field> = kinds
            .iter()
            .flat_map(|kind| Self::new(name, Some(*kind), &[], numbers, is_sampled).fields)
            .collect();
        let ladders: Vec<Field> = wanted
            .iter()
            .copied()
            .filter(|field| matches!(field, Field::Rung(..)))
            .collect();
        group.fields.retain(|field| wanted.contains(field));
        wanted.clear();
        for field in ladders {
            if !group.fields.contains(&field) {
                wanted.push(field);
            }
        }
        group.fields.extend(wanted);
        group
    }

    /// The columns of a roll of a script, which returns this, or nothing, and has these statistics
    /// and lines.
    pub(crate) fn of_script(
        name: &str,
        (kind, labels, numbers): (Option<Kind>, &[String], &Numbers),
        is_sampled: bool,
        stats: Templates,
        lines: Templates,
    ) -> Self {
        let mut group = Self::new(name, kind, labels, numbers, is_sampled);
        if kind.is_none() {
            group.fields.clear();
        }
        let named = numbers.wanted().map_or(&[][..], |wanted| wanted.stats());
        let shown = (0..).zip(stats.columns());
        let shown = shown.filter(|(_, stat)| named.is_empty() || named.contains(stat));
        let shown: Vec<u16> = shown.map(|(place, _)| place).collect();
        let asked = numbers.wanted().filter(|wanted| wanted.is_of_stats());
        let asked: Vec<Field> = asked.map_or_else(Vec::new, |wanted| wanted.fields().collect());
        group.add_stats(&shown, &asked);
        let places = (0..).zip(lines.columns());
        group
            .fields
            .extend(places.map(|(place, _)| Field::Line(place)));
        let title = |line: &String| match line.replace(['\n', '\r', '\t'], " ").trim() {
            "" => "(empty line)".to_owned(),
            title => title.to_owned(),
        };
        group.script = Some(ScriptColumns {
            are_outputs: false,
            stat_titles: stats.columns().to_vec(),
            stats,
            shown,
            fields: 2 + asked.len(),
            titles: lines.columns().iter().map(title).collect(),
            lines,
        });
        group
    }

    /// The columns of an AnyDice program with several outputs of these names: each has those of a
    /// number, but not the ends.
    pub(crate) fn of_outputs(name: &str, outputs: &[String], numbers: &Numbers) -> Self {
        let usual = Numbers::Asked(Arc::new(Wanted::new(&[], &[], &[])));
        let numbers = match numbers {
            Numbers::Quantiles => &usual,
            numbers => numbers,
        };
        let mut group = Self::new(name, None, &[], numbers, false);
        group.fields.clear();
        let asked = numbers.wanted().into_iter();
        let asked: Vec<Field> = asked.flat_map(|wanted| wanted.fields()).collect();
        let stats = Templates::of_stats(outputs, &[]);
        let shown: Vec<u16> = (0..).zip(stats.columns()).map(|(place, _)| place).collect();
        group.add_stats(&shown, &asked);
        let title = |output: &String| match name {
            "" => output.clone(),
            name => format!("{name}.{output}"),
        };
        group.script = Some(ScriptColumns {
            are_outputs: true,
            stat_titles: stats.columns().iter().map(title).collect(),
            stats,
            shown,
            fields: 2 + asked.len(),
            titles: Vec::new(),
            lines: Templates::default(),
        });
        group
    }

    /// Adds the moments and these further columns of statistics, which their indices name.
    fn add_stats(&mut self, shown: &[u16], asked: &[Field]) {
        for &place in shown {
            let moments = [Field::StatMean(place), Field::StatSd(place)];
            self.fields.extend(moments);
            self.fields.extend(asked.iter().map(|field| match *field {
                Field::Quantile(index) => Field::StatQuantile(place, index),
                Field::Range(index) => Field::StatRange(place, index),
                field => field,
            }));
        }
    }

    /// The same with the means of statistics only.
    pub(crate) fn with_means_only(mut self) -> Self {
        let is_mean = |field: &Field| !matches!(field, Field::StatSd(_));
        self.fields.retain(is_mean);
        if let Some(script) = &mut self.script {
            script.fields = 1;
        }
        self
    }

    /// The first column that these would add though the table has it already, or though another
    /// one has its name. With `keys`, the names of the groups are columns, too, as in JSON.
    pub fn collision<'g>(
        groups: &'g [Group],
        header: &[String],
        keys: bool,
    ) -> Option<Collision<'g>> {
        let mut taken = FxHashSet::default();
        for group in groups {
            let key = keys.then(|| group.name.clone());
            for (is_key, column) in key
                .map(|key| (true, key))
                .into_iter()
                .chain(group.columns().map(|column| (false, column)))
            {
                let own = header.iter().position(|name| *name == column);
                if own.is_some() || !(is_key || taken.insert(column.clone())) {
                    return Some(Collision { group, column, own });
                }
            }
        }
        None
    }

    /// The number in a column, if this answer has one.
    pub fn figure(&self, answer: &Answer, field: Field) -> Option<Figure> {
        match (field, &self.script, &answer.events) {
            (Field::Line(place), Some(script), Some(events)) => {
                let times = script.lines.times(events, usize::from(place));
                // A column adds up several lines.
                Some(Figure::Float(match answer.is_sampled {
                    true => times,
                    false => tidy(times),
                }))
            }
            (Field::StatMean(place), Some(script), Some(events)) => {
                let (mean, _) = script.stats.moments(events, usize::from(place))?;
                Some(Figure::Float(mean))
            }
            (Field::StatSd(place), Some(script), Some(events)) => {
                let (_, sd) = script.stats.moments(events, usize::from(place))?;
                sd.map(Figure::Float)
            }
            (Field::StatQuantile(place, index), Some(script), Some(events)) => {
                let known = script.stats.only(events, usize::from(place))?;
                known.spread.figure(Field::Quantile(index))
            }
            (Field::StatRange(place, index), Some(script), Some(events)) => {
                let known = script.stats.only(events, usize::from(place))?;
                known.spread.figure(Field::Range(index))
            }
            _ => answer.figure(field),
        }
    }

    /// A line or a statistic of a roll that none of the columns counts.
    pub fn uncounted<'e>(&self, events: &'e Events) -> Option<&'e str> {
        let script = self.script.as_ref()?;
        let lines = events.lines.iter().map(|(line, _)| line.as_str());
        let noted = events.stats.iter().filter(|stat| stat.summary.is_some());
        let noted = noted.map(|stat| stat.name.as_str());
        let line = script.lines.uncounted(lines);
        line.or_else(|| script.stats.uncounted(noted))
    }

    /// The headings above the columns, with the number of columns of each: those of the rule, or of
    /// the roll and its statistics. Lines have none.
    pub fn headings(&self) -> Vec<(&str, usize)> {
        let Some(script) = &self.script else {
            return vec![(&self.name, self.fields.len())];
        };
        let stats = script.fields * script.shown.len();
        let result = self.fields.len() - stats - script.titles.len();
        let result = (result > 0).then_some((self.name.as_str(), result));
        let stats = script.shown.iter();
        let stats = stats.filter_map(|place| script.stat_titles.get(usize::from(*place)));
        let stats = stats.map(|stat| (stat.as_str(), script.fields));
        let lines = script.titles.iter().map(|_| ("", 1));
        result.into_iter().chain(stats).chain(lines).collect()
    }

    /// The name of a column below its heading.
    pub fn suffix(&self, field: Field) -> &str {
        let asked = |place: usize| self.wanted.as_ref()?.names().get(place);
        let ranges = self
            .wanted
            .as_ref()
            .map_or(0, |wanted| wanted.quantiles().len());
        let title = match (field, &self.script) {
            (Field::Line(place), Some(script)) => script.titles.get(usize::from(place)),
            (Field::Quantile(place) | Field::StatQuantile(_, place), _) => {
                asked(usize::from(place))
            }
            (Field::Range(place) | Field::StatRange(_, place), _) => {
                asked(ranges + usize::from(place))
            }
            _ => None,
        };
        title.map_or_else(|| field.suffix(&self.labels), String::as_str)
    }

    /// Whether all its results are whole numbers.
    #[cfg(feature = "columns")]
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Whether sampled answers have a standard error.
    pub fn can_err(&self) -> bool {
        matches!(self.fields.first(), Some(Field::P | Field::Mean))
    }

    /// The added columns' names.
    pub fn columns(&self) -> impl Iterator<Item = String> {
        self.fields.iter().map(|field| self.column(*field))
    }

    /// The name of a field's column.
    pub fn column(&self, field: Field) -> String {
        self.column_of(field, self.suffix(field))
    }

    /// The name of a column for fields like this one, with another suffix.
    pub(crate) fn column_of(&self, field: Field, suffix: &str) -> String {
        let stats = self.script.as_ref().map(|script| &script.stat_titles);
        match (field, stats) {
            (Field::Line(_), _) => suffix.to_owned(),
            (
                Field::StatMean(place)
                | Field::StatSd(place)
                | Field::StatQuantile(place, _)
                | Field::StatRange(place, _),
                Some(stats),
            ) => {
                let stat = stats.get(usize::from(place)).map_or("", String::as_str);
                format!("{}_{suffix}", stat.replace(' ', "_"))
            }
            _ if self.name.is_empty() => suffix.to_owned(),
            _ => format!("{}_{suffix}", self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn added_columns_do_not_hide_others() {
        let header = ["Attack", "hit_p", "hurt"].map(str::to_owned);
        let check =
            |name: &str| Group::new(name, Some(Kind::Check), &[], &Numbers::Quantiles, false);
        let collision = |names: &[&str], keys| {
            let groups: Vec<Group> = names.iter().map(|name| check(name)).collect();
            let found = Group::collision(&groups, &header, keys);
            found.map(|found| (found.column, found.own))
        };
        assert_eq!(collision(&["miss"], true), None);
        assert_eq!(
            collision(&["hit"], false),
            Some(("hit_p".to_owned(), Some(1)))
        );
        assert_eq!(collision(&["hurt"], false), None);
        assert_eq!(
            collision(&["hurt"], true),
            Some(("hurt".to_owned(), Some(2)))
        );
        assert_eq!(
            collision(&["a", "a"], false),
            Some(("a_p".to_owned(), None))
        );
    }
}
