//! Expected types, and the messages about values of other types. A value of unknown type was
//! reported before, so nothing is reported about it.

use super::Signature;
use super::roll::SUCCESS;
use super::scope::Scope;
use super::types::unify;
use crate::hir::{ArithOp, Expr, ExprKind, Field, LocalId, Type, WITHOUT_QUOTES};
use crate::syntax::{Code, Diagnostic, RESOURCE_OR_FLAG, RESOURCE_OR_LIST, nearest};
use dicec_runtime::span::Span;

impl Scope<'_> {
    /// Whether an expression has a type, or can be converted to it; `wants` begins the message,
    /// before the name of the type.
    pub(super) fn require(&mut self, expr: &mut Expr, wanted: &Type, wants: &str) -> bool {
        self.fit(expr, wanted);
        if let Some(ty) = unify(&expr.ty, wanted) {
            self.complete(expr, &ty);
            return true;
        }
        let wanted_words = self.script.words(wanted);
        let message = format!("{wants} {wanted_words}, but this is {}", self.words(expr));
        let found = Diagnostic::error(Code::WrongType, expr.span, message);
        let help = self.help_for(expr, wanted);
        self.report(found.help(help));
        false
    }

    /// Whether an expression is a number, whole or float.
    pub(super) fn require_number(&mut self, expr: &mut Expr, wants: &str) -> bool {
        expr.ty == Type::Float || self.require(expr, &Type::Int, wants)
    }

    pub(super) fn require_truth(&mut self, expr: &Expr) {
        let help = match expr.ty {
            Type::Bool | Type::Unknown => return,
            Type::Int | Type::Float => "compare the number: `x > 0`, `x != 0`",
            Type::Degree(_) => "compare the degree: `degree >= success`",
            Type::Test => "ask for its success: `test.success`",
            Type::Enum(_) => "compare it with a constant: `mode == full`",
            Type::Flags(_) => "ask for one of its flags: `contains(conditions, prone)`",
            _ => "compare it with something: `a == b`",
        };
        let message = format!("this has to be true or false, but is {}", self.words(expr));
        self.report(Diagnostic::error(Code::WrongType, expr.span, message).help(help));
    }

    /// An operand of arithmetic.
    pub(super) fn require_operand(&mut self, op: ArithOp, expr: &Expr) -> bool {
        if matches!(expr.ty, Type::Int | Type::Float | Type::Unknown) {
            return true;
        }
        let takes = match op {
            ArithOp::Add => "adds numbers and joins texts",
            _ => "takes numbers",
        };
        let message = format!("`{op}` {takes}, but this is {}", self.words(expr));
        let found = Diagnostic::error(Code::WrongType, expr.span, message);
        self.report(found.help(self.help_for(expr, &Type::Int)));
        false
    }

    pub(super) fn require_joinable(&mut self, expr: &Expr) {
        if matches!(expr.ty, Type::List(_) | Type::Record(_)) {
            self.no_text(expr);
        }
    }

    pub(super) fn require_field(&mut self, value: &mut Expr, field: &Field) {
        self.fit(value, &field.ty);
        if let Some(ty) = unify(&value.ty, &field.ty) {
            return self.complete(value, &ty);
        }
        let message = format!(
            "the field `{}` holds {}, but this is {}",
            field.name,
            self.script.words(&field.ty),
            self.words(value)
        );
        let found = Diagnostic::error(Code::WrongType, value.span, message)
            .label(field.span, "the field")
            .help(self.help_for(value, &field.ty));
        self.report(found);
    }

    pub(super) fn require_argument(
        &mut self,
        argument: &mut Expr,
        name: &str,
        ty: &Type,
        signature: &Signature,
    ) {
        self.fit(argument, ty);
        if let Some(ty) = unify(&argument.ty, ty) {
            return self.complete(argument, &ty);
        }
        let message = format!(
            "`{name}` of `{}` is {}, but this is {}",
            signature.name,
            self.script.words(ty),
            self.words(argument)
        );
        let found = Diagnostic::error(Code::WrongType, argument.span, message).help(
            match self.script.dice_types(ty) {
                Some(_) => self.help_for(argument, ty).to_owned(),
                None => format!("it is called as `{}`", self.written(signature)),
            },
        );
        self.report(found);
    }

    fn help_for(&self, found: &Expr, wanted: &Type) -> &'static str {
        let is_dice = |ty| self.script.dice_types(ty).is_some();
        match (&found.kind, wanted) {
            (ExprKind::Resource(_), Type::List(_)) => RESOURCE_OR_LIST,
            (ExprKind::Resource(_), Type::Flags(_)) => RESOURCE_OR_FLAG,
            (ExprKind::Text(_), wanted) if is_dice(wanted) => WITHOUT_QUOTES,
            (_, wanted) if is_dice(wanted) => {
                "write the dice without `roll`: `2d6 + 5`; a value is made before it is rolled"
            }
            _ if is_dice(&found.ty) => "write what they come to: `roll(x)`, `average(x)`",
            _ => help_between(&found.ty, wanted),
        }
    }

    /// The value of a hole of a roll.
    pub(super) fn require_hole(&mut self, hole: &Expr) -> bool {
        let help = match hole.ty {
            Type::Int | Type::Float => return true,
            Type::Unknown => return false,
            // The mistake is that it is not a constant.
            _ if rolls_itself(hole) => return false,
            Type::Text => {
                "a text that is rolled has to be a constant: `roll(\"2d6\")`, `roll(count + \"d\" + sides)`"
            }
            Type::Bool => "choose a number: `x ? 1 : 0`",
            _ if self.script.dice_types(&hole.ty).is_some() => {
                "roll each by itself: `roll(x) + roll(2d6)`"
            }
            _ => "write the number that is meant, such as one of its fields",
        };
        let message = format!(
            "dice are rolled with numbers, but this is {}",
            self.words(hole)
        );
        self.report(Diagnostic::error(Code::WrongType, hole.span, message).help(help));
        false
    }

    /// The player who is asked.
    pub(super) fn require_who(&mut self, who: &Expr) {
        if matches!(who.ty, Type::Text | Type::Record(_) | Type::Unknown) {
            return;
        }
        let message = format!("{} cannot be asked", self.words(who));
        let found = Diagnostic::error(Code::WrongType, who.span, message);
        self.report(found.help("ask a record, such as a creature, or name somebody by a text"));
    }

    /// The elements of a list from which a player chooses.
    pub(super) fn require_answer(&mut self, list: &Expr, element: &Type) {
        let help = match element {
            Type::Record(id) => {
                let fields = &self.script.record(*id).fields;
                if fields.iter().any(|field| field.ty == Type::Text) {
                    return;
                }
                "give the type a field of type `string`: players see it"
            }
            Type::List(_) => "offer texts, numbers or records with a name",
            _ => return,
        };
        let message = format!("players cannot choose from {}", self.words(list));
        self.report(Diagnostic::error(Code::WrongType, list.span, message).help(help));
    }
}

/// The messages.
impl Scope<'_> {
    pub(super) fn words(&self, expr: &Expr) -> String {
        self.script.words(&expr.ty)
    }

    fn written(&self, signature: &Signature) -> String {
        let params = signature.params.iter().map(|(name, _)| name.as_str());
        let params: Vec<&str> = params.collect();
        format!("{}({})", signature.name, params.join(", "))
    }

    pub(super) fn no_value(&mut self, expr: &Expr) {
        let message = match &expr.kind {
            ExprKind::Call(id, _) => {
                format!("`{}` returns no value", self.signatures[id.index()].name)
            }
            ExprKind::Append(..) => "`append` gives no value; it changes the list".to_owned(),
            _ => "this gives no value; it changes the list".to_owned(),
        };
        let found = Diagnostic::error(Code::NoValue, expr.span, message);
        self.report(
            found.help("make it a statement of its own, or make the function `return` a value"),
        );
    }

    pub(super) fn no_record(&mut self, record: &Expr, field: &str) {
        let message = format!("{} has no field `{field}`", self.words(record));
        let help = match record.ty {
            Type::List(_) if matches!(field, "length" | "size" | "count" | "len") => {
                "the number of elements of a list is `len(list)`"
            }
            Type::List(_) => {
                "take one of its elements, `xs[0]`, or go through all: `for (x : xs) { ... }`"
            }
            Type::Degree(_) | Type::Enum(_)
                if field != SUCCESS && nearest(field, [SUCCESS]).is_some() =>
            {
                "did you mean `success`?"
            }
            Type::Enum(_) if field == SUCCESS => {
                "say which constants are successes where the enum is defined: \
                 `enum level { miss, hit, critical } succeeds from hit`"
            }
            _ => "only records have fields: values of what `deftype` defines",
        };
        self.report(Diagnostic::error(Code::WrongType, record.span, message).help(help));
    }

    pub(super) fn no_list(&mut self, list: &Expr) {
        let message = format!("a list is wanted here, but this is {}", self.words(list));
        let help = match list.ty {
            _ if matches!(list.kind, ExprKind::Resource(_)) => RESOURCE_OR_LIST,
            Type::Flags(_) => "ask for each flag: `contains(conditions, prone)`",
            Type::Int => "to count, write `for (i : 1..n) { ... }`",
            _ => "a list is written `[a, b]`, and its type `int list`",
        };
        self.report(Diagnostic::error(Code::WrongType, list.span, message).help(help));
    }

    /// Two lists of different elements are joined.
    pub(super) fn other_lists(&mut self, left: &Expr, right: &Expr, span: Span) {
        let [left, right] = [left, right].map(|side| self.words(side));
        let message = format!("`+` joins lists of one type, but these are {left} and {right}");
        let found = Diagnostic::error(Code::WrongType, span, message);
        self.report(found.help("append the elements one by one, in the type of the list"));
    }

    pub(super) fn no_text(&mut self, expr: &Expr) {
        let message = format!("{} cannot be shown as a text", self.words(expr));
        let help = match expr.ty {
            _ if self.script.dice_types(&expr.ty).is_some() => {
                "show what they come to: `roll(x)`, `average(x)`"
            }
            Type::Record(_) => "show its fields",
            _ => "show its elements, or how many there are: `len(...)`",
        };
        self.report(Diagnostic::error(Code::WrongType, expr.span, message).help(help));
    }

    /// A variable gets a value of another type.
    pub(super) fn changed_type(&mut self, local: LocalId, value: &Expr) {
        let local = &self.locals[local.index()];
        let message = format!(
            "`{}` is {}, but this is {}",
            local.name,
            self.script.words(&local.ty),
            self.words(value)
        );
        let found = Diagnostic::error(Code::WrongType, value.span, message)
            .label(local.span, "its first value determines its type")
            .help(self.help_for(value, &local.ty));
        self.report(found);
    }

    pub(super) fn text_to_number(&mut self, value: &Expr) {
        let message = "text cannot be added to a number";
        let found = Diagnostic::error(Code::WrongType, value.span, message);
        self.report(found.help("join them in a new variable: `text = number + \"...\";`"));
    }

    pub(super) fn not_a_number(&mut self, op: ArithOp, ty: &Type, span: Span) {
        let message = format!(
            "`{op}=` changes numbers, but this is {}",
            self.script.words(ty)
        );
        let found = Diagnostic::error(Code::WrongType, span, message);
        self.report(found.help(match self.script.dice_types(ty) {
            Some(_) => "make other dice: `x = x + 3;`",
            None => help_between(ty, &Type::Int),
        }));
    }

    /// The two sides of a `?:` differ.
    pub(super) fn unlike(&mut self, yes: &Expr, no: &Expr, span: Span) {
        let message = "the two values to choose from differ in type";
        let found = Diagnostic::error(Code::WrongType, span, message)
            .label(yes.span, self.words(yes))
            .label(no.span, self.words(no))
            .help("make both the same type");
        self.report(found);
    }

    pub(super) fn other_element(
        &mut self,
        item: &Expr,
        (element, first): (&Type, Option<Span>),
        help: &str,
    ) {
        let message = format!(
            "a list holds values of one type: this is {}, and the first is {}",
            self.words(item),
            self.script.words(element)
        );
        let mut found = Diagnostic::error(Code::WrongType, item.span, message);
        if let Some(first) = first {
            found = found.label(first, "the first");
        }
        self.report(found.help(help));
    }

    pub(super) fn not_comparable(&mut self, left: &Expr, right: &Expr, span: Span) {
        let message = format!(
            "{} and {} cannot be compared",
            self.words(left),
            self.words(right)
        );
        let found = Diagnostic::error(Code::WrongType, span, message);
        self.report(found.help("compare values of one type"));
    }

    /// A comparison that this type does not support.
    pub(super) fn without_order(&mut self, ty: &Type, same: bool, span: Span) {
        let (message, help) = match ty {
            Type::Text => ("texts have no order", "compare them by `==` or `!=`"),
            Type::Bool => ("truth values have no order", "compare them by `==` or `!=`"),
            Type::List(_) if same => (
                "lists cannot be compared",
                "compare their lengths, `len(a) == len(b)`, or their elements",
            ),
            Type::Flags(_) => (
                "sets of flags have no order",
                "ask whether one has all flags of another: `contains(a, b)`",
            ),
            ty if self.script.dice_types(ty).is_some() => (
                "dice cannot be compared",
                "compare what they come to: `roll(a) > roll(b)`, `average(a) > average(b)`",
            ),
            Type::Record(_) => (
                "records have no order",
                "compare their fields; sort by one: `sort(x by x.hp for x : list)`",
            ),
            _ => (
                "lists have no order",
                "compare their lengths: `len(a) < len(b)`",
            ),
        };
        self.report(Diagnostic::error(Code::WrongType, span, message).help(help));
    }

    /// `return;` in a function that returns a value elsewhere.
    pub(super) fn returns_nothing(&mut self, bare: Span, valued: Span) {
        let message = "this returns no value, and the function returns one elsewhere";
        let found = Diagnostic::error(Code::MissingReturn, bare, message)
            .label(valued, "here it returns a value")
            .help("return a value here too, or nowhere");
        self.report(found);
    }

    pub(super) fn return_without_value(&mut self, span: Span) {
        let message = format!(
            "the function returns {}, and this returns nothing",
            self.script.words(&self.result)
        );
        let found = Diagnostic::error(Code::MissingReturn, span, message);
        self.report(found.help("write the value after `return`"));
    }

    /// A `return` of another type than the function's.
    pub(super) fn other_result(&mut self, value: &Expr) {
        let (wanted, this) = (self.script.words(&self.result), self.words(value));
        let (message, help, first_one) = match self.is_table {
            false => (
                format!("the function returns {wanted}, but this is {this}"),
                "a function returns values of one type",
                "its first `return` determines its type",
            ),
            true => (
                format!("the rows of the table are {wanted} each, but this is {this}"),
                "the rows of a table are of one type",
                "its first row determines its type",
            ),
        };
        let mut found = Diagnostic::error(Code::WrongType, value.span, message).help(help);
        if let (Some(first), false) = (self.valued, self.declared) {
            found = found.label(first, first_one);
        }
        self.report(found);
    }

    /// A rule that cannot be part of a script.
    pub(super) fn no_roll(&mut self, ty: &Type, span: Span) {
        let (message, help) = match ty {
            Type::Bool => (
                "a roll yields a number, but this is a comparison",
                "compare what is rolled: `roll(d20) >= 10`",
            ),
            _ => (
                "a group that drops some of its rolls cannot contain a `vs`",
                "choose the roll first, and compare it with the class: `{a, b}kh1 vs ac`",
            ),
        };
        self.report(Diagnostic::error(Code::WrongType, span, message).help(help));
    }
}

/// Whether an expression contains dice or a question.
fn rolls_itself(expr: &Expr) -> bool {
    let mut rolls = false;
    expr.each(&mut |part| {
        rolls |= matches!(part.kind, ExprKind::Roll(_) | ExprKind::Option(_));
    });
    rolls
}

/// How to turn a value of one type into another.
fn help_between(found: &Type, wanted: &Type) -> &'static str {
    match (found, wanted) {
        (Type::Float, Type::Int) => "round it: `floor(x)`, `ceil(x)` or `round(x)`",
        (Type::Bool, Type::Int) => "choose a number: `x ? 1 : 0`",
        (Type::Int, Type::Bool) => "compare the number: `x > 0`, `x != 0`",
        (Type::Degree(_), Type::Int) => "choose a number: `degree >= success ? 1 : 0`",
        (Type::Test, Type::Int) => {
            "write its degrees, which are below 0 for a failure: `test.degrees`"
        }
        (Type::Test, Type::Bool) => "ask for its success: `test.success`",
        (Type::Enum(_), Type::Int) => "choose a number: `match (x) { a: 1, else: 0 }`",
        (Type::Flags(_), Type::Int) => "choose a number: `contains(x, prone) ? 1 : 0`",
        (_, Type::Enum(_)) => "write one of its constants",
        (Type::List(_), Type::Flags(_)) => "add the flags: `prone + stunned`",
        (_, Type::Flags(_)) => "write its constants: `prone`, `[prone, stunned]`, or `[]` for none",
        (Type::Text, Type::Int) => {
            "this is text, not a number; to roll dice in a text: `roll(\"2d6\")`"
        }
        (_, Type::Text) => "join it to a text: `\"\" + x`",
        (Type::List(_), Type::Int) => "take an element, `xs[0]`, or the length, `len(xs)`",
        (Type::Record(_), Type::Int) => "write the field that is meant: `x.field`",
        (Type::List(_), _) => "take an element: `xs[0]`",
        (_, Type::List(_)) => "make a list of it: `[x,]`",
        _ => "use a value of that type, or another variable",
    }
}
