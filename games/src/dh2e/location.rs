//! The parts of a body that hits, armour and injuries name.

/// The locations of a body, in the order of seed 003, "Hit Locations".
pub(super) const LOCATIONS: [&str; 6] =
    ["head", "rightArm", "leftArm", "body", "rightLeg", "leftLeg"];
