//! Actions and turns of `std.dh2e` against seed 003, on every engine.

use crate::dh2e::{DH2E, counted, expect, opposed};
use dicec_tests::rows::hold;

/// "Action Economy": two half actions or a full one, a free action, a reaction.
#[test]
fn actions() {
    for (body, result) in [
        ("", "hasAction(u, halfAction) && hasAction(u, fullAction)"),
        (
            "a = useAction(u, halfAction);",
            "a && hasAction(u, halfAction) && !hasAction(u, fullAction)",
        ),
        (
            "a = useAction(u, halfAction); b = useAction(u, halfAction);",
            "a && b && !hasAction(u, halfAction)",
        ),
        (
            "a = useAction(u, fullAction); b = useAction(u, halfAction);",
            "a && !b && !useAction(u, fullAction)",
        ),
        (
            "a = useAction(u, reaction); b = useAction(u, reaction);",
            "a && !b && hasAction(u, fullAction) && hasAction(u, freeAction)",
        ),
        (
            "dodge = skillUse{ name: \"dodge:dodge-attack\", isReaction: true }; \
             a = useSkill(u, dodge); b = useSkill(u, dodge); c = useSkill(u, skillUse{});",
            "a && !b && c && !hasAction(u, reaction)",
        ),
        (
            "a = useAction(u, freeAction); b = useAction(u, fullAction); c = hasAction(u, freeAction); \
             resetActions(u);",
            "a && b && !c && hasAction(u, fullAction) && hasAction(u, freeAction)",
        ),
    ] {
        let body = format!("u = actionsUsed{{}}; {body}");
        expect(
            &body,
            &format!("{result} ? 1 : 0"),
            &counted([1].into_iter()),
        );
    }
}

/// "Combat Turn Processing", in its order.
#[test]
fn turns() {
    let one = counted([1].into_iter());
    let body = "c = combatant{ wounds: 10, overwatch: true, fatigue: 1, conditions: [bleeding, prone], \
                lasting: [lasting{ conditions: prone, rounds: 2 }, \
                lasting{ conditions: stunned, rounds: 3 }] }; \
                used = useAction(c.used, reaction); nextTurn(c);";
    let result = "used && !c.overwatch && hasAction(c.used, reaction) && c.fatigue == 2 && c.wounds == 10 \
                  && c.conditions == [bleeding, prone, stunned] && len(c.lasting) == 2 ? 1 : 0";
    expect(body, result, &one);
    let again = format!("{body} nextTurn(c);");
    let result =
        "c.fatigue == 3 && c.conditions == [bleeding, stunned] && len(c.lasting) == 1 ? 1 : 0";
    expect(&again, result, &one);
    // Fire: 1d10 less toughness, and fatigue, of which the seventh level is too much.
    let body =
        "c = combatant{ wounds: 10, tb: 3, wpb: 3, fatigue: 6, conditions: onFire }; nextTurn(c);";
    let burnt = counted((1..=10).map(|face: i64| 10 - (face - 3).max(0)));
    expect(
        body,
        "contains(c.conditions, unconscious) ? c.wounds : -1",
        &burnt,
    );
    let body = "c = combatant{ wounds: 10, tb: 3, conditions: onFire }; \
                c.wounds -= burn(c.tb, [resistance{ kind: half },]);";
    let halved = counted((1..=10).map(|face: i64| 10 - (face / 2 - 3).max(0)));
    expect(body, "c.wounds", &halved);
    hold(DH2E, "passed(r[0])", &[[3, 2], [1, 0], [0, 0], [-1, -1]]);
    hold(
        DH2E,
        "longer(r[0], r[1])",
        &[
            [0, 2, 2],
            [3, 2, 3],
            [2, 3, 3],
            [-1, 4, -1],
            [4, -1, -1],
            [0, -1, -1],
        ],
    );
    // A condition without an end stays.
    let body = "c = combatant{ lasting: [lasting{ conditions: prone, rounds: ENDLESS },] }; \
                nextTurn(c); nextTurn(c);";
    expect(body, "contains(c.conditions, prone) ? 1 : 0", &one);
    // A grapple is kept by opposed tests of strength.
    let body = "c = combatant{ strength: 0, grappling: true }; nextTurn(c, 100);";
    expect(body, "c.grappling ? 1 : 0", &opposed(0, 100));
}
