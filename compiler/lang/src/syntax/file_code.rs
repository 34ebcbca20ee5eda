//! Codes of errors in files, tables and documents; those of texts are in `code.rs`.

/// The codes of findings that are not about a rule's text. Their meaning never changes;
/// docs/errors.md describes each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileCode {
    /// A file or standard input cannot be read.
    Unreadable,
    /// A sheet is not an object of names and whole numbers.
    BadSheet,
    /// A table is not well-formed CSV.
    BadTable,
    /// A cell of a table is not what its column needs.
    BadCell,
    /// A table lacks a column that a rule needs.
    MissingColumn,
    /// A file cannot be written; what was there before is untouched.
    Unwritable,
    /// The user cancelled.
    Cancelled,
    /// Native code cannot be made here.
    NoNativeCode,
    /// A note on a table of odds: rows that were left out, or how it was sampled.
    TableNote,
    /// A script is not in its normal layout.
    Unformatted,
    /// Arguments that do not fit a roll of a script.
    BadArguments,
    /// A session that is damaged or belongs to something else.
    BadSession,
    /// A roll that a script does not define.
    UnknownRoll,
    /// An option that a roll did not meet.
    UnknownOption,
    /// A question about what a summary does not keep.
    NotInSummary,
    /// A seed for a session that has one.
    SecondSeed,
    /// A sweep that changes nothing, or whose results cannot be shown.
    BadSweep,
    /// A file of a table whose extension says nothing.
    UnknownFormat,
    /// Two expressions of one name.
    NameTwice,
    /// A configuration that is not one.
    BadSettings,
    /// A line of a session that asks for nothing.
    BadEntry,
    /// An item, an actor or a scenario that is not one.
    BadItem,
    /// A part of an item that has no effect.
    ItemNote,
    /// An encounter or a stat block that is not one.
    BadEncounter,
    /// A part of an encounter that is not modelled.
    EncounterNote,
    /// An AnyDice program in a table whose outputs have no columns.
    OtherOutputs,
    /// A choice among the parts of a result that cannot be made.
    BadParts,
    /// A condition that never holds.
    NeverGiven,
    /// A note on odds given a condition: what they leave out.
    GivenNote,
    /// A statement of SQL that is not one, or that names what is not there.
    BadSql,
    /// A call of a function of SQL whose arguments do not fit.
    BadCall,
    /// A cluster that cannot be reached, or that gave up.
    NoCluster,
    /// A program that a command hands its work to is not installed.
    NotInstalled,
    /// What a cluster cannot do for a command.
    NotOnCluster,
    /// A file, or a kind of plan, that the machines of a cluster refuse.
    Refused,
    /// A statement that takes more memory than it may.
    TooMuchMemory,
    /// A request to a server that makes no sense.
    BadRequest,
    /// A request that a server does not take from here.
    NotAllowed,
    /// A server that has too much to do.
    Busy,
    /// A request that is too large for a server.
    TooLarge,
    /// Work that took longer than a server lets it.
    OutOfTime,
    /// The process that worked on a question ended without an answer.
    ProcessEnded,
}

impl FileCode {
    /// All codes, in order.
    pub const ALL: [FileCode; 42] = [
        FileCode::Unreadable,
        FileCode::BadSheet,
        FileCode::BadTable,
        FileCode::BadCell,
        FileCode::MissingColumn,
        FileCode::Unwritable,
        FileCode::Cancelled,
        FileCode::NoNativeCode,
        FileCode::TableNote,
        FileCode::Unformatted,
        FileCode::BadArguments,
        FileCode::BadSession,
        FileCode::UnknownRoll,
        FileCode::UnknownOption,
        FileCode::NotInSummary,
        FileCode::SecondSeed,
        FileCode::BadSweep,
        FileCode::UnknownFormat,
        FileCode::NameTwice,
        FileCode::BadSettings,
        FileCode::BadEntry,
        FileCode::BadItem,
        FileCode::ItemNote,
        FileCode::BadEncounter,
        FileCode::EncounterNote,
        FileCode::OtherOutputs,
        FileCode::BadParts,
        FileCode::NeverGiven,
        FileCode::GivenNote,
        FileCode::BadSql,
        FileCode::BadCall,
        FileCode::NoCluster,
        FileCode::NotInstalled,
        FileCode::NotOnCluster,
        FileCode::Refused,
        FileCode::TooMuchMemory,
        FileCode::BadRequest,
        FileCode::NotAllowed,
        FileCode::Busy,
        FileCode::TooLarge,
        FileCode::OutOfTime,
        FileCode::ProcessEnded,
    ];

    /// The code as users see it.
    pub fn as_str(self) -> &'static str {
        match self {
            FileCode::Unreadable => "D0501",
            FileCode::BadSheet => "D0502",
            FileCode::BadTable => "D0503",
            FileCode::BadCell => "D0504",
            FileCode::MissingColumn => "D0505",
            FileCode::Unwritable => "D0506",
            FileCode::Cancelled => "D0507",
            FileCode::NoNativeCode => "D0508",
            FileCode::TableNote => "D0509",
            FileCode::Unformatted => "D0510",
            FileCode::BadArguments => "D0511",
            FileCode::BadSession => "D0512",
            FileCode::UnknownRoll => "D0513",
            FileCode::UnknownOption => "D0514",
            FileCode::NotInSummary => "D0515",
            FileCode::SecondSeed => "D0516",
            FileCode::BadSweep => "D0517",
            FileCode::UnknownFormat => "D0518",
            FileCode::NameTwice => "D0519",
            FileCode::BadSettings => "D0520",
            FileCode::BadEntry => "D0521",
            FileCode::BadItem => "D0522",
            FileCode::ItemNote => "D0523",
            FileCode::BadEncounter => "D0524",
            FileCode::EncounterNote => "D0525",
            FileCode::OtherOutputs => "D0526",
            FileCode::BadParts => "D0527",
            FileCode::NeverGiven => "D0528",
            FileCode::GivenNote => "D0529",
            FileCode::BadSql => "D0530",
            FileCode::BadCall => "D0531",
            FileCode::NoCluster => "D0532",
            FileCode::NotInstalled => "D0533",
            FileCode::NotOnCluster => "D0534",
            FileCode::Refused => "D0535",
            FileCode::TooMuchMemory => "D0536",
            FileCode::BadRequest => "D0540",
            FileCode::NotAllowed => "D0541",
            FileCode::Busy => "D0542",
            FileCode::TooLarge => "D0543",
            FileCode::OutOfTime => "D0544",
            FileCode::ProcessEnded => "D0545",
        }
    }
}
