//! All mutants of a source.
//!
//! ```text
//! text --syn--> syntax tree --Finder--> Vec<Mutant>, in the order of the text
//! ```
//!
//! A switch is asked at run time. So nothing is changed that the compiler evaluates, nor what is in
//! macros, whose arguments need not be Rust. What prints values for people is left alone as well:
//! no suite reads it.

use crate::mutant::{Mutant, SWITCH};
use crate::{operators, values};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    AngleBracketedGenericArguments, Arm, Attribute, Block, Expr, ExprBinary, ExprConst, ExprMatch,
    ExprRepeat, ExprUnary, Generics, ImplItemConst, ImplItemFn, ItemConst, ItemFn, ItemImpl,
    ItemMod, ItemStatic, ItemTrait, Macro, Pat, Path, Safety, Signature, TraitItemConst,
    TraitItemFn, Type, Variant,
};

/// Traits whose functions print.
const PRINTING: [&str; 3] = ["Debug", "Display", "Error"];

/// All mutants of a source.
pub(crate) fn mutants(source: &str) -> syn::Result<Vec<Mutant>> {
    let file = syn::parse_file(source)?;
    let mut finder = Finder {
        source,
        scope: Vec::new(),
        found: Vec::new(),
    };
    finder.visit_file(&file);
    Ok(finder.found)
}

struct Finder<'s> {
    source: &'s str,
    /// The type and the functions that the visit is in.
    scope: Vec<String>,
    found: Vec<Mutant>,
}

impl<'s> Finder<'s> {
    fn text(&self, node: &impl Spanned) -> &'s str {
        &self.source[node.span().byte_range()]
    }

    fn mutant(&self, node: &impl Spanned, what: String) -> Mutant {
        Mutant::new(node.span(), self.scope.join("::"), what)
    }

    fn function(&mut self, attributes: &[Attribute], signature: &Signature, body: &Block) {
        let is_safe = !matches!(signature.safety, Safety::Unsafe(_));
        let is_plain = signature.constness.is_none() && signature.asyncness.is_none() && is_safe;
        if !is_plain || signature.ident == "main" || attributes.iter().any(is_for_tests) {
            return;
        }
        self.scope.push(signature.ident.to_string());
        self.body(signature, body);
        self.visit_block(body);
        self.scope.pop();
    }

    /// Other values than those that a body computes.
    fn body(&mut self, signature: &Signature, body: &Block) {
        let inside = body.brace_token.span.open().byte_range().end
            ..body.brace_token.span.close().byte_range().start;
        let written = self.source[inside.clone()].trim();
        // Attributes inside a body have to stay first in it.
        if written.is_empty() || written.starts_with("#!") {
            return;
        }
        for value in values::returned(&signature.output) {
            if value == written {
                continue;
            }
            let text = format!(" if {SWITCH} {{ return {value}; }}");
            let mutant = self.mutant(&signature.ident, format!("return {value} at once"));
            self.found.push(mutant.inserting(inside.start, text));
        }
    }

    fn arm(&mut self, arm: &Arm, is_caught: bool) {
        match &arm.pat {
            Pat::Guard(guarded) => {
                let guard = &guarded.guard;
                if has_let(guard) {
                    return;
                }
                let text = self.text(guard);
                let both = [
                    (true, format!("{SWITCH} || ({text})")),
                    (false, format!("!{SWITCH} && ({text})")),
                ];
                for (value, text) in both {
                    let mutant = self.mutant(guard, format!("replace match guard with {value}"));
                    self.found.push(mutant.replacing(text));
                }
            }
            pattern if is_caught => {
                let shown: Vec<&str> = self.text(pattern).split_whitespace().collect();
                let what = format!("delete match arm {}", shown.join(" "));
                let end = pattern.span().byte_range().end;
                let mutant = self.mutant(pattern, what);
                self.found
                    .push(mutant.inserting(end, format!(" if !{SWITCH}")));
            }
            _ => {}
        }
    }
}

/// Whether an attribute says that something is only there in tests.
fn is_for_tests(attribute: &Attribute) -> bool {
    let path = attribute.path();
    let is_cfg_test = || {
        let list = attribute.meta.require_list().ok();
        list.is_some_and(|list| list.tokens.to_string() == "test")
    };
    path.is_ident("test") || path.is_ident("cfg") && is_cfg_test()
}

/// Whether a condition binds names, which its other parts may use.
fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        Expr::Paren(inner) => has_let(&inner.expr),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if let Some(body) = &item.default {
            self.function(&item.attrs, &item.sig, body);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let of_trait = item
            .trait_
            .as_ref()
            .and_then(|(path, _)| path.segments.last());
        let prints = of_trait.is_some_and(|name| PRINTING.iter().any(|&one| name.ident == one));
        if prints || item.attrs.iter().any(is_for_tests) {
            return;
        }
        let name = match &*item.self_ty {
            Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        self.scope
            .push(name.unwrap_or_else(|| self.text(&item.self_ty).to_owned()));
        visit::visit_item_impl(self, item);
        self.scope.pop();
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        self.scope.push(item.ident.to_string());
        visit::visit_item_trait(self, item);
        self.scope.pop();
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !item.attrs.iter().any(is_for_tests) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        if let Some((written, others)) = operators::binary(&binary.op)
            && !has_let(&binary.left)
            && !has_let(&binary.right)
        {
            let (left, right) = (self.text(&binary.left), self.text(&binary.right));
            for other in others {
                let text = format!(
                    "(if {SWITCH} {{ ({left}) {other} ({right}) }} else {{ ({left}) {written} ({right}) }})"
                );
                let mut mutant = self.mutant(&binary.op, format!("replace {written} with {other}"));
                mutant.range = binary.span().byte_range();
                self.found.push(mutant.replacing(text));
            }
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast ExprUnary) {
        if let Some(written) = operators::unary(&unary.op) {
            let inner = self.text(&unary.expr);
            let text = format!("(if {SWITCH} {{ ({inner}) }} else {{ {written}({inner}) }})");
            let mutant = self.mutant(unary, format!("delete {written}"));
            self.found.push(mutant.replacing(text));
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_match(&mut self, matching: &'ast ExprMatch) {
        let is_wild = |arm: &Arm| matches!(arm.pat, Pat::Wild(_));
        let last_wild = matching.arms.iter().rposition(is_wild);
        for (index, arm) in matching.arms.iter().enumerate() {
            self.arm(arm, last_wild.is_some_and(|wild| index < wild));
        }
        visit::visit_expr_match(self, matching);
    }

    /// Of patterns, only guards are evaluated at run time.
    fn visit_pat(&mut self, pattern: &'ast Pat) {
        if let Pat::Guard(guarded) = pattern {
            self.visit_expr(&guarded.guard);
        }
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    // What is evaluated by the compiler or is not an expression.
    fn visit_attribute(&mut self, _: &'ast Attribute) {}
    fn visit_type(&mut self, _: &'ast Type) {}
    fn visit_path(&mut self, _: &'ast Path) {}
    fn visit_generics(&mut self, _: &'ast Generics) {}
    fn visit_angle_bracketed_generic_arguments(&mut self, _: &'ast AngleBracketedGenericArguments) {
    }
    fn visit_variant(&mut self, _: &'ast Variant) {}
    fn visit_item_const(&mut self, _: &'ast ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast TraitItemConst) {}
    fn visit_expr_const(&mut self, _: &'ast ExprConst) {}
    fn visit_macro(&mut self, _: &'ast Macro) {}
}
