//! Answers questions about a fight: the chances of the sides, and the reasons.
//!
//! ```text
//! sides, policies --ask--> Encounter --> Plan --fight--> Fought --> EncounterDocument
//! ```
//!
//! A request may instead ask for the narration of one fight, for the maximum number of creatures
//! that a side can face, and for the contribution of each trait.

mod ask;
mod fight;

use crate::body::two;
use crate::bounds::Bounds;
use crate::reply::Reply;
use crate::sample::SampleRequest;
use crate::watch::Watch;
use crate::wrong::Wrong;
pub(crate) use ask::EncounterRequest;
use dicec_compiler::{ScriptSession, random_seed};
use dicec_games::encounter::{Bestiary, Plan, Purpose, Told};
use dicec_lang::front::notation::marked;
use dicec_lang::syntax::{FileCode, Finding};

use dicec_fights::{
    Ablated, EncounterDocument, FightTitle, MostFoes, MostFoesDocument, ToldDocument, against,
};
use fight::Fights;

/// Fights an encounter: the document of `dicec encounter`.
///
/// # Errors
/// All errors in the request, or the reason why the odds are not known.
pub(crate) fn encounter(body: &[u8], bounds: &Bounds, watch: &Watch<'_>) -> Result<Reply, Wrong> {
    let (request, sample): (EncounterRequest, SampleRequest) = two(body)?;
    request.check(sample.has_extent())?;
    let (bestiary, mut notes) = request.bestiary()?;
    let fights = Fights {
        sample: &sample,
        exact: request.exact,
        check: request.check,
        bounds,
        watch,
    };
    if request.find.is_some() {
        return find(&request, &bestiary, &fights, notes);
    }
    let (source, encounter) = request.read(&request.sides, &bestiary)?;
    let plan = Plan::new(&encounter, &bestiary).map_err(|wrong| source.wrong(&wrong))?;
    notes.extend(unmodelled(&plan));
    if request.tell {
        return tell(&plan, &sample, bounds, notes);
    }
    let fought = fights.fought(&plan, true)?;
    let other = request.compare.as_ref().map(|sides| {
        let (source, encounter) = request.read(sides, &bestiary)?;
        let plan = Plan::new(&encounter, &bestiary).map_err(|wrong| source.wrong(&wrong))?;
        notes.extend(unmodelled(&plan));
        fights.fought(&plan, false)
    });
    let other = other.transpose()?;
    let ablated = match request.ablate {
        false => Vec::new(),
        true => Ablated::all((&source, &encounter), &bestiary, &mut |plan| {
            fights.fought(plan, false)
        })?,
    };
    let document = EncounterDocument::new(&fought, other.as_ref(), &ablated);
    Reply::new(&document, notes)
}

/// Abilities of creatures that are not modelled.
fn unmodelled(plan: &Plan) -> Vec<Finding> {
    let title = plan.title();
    let notes = plan.missing().map(|(name, missing)| {
        let message = format!("{name}: not modelled: {}", missing.join(", "));
        let code = FileCode::EncounterNote.as_str();
        Finding::in_file(code, &title, None, message).note()
    });
    notes.collect()
}

/// The greatest number of creatures that a side can face.
fn find(
    request: &EncounterRequest,
    bestiary: &Bestiary,
    fights: &Fights<'_>,
    notes: Vec<Finding>,
) -> Result<Reply, Wrong> {
    let (wanted, win) = request.found()?;
    let words = request.words()?;
    let found = MostFoes::find(
        wanted,
        win,
        fights.is_fixed(),
        &mut |foes| {
            let (source, encounter) = request.line(&against(words, foes)?, bestiary)?;
            let plan = Plan::new(&encounter, bestiary);
            plan.map_err(|wrong| Wrong::from(source.wrong(&wrong)))
        },
        &mut |plan, half_width| fights.first_wins(plan, half_width),
    )?;
    Reply::new(&MostFoesDocument::new(&found), notes)
}

/// Narrates one fight, blow by blow.
fn tell(
    plan: &Plan,
    sample: &SampleRequest,
    bounds: &Bounds,
    notes: Vec<Finding>,
) -> Result<Reply, Wrong> {
    let bound = fight::compiled(plan, Told::Blows, Purpose::Trials, bounds)?;
    let title = plan.title();
    let mut session = ScriptSession::new(sample.seed().unwrap_or_else(random_seed));
    let played = bound.play(&mut session);
    let played = played.map_err(|failure| Wrong::failed_fight(&failure, &title))?;
    let [first, second] = plan.sides();
    let document = ToldDocument {
        title: FightTitle::Encounter(&title),
        lines: &played.told(marked),
        winner: match played.label.as_deref() {
            Some("first") => Some(first),
            Some("second") => Some(second),
            _ => None,
        },
        seed: session.seed(),
    };
    Reply::new(&document, notes)
}
