//! What creatures try in a turn in which their usual actions are out of reach.

use super::block::{Sort, alternatives, average, bare, damage, list, sort, text};
use super::movement::{is_attack, is_melee};
use super::worth::{Deeds, has_state};
use serde_json::Value;

/// An attack for melee or a distance as it is thrown.
fn thrown(action: &Value) -> Option<Value> {
    let is_both = text(action, "kind") == "melee or ranged";
    is_both.then(|| {
        let mut thrown = action.clone();
        thrown["kind"] = "ranged".into();
        thrown
    })
}

pub(super) fn worth(action: &Value) -> i64 {
    damage(action).iter().map(|one| average(one.0)).sum()
}

/// What a creature may do in a turn without anything limited, in the order in which it tries.
pub(super) fn options(block: &Value, own: &Deeds, plain: bool) -> Vec<Deeds> {
    let own = own.clone();
    let actions = list(block, "actions");
    let usable: Vec<&Value> = actions
        .iter()
        .filter(|action| sort(action, plain) != Sort::Nothing && !action["usage"].is_object())
        .filter(|action| !has_state(action))
        .collect();
    let mut others: Vec<Deeds> = Vec::new();
    for action in actions {
        for steps in alternatives(action) {
            let found: Option<Deeds> = steps
                .iter()
                .map(|step| {
                    let named = |action: &&Value| {
                        sort(action, plain) != Sort::Nothing
                            && !(plain && action["usage"].is_object())
                            && bare(text(action, "name")) == bare(text(step, "action"))
                    };
                    let action = actions.iter().find(named)?;
                    let times = match &step["count"] {
                        Value::String(heads) if heads == "Number of Heads" => "5".to_owned(),
                        Value::String(dice) => dice.clone(),
                        number => number.to_string(),
                    };
                    Some((action.clone(), times))
                })
                .collect();
            let is_always = |action: &Value| !action["usage"].is_object() && !has_state(action);
            let always = |deeds: &Deeds| deeds.iter().all(|one| is_always(&one.0));
            others.extend(found.filter(always));
        }
    }
    let all_thrown: Option<Deeds> = own
        .iter()
        .map(|(action, times)| {
            let is_ranged = is_attack(action) && !is_melee(action);
            let own = if is_ranged {
                Some(action.clone())
            } else {
                thrown(action)
            };
            Some((own?, times.clone()))
        })
        .collect();
    let mut single: Vec<Value> = Vec::new();
    for action in usable {
        if is_attack(action) && !is_melee(action) {
            single.push(action.clone());
        }
        single.extend(thrown(action));
    }
    single.sort_by_key(|action| std::cmp::Reverse(worth(action)));
    let single = single
        .into_iter()
        .map(|action| vec![(action, "1".to_owned())]);
    let mut all = vec![own];
    for option in others.into_iter().chain(all_thrown).chain(single) {
        if !option.is_empty() && !all.contains(&option) {
            all.push(option);
        }
    }
    all
}
