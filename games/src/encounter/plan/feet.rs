//! Ranges of attacks and of areas, in feet.

use crate::encounter::bestiary::{Action, Area};
use crate::encounter::feature::Shape;
use crate::encounter::wrong::Wrong;

/// How wide a line is if nothing is stated, in feet.
const LINE: u32 = 5;

/// The default range of ranged attacks and of actions with a save of one creature.
pub(super) const UNSTATED: u32 = 60;

/// The range of something, in feet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encounter) struct Feet {
    /// As far as it has no disadvantage.
    pub(in crate::encounter) usual: u32,
    /// As far as it is possible at all.
    pub(in crate::encounter) max: u32,
}

impl Feet {
    /// Of an attack: its reach in melee, its range otherwise.
    pub(super) fn of(action: &Action, is_melee: bool) -> Self {
        let same = |feet| Self {
            usual: feet,
            max: feet,
        };
        match (is_melee, &action.range[..]) {
            (true, _) => same(action.reach.unwrap_or(5)),
            (false, []) => same(UNSTATED),
            (false, [usual, rest @ ..]) => Self {
                usual: *usual,
                max: rest.first().copied().unwrap_or(*usual).max(*usual),
            },
        }
    }
}

impl Shape {
    /// The shape of an area of the action at a path; lines are 5 feet wide unless stated.
    ///
    /// # Errors
    /// An unknown shape.
    pub(super) fn of(area: &Area, path: &str) -> Result<Self, Wrong> {
        let feet = area.feet;
        match area.shape.to_lowercase().as_str() {
            "cone" => Ok(Self::Cone(feet)),
            "line" => Ok(Self::Line(feet, area.width.unwrap_or(LINE))),
            "cube" => Ok(Self::Line(feet, feet)),
            "radius" | "sphere" | "cylinder" | "circle" => Ok(match area.at {
                Some(range) => Self::Point(range, feet),
                None => Self::Radius(feet),
            }),
            other => {
                let wrong = Wrong::new(format!("{path}.area.shape"), format!("is `{other}`"));
                Err(wrong.help("areas are a cone, a line, a cube or a radius"))
            }
        }
    }

    /// Its range.
    pub(in crate::encounter) fn feet(self) -> u32 {
        match self {
            Self::Cone(feet) | Self::Line(feet, _) | Self::Radius(feet) | Self::Point(feet, _) => {
                feet
            }
        }
    }
}
