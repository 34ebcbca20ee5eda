//! What players call the elements of a list that they choose from.

use super::{Data, Module, Type};
use dicec_runtime::scale::Shortest;

impl Module {
    /// The names of a list's elements for players; no two are equal.
    pub(crate) fn labels_of(&self, list: &Data, ty: &Type) -> Option<Vec<String>> {
        let (Data::List(elements), Type::List(ty)) = (list, ty) else {
            return None;
        };
        let mut labels: Vec<String> = Vec::new();
        for element in elements {
            let label = self.label_of(element, ty)?;
            labels.push(distinct(label, &labels));
        }
        (!labels.is_empty()).then_some(labels)
    }

    fn label_of(&self, data: &Data, ty: &Type) -> Option<String> {
        Some(match (data, ty) {
            (Data::Text(text), _) => text.clone(),
            (Data::Int(number), _) => number.to_string(),
            (Data::Float(number), _) => Shortest(number.get()).to_string(),
            (Data::Bool(truth), _) => truth.to_string(),
            (Data::Named(rung), Type::Degree(ladder)) => ladder.name(*rung).to_owned(),
            (Data::Named(value), Type::Enum(id) | Type::Flags(id)) => {
                self.choice(*id).written(*value)?.into_owned()
            }
            (Data::Record(values), Type::Record(id)) => {
                let fields = self.record(*id).fields.iter().zip(values);
                let mut texts = fields.filter(|(field, _)| field.ty == Type::Text);
                match texts.next()?.1 {
                    Data::Text(name) => name.clone(),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }
}

/// A label that no earlier one equals: the second goblin is `goblin (2)`.
pub(crate) fn distinct(label: String, before: &[String]) -> String {
    let mut own = label.clone();
    let mut number = 1_u64;
    while before.contains(&own) {
        number += 1;
        own = format!("{label} ({number})");
    }
    own
}
