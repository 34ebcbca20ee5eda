//! From text to a program.

use super::checked::setting::Check;
use super::failure::internal;
use super::files::{self, ScriptErrors};
use super::guard::guarded;
use super::limits::Limits;
use super::program::{Program, Written};
use dicec_lang::check;
use dicec_lang::front::dice_resources::DiceResources;
use dicec_lang::front::frame::Frame;
use dicec_lang::front::notation::foreign;
use dicec_lang::front::notation::{self, Dialect};
use dicec_lang::front::script::{Load, is_compound};
use dicec_lang::syntax::{Diagnostics, SourceLimits, Sources};
use dicec_runtime::limits::{PlayLimits, RollLimits, ScriptLimits};
use dicec_runtime::resource::ResourceName;
use std::borrow::Cow;

/// Compiles rules and scripts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compiler {
    dialect: Dialect,
    limits: Limits,
    /// Whether the rule book's clamps at 0 are omitted, to measure their effect.
    is_unclamped: bool,
}

impl Compiler {
    /// A compiler with the default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with this dialect for rules; the rule book's is the default.
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// The same without the rule book's clamps at 0.
    pub(super) fn unclamped(mut self) -> Self {
        self.is_unclamped = true;
        self
    }

    /// The same with these limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits.in_range();
        self
    }

    /// The same with these limits on the text.
    pub fn source_limits(self, source: SourceLimits) -> Self {
        let limits = self.limits;
        self.limits(Limits { source, ..limits })
    }

    /// The limits on the text.
    pub(super) fn source_bounds(&self) -> SourceLimits {
        self.limits.source
    }

    /// The same with these limits on a roll.
    pub fn roll_limits(self, roll: RollLimits) -> Self {
        let limits = self.limits;
        self.limits(Limits { roll, ..limits })
    }

    /// The same with these limits on a trial of a script.
    pub fn script_limits(self, script: ScriptLimits) -> Self {
        let limits = self.limits;
        self.limits(Limits { script, ..limits })
    }

    /// The same with these limits on the output of an execution for a player.
    pub fn play_limits(self, play: PlayLimits) -> Self {
        let limits = self.limits;
        self.limits(Limits { play, ..limits })
    }

    /// The same with this check of answers before they are given; [`Check::Usual`] is the default.
    /// [`Limits::check`] limits its cost.
    pub fn check(self, check: Check) -> Self {
        let limits = self.limits;
        self.limits(Limits {
            check: check.limits(),
            ..limits
        })
    }

    /// Compiles a rule: an expression, a check (seed 002) or a roll against a class (seed 000).
    ///
    /// # Errors
    /// All errors in the text; see `docs/errors.md`.
    pub fn rule(&self, text: &str) -> Result<Program, Diagnostics> {
        guarded(|| self.compile_rule(text)).unwrap_or_else(|what| Err(internal(text, what).into()))
    }

    /// A rule in which dice replace resources: the text to compile instead.
    ///
    /// # Errors
    /// Dice that refer to each other in a cycle, or a rule that becomes too long.
    pub fn with_dice<'t>(
        &self,
        text: &'t str,
        dice: &DiceResources,
    ) -> Result<Cow<'t, str>, Diagnostics> {
        dice.expand(text, self.limits.source)
    }

    /// Sets the dice of a resource, in the dialect of this compiler's rules.
    ///
    /// # Errors
    /// All errors in the text of the dice.
    pub fn set_dice(
        &self,
        dice: &mut DiceResources,
        name: ResourceName,
        text: &str,
    ) -> Result<(), Diagnostics> {
        dice.set(name, text, self.dialect, self.limits.source)
    }

    fn compile_rule(&self, text: &str) -> Result<Program, Diagnostics> {
        let rule = Frame::of(text).rule;
        if let Some(misread) = foreign::misread(text, rule) {
            return Err(misread.into());
        }
        let compiled = match is_compound(&text[rule.range()]) {
            true => self.compile_compound(text),
            false => self.compile_notation(text),
        };
        compiled.map_err(|found| foreign::explained(text, rule, found))
    }

    fn compile_notation(&self, text: &str) -> Result<Program, Diagnostics> {
        let parsed = notation::parse(text, self.dialect, self.limits.source);
        let mut found = parsed.diagnostics;
        // Checking a tree with errors in it would only report more of them.
        if found.has_errors() {
            return Err(found);
        }
        if notation::counts_check(&parsed.ast) || notation::rolls_again(&parsed.ast) {
            return self.compile_compound(text);
        }
        let mut hir = notation::to_hir(&parsed.ast, self.dialect, !self.is_unclamped);
        found.append(check::check(&mut hir, self.limits.roll));
        if found.has_errors() {
            return Err(found);
        }
        let rule = Frame::of(text).rule;
        let mut notes = notation::notes(&parsed.ast, text, rule, self.dialect);
        if notes.is_empty() {
            notes.extend(check::bounds::certain(&hir));
        }
        found.append(notes);
        found.append(foreign::call_names(text, rule));
        let written = Written {
            text: text.into(),
            dialect: self.dialect,
            ast: Some(parsed.ast),
        };
        let sources = Sources::single("", text);
        let rule = Some(written);
        Ok(Program::new(sources, rule, hir, self.limits, found))
    }

    fn compile_compound(&self, text: &str) -> Result<Program, Diagnostics> {
        let (source, roll) = (self.limits.source, self.limits.roll);
        let clamps = !self.is_unclamped;
        let compiled = files::compile_compound(text, self.dialect, clamps, source, roll);
        let compiled = compiled.map_err(|errors| errors.found)?;
        let written = Written {
            text: text.into(),
            dialect: self.dialect,
            ast: None,
        };
        let files::Compiled {
            hir,
            sources,
            mut notes,
        } = compiled;
        notes.append(foreign::call_names(text, Frame::of(text).rule));
        let rule = Some(written);
        Ok(Program::new(sources, rule, hir, self.limits, notes))
    }

    /// Compiles a script that imports no files; it may import libraries (`import std.dnd;`).
    ///
    /// # Errors
    /// All errors in the text; see `docs/errors.md`.
    pub fn script(&self, text: &str) -> Result<Program, Diagnostics> {
        let mut load = |_: &str, _: &str| Err("nothing here reads files".to_owned());
        self.script_file("", text, &mut load)
            .map_err(|errors| errors.found)
    }

    /// Compiles the script of the file `name` and all files that it imports, which `load` reads.
    ///
    /// # Errors
    /// All errors in the files; see `docs/errors.md`.
    pub fn script_file(
        &self,
        name: &str,
        text: &str,
        load: &mut Load<'_>,
    ) -> Result<Program, ScriptErrors> {
        let (source, roll) = (self.limits.source, self.limits.roll);
        let compiled = guarded(|| files::compile_script(name, text, source, roll, load))
            .unwrap_or_else(|what| {
                Err(ScriptErrors {
                    found: internal(text, what).into(),
                    sources: Sources::single(name, text),
                })
            })?;
        let files::Compiled {
            hir,
            sources,
            notes,
        } = compiled;
        Ok(Program::new(sources, None, hir, self.limits, notes))
    }
}
