//! The attributes of creatures and objects, and their defaults (seed 001, "Variables").

use std::fmt;

/// An attribute.
#[derive(Clone, Copy, Debug)]
pub enum Attribute {
    /// One of the format's list.
    Listed(&'static Info),
    /// `NV1`, `NV2`, ...: a variable of the feature, at first 0.
    Private(u32),
}

/// A row of the format's list of attributes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Info {
    /// Its name.
    pub name: &'static str,
    /// The kind of its value.
    pub kind: Kind,
    /// Its default.
    pub default: Default,
}

/// The kind of an attribute's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number,
    /// Whether something is so: 0 or 1.
    Truth,
    /// A condition: the id of the creature that it comes from, 0 for none.
    Source,
    /// One word out of several, such as a kind of light.
    Word,
}

/// The default of an attribute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Default {
    /// It has to be given: it differs from creature to creature.
    None,
    /// This number.
    Number(f64),
    /// The result of this postfix expression.
    Formula(&'static str),
}

/// Names are unique, so they decide.
impl PartialEq for Attribute {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Listed(one), Self::Listed(other)) => one.name == other.name,
            (Self::Private(one), Self::Private(other)) => one == other,
            _ => false,
        }
    }
}

impl Eq for Attribute {}

impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listed(info) => f.write_str(info.name),
            Self::Private(number) => write!(f, "NV{number}"),
        }
    }
}

impl Attribute {
    /// The attribute of a name, which is written in capitals.
    pub fn named(name: &str) -> Option<Self> {
        if let Some(number) = name.strip_prefix("NV") {
            return numbered(number).map(Self::Private);
        }
        let mut all = ALL.iter();
        all.find(|info| info.name == name).map(Self::Listed)
    }

    /// The modifier of an ability, given by its name in a stat block: `strength`.
    pub fn of_ability(ability: &str) -> Option<Self> {
        let mut abilities = ABILITIES.iter();
        let (short, _) = abilities.find(|(short, long)| {
            ability.eq_ignore_ascii_case(long) || ability.eq_ignore_ascii_case(short)
        })?;
        Self::named(short)
    }

    /// The kind of its value.
    pub fn kind(self) -> Kind {
        match self {
            Self::Listed(info) => info.kind,
            Self::Private(_) => Kind::Number,
        }
    }

    /// Its default.
    pub fn default(self) -> Default {
        match self {
            Self::Listed(info) => info.default,
            Self::Private(_) => Default::Number(0.0),
        }
    }
}

/// The number after `V` or `NV`: only digits, and few of them.
pub(super) fn numbered(digits: &str) -> Option<u32> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_number.then(|| digits.parse().ok()).flatten();
    number.filter(|&number: &u32| number < MAX_VARIABLES)
}

/// A feature has fewer variables than this.
const MAX_VARIABLES: u32 = 1000;

/// The abilities, as attributes and as words.
pub const ABILITIES: [(&str, &str); 6] = [
    ("STR", "strength"),
    ("DEX", "dexterity"),
    ("CON", "constitution"),
    ("INT", "intelligence"),
    ("WIS", "wisdom"),
    ("CHA", "charisma"),
];

/// The skills of the SRD 5.1, as words; in capitals they are attributes.
pub const SKILLS: [&str; 18] = [
    "acrobatics",
    "animal handling",
    "arcana",
    "athletics",
    "deception",
    "history",
    "insight",
    "intimidation",
    "investigation",
    "medicine",
    "nature",
    "perception",
    "performance",
    "persuasion",
    "religion",
    "sleight of hand",
    "stealth",
    "survival",
];

/// The attributes that have to be given.
macro_rules! given {
    ($kind:ident, $name:literal) => {
        Info {
            name: $name,
            kind: Kind::$kind,
            default: Default::None,
        }
    };
}

/// The attributes with a number as their default.
macro_rules! number {
    ($kind:ident, $name:literal, $default:literal) => {
        Info {
            name: $name,
            kind: Kind::$kind,
            default: Default::Number($default),
        }
    };
}

/// The attributes with a formula as their default.
macro_rules! formula {
    ($name:literal, $default:literal) => {
        Info {
            name: $name,
            kind: Kind::Number,
            default: Default::Formula($default),
        }
    };
}

/// All attributes, in the order of the seed; the skills come last.
pub(super) const ALL: &[Info] = &[
    given!(Number, "STR"),
    given!(Number, "DEX"),
    given!(Number, "CON"),
    given!(Number, "INT"),
    given!(Number, "WIS"),
    given!(Number, "CHA"),
    given!(Number, "PROF"),
    given!(Number, "MAXHP"),
    given!(Number, "HP"),
    given!(Number, "MOVESPEED"),
    given!(Number, "MOVEREMAIN"),
    given!(Number, "SPELLDC"),
    given!(Number, "SIZE"),
    given!(Number, "OBJECT_TYPE"),
    given!(Number, "OBJECT_AC"),
    given!(Number, "CR"),
    number!(Number, "PLANE", 0.0),
    given!(Number, "DAMAGE.AMOUNT"),
    given!(Truth, "DAMAGE.CRITICAL"),
    given!(Word, "DAMAGE.TYPE"),
    given!(Truth, "ATTACK.MELEE"),
    given!(Truth, "ATTACK.ADVANTAGE"),
    given!(Truth, "ATTACK.DISADVANTAGE"),
    given!(Number, "ATTACK.WEAPON"),
    given!(Number, "TURNS"),
    given!(Truth, "FLYING"),
    given!(Word, "TERRAIN"),
    given!(Word, "LIGHTING"),
    given!(Number, "LANGUAGECOUNT"),
    given!(Truth, "SURPRISED"),
    given!(Truth, "METAL"),
    given!(Truth, "TERRAIN_IS_DIFFICULT"),
    number!(Source, "BLINDED", 0.0),
    number!(Source, "CHARMED", 0.0),
    number!(Source, "DEAFENED", 0.0),
    number!(Source, "FRIGHTENED", 0.0),
    number!(Source, "GRAPPLED", 0.0),
    number!(Source, "INCAPACITATED", 0.0),
    number!(Source, "INVISIBLE", 0.0),
    number!(Source, "PARALYZED", 0.0),
    number!(Source, "PETRIFIED", 0.0),
    number!(Source, "POISONED", 0.0),
    number!(Source, "PRONE", 0.0),
    number!(Source, "RESTRAINED", 0.0),
    number!(Source, "STUNNED", 0.0),
    number!(Source, "UNCONSCIOUS", 0.0),
    number!(Number, "EXHAUSTED", 0.0),
    number!(Truth, "REGAINS_HP", 1.0),
    number!(Truth, "CAN_STOP_IN_HOSTILE_SPACE", 0.0),
    formula!("MIN_SPACE_WITHOUT_SQUEEZING", "SIZE"),
    number!(Truth, "BREATHES_AIR", 1.0),
    number!(Truth, "BREATHES_WATER", 0.0),
    formula!("BREATH_HOLD_MINUTES", "(1,CON,+,.5,max)"),
    formula!(
        "CARRY_CAPACITY",
        "(2,SIZE,2.5,-,SIZE,0,ifelse,5,-,5,/,^,15,*,STR,*)"
    ),
    number!(Truth, "BERSERK", 0.0),
    number!(Number, "TELEPATHIC", 0.0),
    number!(Number, "DASH", 0.0),
    number!(Number, "DISENGAGE", 0.0),
    number!(Number, "HIDE", 0.0),
    number!(Truth, "SEES_MAGICAL_DARKNESS", 0.0),
    number!(Truth, "SEES_ETHEREAL", 0.0),
    number!(Truth, "DETECTS_LIES", 0.0),
    number!(Truth, "LEAVES_CORPSE", 1.0),
    number!(Truth, "HOLDS_INVENTORY", 1.0),
    number!(Truth, "PROVOKES_OPPORTUNITY_ATTACKS", 1.0),
    number!(Truth, "IGNORES_DIFFICULT_TERRAIN", 0.0),
    number!(Truth, "PASSES_THROUGH_CREATURES_AS_DIFFICULT_TERRAIN", 0.0),
    number!(Truth, "IGNORES_WEBS", 0.0),
    number!(Number, "REACTIONS", 1.0),
    number!(Number, "BRIGHT_LIGHT", 0.0),
    number!(Number, "DIM_LIGHT", 0.0),
    number!(Truth, "PERFECT_MAP_RECALL", 0.0),
    formula!(
        "MIMIC_SOUNDS_VOICES_INSIGHT_DC",
        "(PERFORMANCE,DECEPTION,max)"
    ),
    number!(Truth, "SPEAKS_WITH_BEASTS", 0.0),
    number!(Truth, "SPEAKS_WITH_PLANTS", 0.0),
    number!(Truth, "SPIDER_CLIMB", 0.0),
    number!(Truth, "BOILS_WATER", 0.0),
    number!(Number, "FORM_STATE", 0.0),
    number!(Truth, "MUNDANE_OBJECT_WHEN_STILL", 0.0),
    number!(Truth, "CAN_SMELL", 1.0),
    number!(Number, "ALIGNMENT", 11.0),
    number!(Truth, "ANTIMAGIC_INCAPACITATES", 0.0),
    number!(Truth, "ALIVE", 1.0),
    number!(Number, "BLINDSIGHT", 0.0),
    number!(Number, "RUST", 0.0),
    number!(Truth, "EXPOSED", 0.0),
    number!(Number, "HEADS", 1.0),
    number!(Number, "SPELLSLOTS", 0.0),
    given!(Number, "ACROBATICS"),
    given!(Number, "ANIMAL_HANDLING"),
    given!(Number, "ARCANA"),
    given!(Number, "ATHLETICS"),
    given!(Number, "DECEPTION"),
    given!(Number, "HISTORY"),
    given!(Number, "INSIGHT"),
    given!(Number, "INTIMIDATION"),
    given!(Number, "INVESTIGATION"),
    given!(Number, "MEDICINE"),
    given!(Number, "NATURE"),
    given!(Number, "PERCEPTION"),
    given!(Number, "PERFORMANCE"),
    given!(Number, "PERSUASION"),
    given!(Number, "RELIGION"),
    given!(Number, "SLEIGHT_OF_HAND"),
    given!(Number, "STEALTH"),
    given!(Number, "SURVIVAL"),
];
