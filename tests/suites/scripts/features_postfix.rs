//! Postfix expressions of features (seed 001, "Variables"): what they give, what they store, and
//! what is refused.

use dicec_games::features::{
    Attribute, Default, Evaluation, Value, Values, evaluate, read_expression,
};
use dicec_lang::syntax::Code;

/// What an expression comes to with values as they are typed.
fn evaluated(text: &str, given: &[(&str, &str)]) -> Result<Evaluation, Code> {
    let (expr, found) = read_expression(text);
    let Some(expr) = expr else {
        return Err(found.errors().next().expect("it is wrong").code);
    };
    let mut values = Values::default();
    for (name, value) in given {
        values.give(name, value).expect("a value");
    }
    evaluate(&expr, &values).map_err(|wrong| wrong.code)
}

#[track_caller]
fn gives(text: &str, given: &[(&str, &str)], value: f64) {
    let found = evaluated(text, given).map(|evaluation| evaluation.value);
    assert_eq!(found, Ok(Value::Number(value)), "{text}");
}

#[track_caller]
fn fails(text: &str, given: &[(&str, &str)], code: Code) {
    assert_eq!(evaluated(text, given), Err(code), "{text}");
}

/// Seed 001, "Variables": postfix with numbers and attributes.
#[test]
fn simple_math_of_the_seed() {
    gives("(8,INT,PROF,+,+)", &[("INT", "3"), ("PROF", "2")], 13.0);
    gives("8,INT,PROF,+,+", &[("INT", "-1"), ("PROF", "2")], 9.0);
    gives("(1,CON,+,.5,max)", &[("CON", "2")], 3.0);
    gives("(1,CON,+,.5,max)", &[("CON", "-4")], 0.5);
    gives("(10,4,-)", &[], 6.0);
    gives("(2,8,min)", &[], 2.0);
    gives("(2,3,^)", &[], 8.0);
    gives("(-1,.5,*)", &[], -0.5);
    gives(
        "(creature.STR,STR,-)",
        &[("creature.STR", "4"), ("self.STR", "1")],
        3.0,
    );
    gives(
        "(creature.DAMAGE.AMOUNT,2,/)",
        &[("creature.DAMAGE.AMOUNT", "7")],
        3.5,
    );
    fails("(1,0,/)", &[], Code::DivisionByZero);
    fails("(0,1,-,.5,^)", &[], Code::NoRealResult);
}

/// Seed 001, "Variables": "The following rules are respected; note order matters".
#[test]
fn boolean_rules_of_the_seed() {
    gives("(5,7,&)", &[], 5.0);
    gives("(5,0,&)", &[], 0.0);
    gives("(0,7,&)", &[], 0.0);
    gives("(5,7,|)", &[], 5.0);
    gives("(0,7,|)", &[], 7.0);
    gives("(0,!)", &[], 1.0);
    gives("(-3,!)", &[], 0.0);
    gives("(2,3,<)", &[], 1.0);
    gives("(3,3,<)", &[], 0.0);
    gives("(3,3,<=,3,3,>=,&)", &[], 1.0);
    gives("(3,2,>,3,3,==,+)", &[], 2.0);
    gives("(7,10,20,ifelse)", &[], 10.0);
    gives("(0,10,20,ifelse)", &[], 20.0);
}

/// Seed 001, "Variables": `consume`, `duplicate` and `store`.
#[test]
fn the_stack_of_the_seed() {
    gives("(3,duplicate,*)", &[], 9.0);
    gives("(3,8,consume)", &[], 3.0);
    gives("(8,consume,3)", &[], 3.0);
    gives("(1,8,consume,9,consume,2,+)", &[], 3.0);
    gives("(NV1,1,+)", &[], 1.0);
    let found = evaluated("(5,NV1,store)", &[]).expect("a value");
    assert_eq!(found.value, Value::Number(5.0));
    assert_eq!(found.stored.get("NV1"), Some(&Value::Number(5.0)));
    // What is consumed was stored before, and later words read it.
    let found = evaluated("(5,NV1,store,consume,NV1,2,*,creature.HP,store)", &[]);
    let found = found.expect("a value");
    assert_eq!(found.value, Value::Number(10.0));
    assert_eq!(found.stored.get("creature.HP"), Some(&Value::Number(10.0)));
    // The value below was computed before the store above it.
    gives("(NV1,5,NV1,store,consume)", &[("NV1", "2")], 2.0);
    gives("(NV1,5,NV1,store,consume,NV1,+)", &[("NV1", "2")], 7.0);
}

/// Issue 16, 1: depth of the stack and types are checked when compiling.
#[test]
fn what_does_not_add_up_is_refused() {
    for (text, code) in [
        ("", Code::BadPostfix),
        ("(+)", Code::BadPostfix),
        ("(1,+)", Code::BadPostfix),
        ("(1,2)", Code::BadPostfix),
        ("(1,consume)", Code::BadPostfix),
        ("(1,2,ifelse)", Code::BadPostfix),
        ("(creature,turnstart)", Code::BadPostfix),
        ("(HPP,1,+)", Code::UnknownAttribute),
        ("(HP,1,%)", Code::UnknownAttribute),
        ("(DAMAGE,1,+)", Code::UnknownAttribute),
        ("(creature,1,+)", Code::PostfixType),
        ("(fire,!)", Code::PostfixType),
        ("(fire,1,==)", Code::PostfixType),
        ("(1,2,store)", Code::PostfixType),
        ("(fire,HP,store)", Code::PostfixType),
        ("(1,1,fire,ifelse)", Code::PostfixType),
        ("(creature,strenth,roll)", Code::PostfixType),
        ("(5,creature,distance)", Code::PostfixType),
    ] {
        fails(text, &[], code);
    }
    let long = format!("(1{})", ",1,+".repeat(300));
    fails(&long, &[], Code::BadPostfix);
    fails("(V0,1,+)", &[("V0", "horn")], Code::PostfixType);
    fails("(8,STR,+)", &[], Code::MissingValue);
}

/// Seed 001, "Variables": the attributes with defaults.
#[test]
fn defaults_of_the_seed() {
    let zero = "BLINDED CHARMED DEAFENED FRIGHTENED GRAPPLED INCAPACITATED INVISIBLE PARALYZED \
                PETRIFIED POISONED PRONE RESTRAINED STUNNED UNCONSCIOUS EXHAUSTED PLANE \
                CAN_STOP_IN_HOSTILE_SPACE BREATHES_WATER BERSERK TELEPATHIC DASH DISENGAGE HIDE \
                SEES_MAGICAL_DARKNESS SEES_ETHEREAL DETECTS_LIES IGNORES_DIFFICULT_TERRAIN \
                PASSES_THROUGH_CREATURES_AS_DIFFICULT_TERRAIN IGNORES_WEBS BRIGHT_LIGHT DIM_LIGHT \
                PERFECT_MAP_RECALL SPEAKS_WITH_BEASTS SPEAKS_WITH_PLANTS SPIDER_CLIMB BOILS_WATER \
                FORM_STATE MUNDANE_OBJECT_WHEN_STILL ANTIMAGIC_INCAPACITATES BLINDSIGHT RUST \
                EXPOSED SPELLSLOTS NV1 NV2";
    let one = "REGAINS_HP BREATHES_AIR LEAVES_CORPSE HOLDS_INVENTORY PROVOKES_OPPORTUNITY_ATTACKS \
               REACTIONS CAN_SMELL ALIVE HEADS";
    for (names, value) in [(zero, 0.0), (one, 1.0), ("ALIGNMENT", 11.0)] {
        for name in names.split_whitespace() {
            gives(name, &[], value);
            gives(&format!("creature.{name}"), &[], value);
        }
    }
    let given = "STR DEX CON INT WIS CHA PROF MAXHP HP MOVESPEED MOVEREMAIN SPELLDC SIZE \
                 OBJECT_TYPE OBJECT_AC CR TURNS FLYING TERRAIN LIGHTING LANGUAGECOUNT SURPRISED \
                 METAL TERRAIN_IS_DIFFICULT DAMAGE.AMOUNT DAMAGE.CRITICAL DAMAGE.TYPE ATTACK.MELEE \
                 ATTACK.ADVANTAGE ATTACK.DISADVANTAGE ATTACK.WEAPON";
    for name in given.split_whitespace() {
        let attribute = Attribute::named(name).expect(name);
        assert_eq!(attribute.default(), Default::None, "{name}");
        fails(name, &[], Code::MissingValue);
    }
}

/// Seed 001, "Variables": the defaults that are formulas; issue 16, 1: "STR 10 gives 75, 150, 300,
/// 600, 1200 for SIZE 2.5, 5, 10, 15, 20".
#[test]
fn formulas_of_the_seed() {
    for (size, pounds) in [
        ("2.5", 75.0),
        ("5", 150.0),
        ("10", 300.0),
        ("15", 600.0),
        ("20", 1200.0),
    ] {
        gives("CARRY_CAPACITY", &[("STR", "10"), ("SIZE", size)], pounds);
        let other = [("creature.STR", "10"), ("creature.SIZE", size)];
        gives("(creature.CARRY_CAPACITY)", &other, pounds);
    }
    gives("BREATH_HOLD_MINUTES", &[("CON", "2")], 3.0);
    gives("BREATH_HOLD_MINUTES", &[("CON", "-1")], 0.5);
    gives("MIN_SPACE_WITHOUT_SQUEEZING", &[("SIZE", "10")], 10.0);
    let skills = [("PERFORMANCE", "4"), ("DECEPTION", "7")];
    gives("MIMIC_SOUNDS_VOICES_INSIGHT_DC", &skills, 7.0);
    gives("CARRY_CAPACITY", &[("CARRY_CAPACITY", "12")], 12.0);
}

/// Seed 001, "Variables": conditions with more than numbers, and the sources of conditions.
#[test]
fn conditions_with_more_than_numbers() {
    gives(
        "(creature,self,distance,10,<=)",
        &[("distance(creature,self)", "10")],
        1.0,
    );
    // The distance of two is one number, whoever comes first.
    gives(
        "(creature,self,distance)",
        &[("distance(self, creature)", "15")],
        15.0,
    );
    gives(
        "(creature,self,hostile)",
        &[("hostile(creature,self)", "1")],
        1.0,
    );
    // Hostility goes one way.
    let other = [("hostile(self,creature)", "1")];
    fails("(creature,self,hostile)", &other, Code::MissingValue);
    gives(
        "(creature,strength,roll)",
        &[("roll(creature,strength)", "14")],
        14.0,
    );
    gives(
        "(creature,STR,roll)",
        &[("roll(creature,strength)", "14")],
        14.0,
    );
    let spell = [("underspell(creature,bless)", "1")];
    gives("(creature,bless,underspell)", &spell, 1.0);
    let school = [("underspell(creature,of school evocation)", "1")];
    gives("(creature,of school evocation,underspell)", &school, 1.0);
    let light = [("lighting(self,dim light)", "1")];
    gives("(self,dim light,lighting,!)", &light, 0.0);
    gives(
        "(self.GRAPPLED,creature,==)",
        &[("GRAPPLED", "creature")],
        1.0,
    );
    gives("(self.GRAPPLED,!)", &[("GRAPPLED", "creature")], 0.0);
    gives("(GRAPPLED,!)", &[], 1.0);
    let area = [("in(creature,line 60 5)", "1")];
    gives("(creature,line 60 5,in)", &area, 1.0);
    // A name is a noun, too.
    gives("(Old Ben,self,sees)", &[("sees(Old Ben,self)", "1")], 1.0);
    gives("(Old Ben.HP,3,-)", &[("Old Ben.HP", "5")], 2.0);
    for query in [
        "allied",
        "understand",
        "bound",
        "aware",
        "webshare",
        "carried",
        "movedto",
    ] {
        let key = format!("{query}(creature,object)");
        gives(&format!("(creature,object,{query})"), &[(&key, "5")], 5.0);
    }
    gives("(creature,approves)", &[("approves(creature)", "0")], 0.0);
}
