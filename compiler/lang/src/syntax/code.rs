//! The stable codes of diagnostics. A code's meaning never changes; docs/errors.md describes each
//! with an example.

use std::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $title:literal;)*) => {
        /// A diagnostic's stable code: `D00` the text itself, `D01` names, `D02` types and
        /// constants, `D03` run time (see [`dicec_runtime::trap::TrapCode`]), `D04` limits; `D05`
        /// belongs to the command's own files; `D06` scripts, `D07` features of stat blocks; `D08`
        /// AnyDice programs; `D09` the compiler itself.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// All codes, in order.
            pub const ALL: &[Code] = &[$(Code::$name),*];

            /// The code as users see it, such as `D0101`.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => $text,)* }
            }

            /// A few words on what the code is about.
            pub fn title(self) -> &'static str {
                match self { $(Code::$name => $title,)* }
            }
        }
    };
}

codes! {
    /// There is nothing to compile.
    Empty = "D0001", "empty expression";
    /// A character that no rule uses.
    StrayCharacter = "D0002", "stray character";
    /// A whole number that does not fit an `i64`.
    NumberTooLarge = "D0003", "number too large";
    /// An opening bracket or parenthesis without its closing one.
    Unclosed = "D0004", "unclosed bracket or parenthesis";
    /// A closing bracket or parenthesis without its opening one.
    Unopened = "D0005", "closing bracket or parenthesis without an opening one";
    /// A number, die, resource or parenthesis is missing.
    ExpectedOperand = "D0006", "something is missing";
    /// Something follows the end of the expression.
    Trailing = "D0007", "operator missing";
    /// A resource without a name.
    EmptyName = "D0008", "empty resource name";
    /// More than one comparison in a row.
    ChainedComparison = "D0009", "chained comparison";
    /// `2d6d8`.
    AmbiguousDice = "D0010", "ambiguous dice";
    /// A word that is not part of the language.
    UnknownWord = "D0011", "unknown word";
    /// The same text means something else in virtual tabletops.
    OtherDialect = "D0012", "means something else elsewhere";
    /// Something that the rule book's dialect does not have.
    NotationOnly = "D0013", "not in the rule book's dialect";
    /// Nothing is between braces.
    EmptyBraces = "D0014", "empty braces";
    /// A listed face that is neither a number in range nor a word.
    BadFace = "D0015", "impossible face";
    /// A die lists more faces than supported.
    TooManyFaces = "D0016", "too many listed faces";
    /// A word directly after dice that is not a modifier.
    UnknownModifier = "D0017", "unknown modifier";
    /// A modifier after something that is neither dice nor a group.
    NotAPool = "D0018", "modifier without dice";
    /// A modifier of dice after a group.
    NotForGroups = "D0019", "modifier that groups do not have";
    /// `r1`, `!6`.
    NeedsComparison = "D0020", "comparison missing";
    /// More than one explosion in a pool.
    SecondExplosion = "D0021", "second explosion";
    /// More than one count in a pool, or failures without successes.
    BadCount = "D0022", "counts that do not go together";
    /// An operator next to a count of successes.
    CountIsLast = "D0023", "arithmetic after a count";
    /// A comparison without dice or resources, in the notation dialect.
    ConstantCheck = "D0024", "comparison of written numbers";
    /// A group of one keeps or drops among dice of which some are subtracted.
    SubtractedDice = "D0025", "subtracted dice in a group";
    /// A function that does not exist.
    UnknownFunction = "D0026", "unknown function";
    /// A function with too few or too many values.
    WrongArguments = "D0027", "wrong number of values";
    /// A spelling of another tool.
    OtherTool = "D0028", "spelling of another tool";
    /// A label that is not at a term of the total.
    MisplacedLabel = "D0029", "misplaced label";
    /// A written number of dice below 0, in the notation dialect.
    NegativeCount = "D0030", "negative number of dice";
    /// The middle of dice whose number is known only once they are rolled.
    UnknownMiddle = "D0031", "middle of an unknown number of dice";
    /// A modifier that changes nothing, or a rule with only one result.
    Idle = "D0032", "without any effect";
    /// The same dice in several comparisons, which are rolled for each.
    RolledAgain = "D0033", "rolled once more";
    /// A resource that has no value.
    UnknownResource = "D0101", "unknown resource";
    /// A constant die without sides.
    NoSides = "D0201", "die without sides";
    /// A check where a number is wanted.
    CheckAsNumber = "D0202", "check used as a number";
    /// A constant die with more sides than supported.
    TooManySides = "D0203", "too many sides";
    /// A degree where only a number or check is possible.
    MisplacedVersus = "D0204", "degree out of place";
    /// More than one `vs`: the NESTED_VERSUS of seed 000.
    NestedVersus = "D0205", "nested vs";
    /// A decimal number where a whole one is wanted.
    NotWhole = "D0206", "decimal instead of a whole number";
    /// Dice that would explode or be rerolled for ever.
    EndlessDice = "D0207", "dice that never stop";
    /// A number left the range of `i64` at run time.
    Overflow = "D0301", "number overflow";
    /// A computed die has no sides.
    ComputedNoSides = "D0302", "computed die without sides";
    /// A computed die has too many sides.
    ComputedTooManySides = "D0303", "computed die with too many sides";
    /// A computed pool is too large.
    ComputedTooManyDice = "D0304", "computed pool with too many dice";
    /// Scripted faces ran out.
    FacesRanOut = "D0305", "not enough faces given";
    /// A scripted face that the die does not have.
    ImpossibleFace = "D0306", "impossible face given";
    /// More scripted faces than the rule rolls dice.
    LeftoverFaces = "D0307", "too many faces given";
    /// A number was divided by 0.
    DivisionByZero = "D0308", "division by zero";
    /// A power or root that is not a real number.
    NoRealResult = "D0309", "no real result";
    /// A die exploded too often.
    TooManyExplosions = "D0310", "explosions without end";
    /// A die was rerolled too often.
    TooManyRerolls = "D0311", "rerolls without end";
    /// A script used up its fuel.
    OutOfFuel = "D0312", "a script that never ends";
    /// Functions call each other too deep.
    TooDeep = "D0313", "functions that call each other without end";
    /// A list has no such element.
    NoElement = "D0314", "no such element";
    /// A list grew too long.
    ListTooLong = "D0315", "list too long";
    /// A text grew too long.
    TextTooLong = "D0316", "text too long";
    /// What a script shows a player takes too much memory.
    TooMuchToShow = "D0317", "too much to show";
    /// A table has no row for a number.
    NoRow = "D0318", "number without a row";
    /// In the notation dialect, a computed number of dice is below 0.
    ComputedNegativeCount = "D0319", "computed number of dice below 0";
    /// The source is longer than the limit.
    SourceTooLong = "D0401", "expression too long";
    /// Parentheses or signs nest deeper than the limit.
    NestedTooDeep = "D0402", "nested too deep";
    /// A chain of operators is longer than the limit.
    ChainTooLong = "D0403", "too many operators in a row";
    /// A pool holds more dice than the limit.
    TooManyDice = "D0404", "too many dice";
    /// The exact answer would take more work than the budget.
    Budget = "D0405", "too large for an exact answer";
    /// Fractions were requested for odds that are not fractions.
    NoFraction = "D0406", "no exact fractions";
    /// The pools of a roll may come to more dice than one roll may have.
    TooManyDiceInAll = "D0407", "too many dice in all";
    /// A keyword with wrong capitals, or misspelt.
    Misspelt = "D0601", "misspelt keyword";
    /// A statement, field or part of a list lacks its end, such as `;`.
    MissingSeparator = "D0602", "semicolon or comma missing";
    /// `=` where a value is wanted.
    AssignmentAsValue = "D0603", "assignment used as a value";
    /// A name, type, parenthesis or the like is missing in a script.
    Expected = "D0604", "part of a script missing";
    /// A text or a comment that never ends.
    EndlessText = "D0605", "text or comment without an end";
    /// Something other than a variable, field or element is assigned to.
    BadTarget = "D0606", "cannot be assigned to";
    /// Something other than a definition where only definitions can be, or a definition where only
    /// statements can be.
    Misplaced = "D0607", "out of place in a script";
    /// A backslash in a text with a letter that it has no meaning for.
    UnknownEscape = "D0608", "unknown escape";
    /// Dice in a script whose count or sides hold variables.
    VariableInDice = "D0609", "variable inside dice";
    /// A variable, constant or field that does not exist.
    UnknownName = "D0610", "unknown name";
    /// A call of something that is not a function.
    NoSuchFunction = "D0611", "no such function";
    /// A type that does not exist.
    UnknownType = "D0612", "unknown type";
    /// A variable is named outside the block that it belongs to.
    OutOfScope = "D0613", "variable of another block";
    /// A name is defined a second time.
    DefinedTwice = "D0614", "defined twice";
    /// A type contains itself.
    EndlessType = "D0615", "type that contains itself";
    /// A value of one type where another is wanted.
    WrongType = "D0616", "wrong type";
    /// A call with too few or too many arguments.
    WrongCount = "D0617", "wrong number of arguments";
    /// Something without a value where a value is wanted.
    NoValue = "D0618", "no value";
    /// The type of a list or result cannot be inferred: of a list that is always empty, or of a
    /// function that only returns its own result.
    UnresolvedType = "D0619", "unknown type of a list or result";
    /// A function that returns a value can end without one.
    MissingReturn = "D0620", "return missing";
    /// A value is computed and not used.
    Unused = "D0621", "unused result";
    /// A statement that is never reached.
    Unreachable = "D0622", "never reached";
    /// A loop that never ends.
    EndlessLoop = "D0623", "loop without an end";
    /// A function that calls itself on every path.
    EndlessRecursion = "D0624", "recursion without an end";
    /// `break` or `continue` outside a loop.
    OutsideLoop = "D0625", "outside a loop";
    /// Something has to be known at compile time and is not.
    NotConstant = "D0626", "not a constant";
    /// `roll(...)` without dice.
    NothingRolled = "D0627", "nothing to roll";
    /// A roll inside another, where it cannot be a part of it.
    RollInRoll = "D0628", "roll inside a roll";
    /// Texts that may hold numbers are compared.
    TextsCompared = "D0629", "comparison of texts with numbers";
    /// A new variable whose name differs from another's in capitals only.
    CapitalsOnly = "D0630", "names that differ in capitals";
    /// A type, list or constant that is larger than the limit.
    TooLargeType = "D0631", "type or constant too large";
    /// A library that does not come with the compiler.
    UnknownLibrary = "D0632", "unknown library";
    /// A file that cannot be imported.
    BadImport = "D0633", "file that cannot be imported";
    /// Files that import each other.
    ImportCycle = "D0634", "files that import each other";
    /// Something is assigned in a constant or appended to it.
    ChangedConstant = "D0635", "constant changed";
    /// A `match` or a table has nothing for a value.
    MissingArm = "D0636", "value without an arm or row";
    /// A `match` or a table has more than one arm or row for a value.
    SecondArm = "D0637", "value with two arms or rows";
    /// A name that means several things, between which nothing decides.
    AmbiguousName = "D0638", "ambiguous name";
    /// Dice that are a value hold something other than dice and numbers.
    NotDiceValue = "D0639", "not a value of the type dice";
    /// A text with the name of a variable in braces, which stays as it is.
    NameInText = "D0640", "name in a text";
    /// A file of features is not JSON.
    NotJson = "D0701", "file that is not JSON";
    /// A feature lacks a member, or has one that is not what it has to be.
    BadFeature = "D0702", "wrong part of a feature";
    /// A trigger, a condition, an effect or a duration that the format does not have.
    UnknownPhrase = "D0703", "unknown trigger, condition or effect";
    /// A postfix expression whose operators and values do not match.
    BadPostfix = "D0704", "postfix expression that does not add up";
    /// An attribute or an operator that the format does not have.
    UnknownAttribute = "D0705", "unknown attribute or operator";
    /// A value of one kind where another is wanted in a feature.
    PostfixType = "D0706", "wrong kind of value in a feature";
    /// A value that a feature needs is not given.
    MissingValue = "D0707", "value missing for a feature";
    /// A part of a feature that is read, but not as it is written.
    OddFeature = "D0708", "oddity of a feature";
    /// A part of a feature that changes nothing in a fight.
    NoEffect = "D0709", "no effect in a fight";
    /// Text of an AnyDice program that no statement begins with, or a part of one that is missing.
    AnyDiceStatement = "D0801", "not a statement of AnyDice";
    /// A block, text, comment, sequence or call of an AnyDice program that never ends.
    AnyDiceUnclosed = "D0802", "something without an end in AnyDice";
    /// A value is missing in an AnyDice program.
    AnyDiceValue = "D0803", "value missing in AnyDice";
    /// A statement of AnyDice inside a function, or outside of one, where it cannot be.
    AnyDiceMisplaced = "D0804", "statement of AnyDice out of place";
    /// A variable of AnyDice without a value.
    AnyDiceVariable = "D0805", "unknown variable in AnyDice";
    /// A call of a function that AnyDice and the program do not have.
    AnyDiceFunction = "D0806", "unknown function in AnyDice";
    /// A condition of AnyDice that is not a number.
    AnyDiceCondition = "D0807", "condition that is not a number";
    /// A value of AnyDice of another kind than the place needs.
    AnyDiceKind = "D0808", "wrong kind of value in AnyDice";
    /// A setting of AnyDice that does not exist, or a value that it cannot have.
    AnyDiceSetting = "D0809", "bad setting in AnyDice";
    /// A number of an AnyDice program that is too large, or no whole number.
    AnyDiceNumber = "D0810", "impossible number in AnyDice";
    /// Functions of AnyDice called each other deeper than the setting allows.
    AnyDiceDepth = "D0811", "function depth exceeded in AnyDice";
    /// A call of a function of AnyDice ended without a result.
    AnyDiceNoResult = "D0812", "function without a result in AnyDice";
    /// The older notation inside of AnyDice.
    AnyDiceLegacy = "D0813", "older notation of AnyDice";
    /// A text that is read as an AnyDice program, though nobody said so.
    AnyDiceRead = "D0814", "read as AnyDice";
    /// An AnyDice program that shows nothing.
    AnyDiceNoOutput = "D0815", "AnyDice program without an output";
    /// A construct of AnyDice that the rolling language does not have.
    AnyDiceUntranslated = "D0816", "AnyDice that no script can say";
    /// A program of AnyDice of which a single trial says nothing about the odds.
    AnyDiceUnsampled = "D0817", "AnyDice that cannot be simulated";
    /// A mistake in the compiler itself.
    Internal = "D0901", "internal error";
    /// An answer that its check refutes.
    WrongAnswer = "D0902", "wrong answer";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
