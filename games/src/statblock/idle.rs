//! Words of rules that change no fight: senses, breathing, climbing, hiding, forms.

use super::words::Word;
use crate::encounter::condition_named;

/// Whether words change fights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Idle {
    /// They may, or nobody knows.
    Never,
    /// They do not if everybody is in reach of everybody.
    InReach,
    /// They do not.
    Always,
}

/// Words of fights.
const FIGHT: &str = "damage hitpoints saving save saves throw throws attack attacks hit hits \
    advantage disadvantage blinded frightened incapacitated paralyzed petrified poisoned prone \
    restrained stunned unconscious charmed cursed diseased exhaustion die dies died dead kill \
    kills killed destroyed regain regains ac action actions reaction reactions bonus spell spells \
    cast casts casting invisible invisibility critical resistance resistant immune immunity \
    vulnerability initiative surprised summon summons summoned swallow swallows swallowed engulf \
    engulfs possess possesses control controls absorb absorbs reduced reduces maximum penalty \
    obscured obscure summoning regenerate regenerates transforms turn turns berserk round rounds \
    test tests speed dust suffocate suffocates suffocating drown drowns drowning blind loses level levels grappled escape engulfed attach attached attaches detach \
    stuck strike strikes double heads splits";

/// Words for others than the creature itself.
const OTHERS: &str =
    "target target's targets creature creatures creature's enemy enemies victim ally allies each";

/// Words of movement: they matter where distances count.
const MOVEMENT: &str = "move moves moving movement teleport teleports teleporting jump jumps leap \
    leaps fly flies flying pushed pulled pull push dash disengage hide speed terrain charge range \
    burrow burrows";

/// Subjects of sentences that change no fight (docs/encounters.md, "What is modelled").
const SUBJECTS: &str = "breathe breathes breath sunlight underwater water webbing web webs \
    climb climbs perception stealth deception investigation telepathy telepathic telepathically \
    communicate communicates speech language languages sense senses scent darkvision darkness \
    detect detects divine knows know object objects structures siege polymorph polymorphs \
    shape-shift shapeshift form forms equipment statistics squeeze squeezing squeezes squeezed \
    sleep sleeps asleep awake rest rests light ethereal plane tracks tracking mimic mimics imitates \
    illusion disguise history arcana insight memories mend mending antimagic weather born hag covens \
    wish scroll glue reverts revert lycanthropy treasure camouflage jump space occupy smoke";

/// Words of fights that some subjects explain: `advantage on Wisdom (Perception) checks`.
const EXPLAINED: &str = "advantage disadvantage action actions bonus die dies turn dead magic \
    speed double round rounds control extra turns";

fn has(words: &[Word], list: &str) -> bool {
    words.iter().any(|word| is_in(&word.text, list))
}

fn is_in(word: &str, list: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

/// Whether a part of a sentence changes fights. Of a whole sentence, `is_whole`, it is enough that
/// it has no word of fights and mentions nobody else.
pub(super) fn idle(words: &[Word], is_whole: bool) -> Idle {
    let says = |phrase: &[&str]| {
        words.windows(phrase.len()).any(|some| {
            some.iter()
                .zip(phrase)
                .all(|(word, wanted)| word.text == *wanted)
        })
    };
    let afterwards = [
        &["inside", "an", "object"][..],
        &["gains", "a", "new", "body"],
        &["returns", "to", "life"],
        &["worn", "or", "carried", "it", "starts", "burning"],
    ];
    if afterwards.iter().any(|phrase| says(phrase)) {
        return Idle::Always;
    }
    let never_fought = [
        &["in", "sunlight"][..],
        &["being", "charmed"],
        &["objects", "and", "structures"],
        &["alter", "its", "form"],
        &["shape", "shift"],
        &["starts", "its", "turn", "in", "sunlight"],
        &["true", "form"],
        &["new", "form"],
    ];
    let is_harmful = words
        .iter()
        .any(|word| super::numbers::is_dice(&word.text) || condition_named(&word.text).is_some());
    if !is_harmful && never_fought.iter().any(|phrase| says(phrase)) {
        return Idle::Always;
    }
    if says(&["at", "will"]) || has(words, "cantrips slots") {
        return Idle::Never;
    }
    // Nobody has run anywhere if everybody is in reach of everybody.
    if says(&["straight", "toward"]) && has(words, "moves moved") {
        return Idle::InReach;
    }
    let fights = words
        .iter()
        .any(|word| is_in(&word.text, FIGHT) && !is_in(&word.text, EXPLAINED));
    let about = has(words, SUBJECTS);
    let is_explained = about && !fights && !is_harmful;
    let is_calm = is_whole && !has(words, FIGHT) && !has(words, OTHERS) && !is_harmful;
    let explained = match has(words, "dash disengage") {
        true => "speed action actions bonus turns double",
        false => "speed",
    };
    let provokes = has(words, "opportunity");
    let mut in_fights = words.iter().filter(|word| is_in(&word.text, FIGHT));
    let is_movement = !is_harmful
        && in_fights.all(|word| {
            is_in(&word.text, explained) || provokes && is_in(&word.text, "attack attacks")
        });
    match (is_explained || is_calm, has(words, MOVEMENT)) {
        (true, true) => Idle::InReach,
        (true, false) => Idle::Always,
        (false, true) if is_movement => Idle::InReach,
        (false, _) => Idle::Never,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statblock::words::words;

    fn of(text: &str) -> Idle {
        idle(&words(text, &["crab".to_owned()]), true)
    }

    #[test]
    fn only_words_that_change_no_fight_are_idle() {
        assert_eq!(of("The crab can breathe air and water."), Idle::Always);
        assert_eq!(
            of("It has advantage on Wisdom (Perception) checks."),
            Idle::Always
        );
        assert_eq!(of("The crab teleports up to 60 feet."), Idle::InReach);
        assert_eq!(of("The target is cursed."), Idle::Never);
        assert_eq!(of("The target melts."), Idle::Never);
        assert_eq!(of("The crab has advantage on attack rolls."), Idle::Never);
        assert_eq!(
            of("It deals 3 (1d6) damage to objects and structures"),
            Idle::Never
        );
    }
}
