//! The choice of targets.

use super::Writer;
use crate::encounter::document::Targets;
use crate::encounter::feature::Reach;
use crate::encounter::plan::{Kind, What};
use crate::encounter::policy::Policy;
use crate::script_text::{IsCode, ScriptCode, code, identifier};

impl Writer<'_> {
    pub(super) fn write_targets(&mut self) {
        let mut policies: Vec<Targets> = Vec::new();
        for policy in self
            .plan
            .kinds
            .iter()
            .filter_map(|kind| kind.targets.known())
        {
            if !policies.contains(policy) {
                policies.push(*policy);
            }
        }
        if self.any(Kind::may_go_berserk) && !policies.contains(&Targets::Nearest) {
            policies.push(Targets::Nearest);
        }
        for policy in policies {
            let (given, within) = match self.plan.has_positions() {
                true => (
                    "self: creature, foes: creature list, feet: int",
                    " && distance(self, c) <= feet",
                ),
                false => ("foes: creature list", ""),
            };
            let chosen = self.choice(policy);
            self.out
                .comment(format!("Who is attacked: {}.", meaning(policy)));
            let name = target_function(policy);
            self.line(code!(
                "deffun {name}({given}) : creature {{ return {chosen} for c : foes if c.hp > \
                 0{within}); }}\n",
                name,
                given,
                chosen,
                within
            ));
        }
        let has_area = self.any(|kind| {
            let mut used = kind.used().into_iter();
            used.any(|deed| matches!(kind.deeds[deed].what, What::Blast(_, Reach::Area(_))))
        });
        if has_area && !self.plan.has_positions() {
            self.out.comment("Whom an area reaches: the three weakest.");
            self.line("deffun reached(foes: creature list) : creature list {");
            self.line("all = sorted(c by c.hp for c : foes if c.hp > 0);");
            self.line("return all[0..min(2, len(all) - 1)];");
            self.line("}\n");
        }
        self.write_functions();
        self.line(
            "deffun anyStands(side: creature list) : bool { return any(c.hp > 0 for c : side); }\n",
        );
    }

    /// The start of an expression that chooses one of several.
    pub(super) fn choice(&self, policy: Targets) -> &'static str {
        match policy {
            Targets::Weakest => "least(c by c.hp",
            Targets::Strongest => "most(c by c.hp",
            Targets::Random => "pick(c",
            Targets::Nearest if self.plan.has_positions() => "least(c by distance(self, c)",
            Targets::Focus | Targets::Nearest => "least(c by 0",
            Targets::Spread => "least(c by c.attacked",
        }
    }

    /// Functions of the encounter that choose, and the lists that they choose from.
    fn write_functions(&mut self) {
        let Some(functions) = self.plan.functions.clone() else {
            return;
        };
        let (given, within) = match self.plan.has_positions() {
            true => (
                "self: creature, side: creature list, feet: int",
                " && distance(self, c) <= feet",
            ),
            false => ("side: creature list", ""),
        };
        self.out.comment("Those of a side who can be chosen.");
        self.line(code!(
            "deffun standing({given}) : creature list {{ return sorted(c by 0 for c : side if \
             c.hp > 0{within}); }}\n",
            given,
            within
        ));
        self.out.comment("Policies of this encounter.");
        self.line(ScriptCode::brought(&functions));
    }

    /// The enemy that `self` chooses, of those within some feet where distances count.
    pub(super) fn chosen(&self, kind: &Kind, feet: impl IsCode + Copy) -> ScriptCode {
        let usual = self.usual(kind, feet);
        let nearest = target_function(Targets::Nearest);
        match (kind.may_go_berserk(), self.plan.has_positions()) {
            (false, _) => usual,
            (true, true) => code!(
                "(self.berserk ? {nearest}(self, foes, {feet}) : {usual})",
                nearest,
                feet,
                usual
            ),
            (true, false) => code!("(self.berserk ? {nearest}(foes) : {usual})", nearest, usual),
        }
    }

    fn usual(&self, kind: &Kind, feet: impl IsCode + Copy) -> ScriptCode {
        let has_positions = self.plan.has_positions();
        match &kind.targets {
            Policy::Known(policy) => match has_positions {
                true => code!("{}(self, foes, {feet})", target_function(*policy), feet),
                false => code!("{}(foes)", target_function(*policy)),
            },
            Policy::Function { function } => {
                let function = policy_function(function);
                match has_positions {
                    true => code!(
                        "{function}(self, friends, standing(self, foes, {feet}))",
                        function,
                        feet
                    ),
                    false => code!("{function}(self, friends, standing(foes))", function),
                }
            }
        }
    }
}

/// A function of the encounter. It was checked before, so its name is valid.
pub(super) fn policy_function(name: &str) -> ScriptCode {
    ScriptCode::name(name).unwrap_or_else(|| identifier(name))
}

/// The function of a named policy.
fn target_function(policy: Targets) -> &'static str {
    match policy {
        Targets::Weakest => "weakest",
        Targets::Strongest => "strongest",
        Targets::Random => "anyOf",
        Targets::Focus => "nextOf",
        Targets::Spread => "leastAttacked",
        Targets::Nearest => "nearest",
    }
}

/// A policy in words.
fn meaning(policy: Targets) -> &'static str {
    match policy {
        Targets::Weakest => "the one with the fewest hit points",
        Targets::Strongest => "the one with the most hit points",
        Targets::Random => "any of them",
        Targets::Focus => "the first one listed, until it falls",
        Targets::Spread => "the one that was attacked least often",
        Targets::Nearest => "the one that is closest",
    }
}
