//! IR to IR: one file per pass.
//!
//! [`Pass::ALL`] is the table of all rewrites, and only [`Rewrites`] runs them. Each has a
//! [`Contract`]: exact passes preserve the meaning to the last bit (value, lines, statistics, trap,
//! draws and the generator's end state); those for fused sampling change which words become which
//! dice, and preserve the joint distribution. `pool`, `roll` and the steps on pools are effects: no
//! exact pass merges, reorders or drops one. Functions are compact (numbered in layout order) after
//! each pass, so that their text round-trips.
//!
//! ```text
//! a rule    Module --optimise--> --specialise--> Module
//!                            (resources known)
//! a script  Module --optimise--> --share_words--> Module
//!                            (fused sampling, arguments known)
//!
//! optimise  --scalar replacement--> --pipeline--> --fuse-->
//!      (arguments known)                    (fused sampling)
//! pipeline  aggregates, fold, params, cse, forward, range, fold, params, simplify, thread,
//!           unroll, params, dce; then shift, unshift, constant_lists and drawn_lists in scripts,
//!           and the pipeline again if these found something
//! ```
//!
//! Rules and scripts are fused differently, and that is part of the seed contract: [`optimise`]
//! says how.
//!
//! [`VectorForm`] decides whether and how a fused module runs in lanes. `lane_passes` has the
//! passes that prepare it, and `without_memory` the order of most. A profile of sample trials
//! (`seen`) may make the lanes narrower (`bytes`).
//!
//! Names in this folder, and the usual terms: relay (lane refill), watched (guarded interval),
//! `seen` (profile), meetings (joins), labels (renumbering), open word (free parameter).

mod aggregates;
mod balanced;
mod below;
mod bytes;
mod choices;
mod constant_lists;
mod contract;
mod copy;
mod cse;
mod dce;
mod drawn_lists;
mod equal_params;
mod exclusive_dice;
mod few_dice;
mod fold;
mod fold_by_range;
mod forward;
mod fuel;
mod fuse;
mod guarded;
mod if_convert;
mod joined_texts;
mod keyed;
mod keys;
mod known_memory;
mod labels;
mod lane_passes;
mod look_up;
mod manager;
mod meetings;
mod merges;
mod no_lanes;
mod objects;
mod params;
mod peel;
mod pipeline;
mod rare_loops;
mod relay;
mod rewrites;
mod scalar_replacement;
mod seen;
mod selects;
mod sentinels;
mod share;
mod shift;
mod simplify;
mod single_return;
mod specialise;
mod switches;
mod thread;
mod unroll;
mod unshift;
mod usual;
mod vector_form;
mod watched;
mod without_memory;
mod words;

pub use contract::{Contract, Pass};
pub use fuse::fuse;
pub use no_lanes::{NoLanes, Obstacle};
pub use pipeline::{Sampling, optimise};
pub use rewrites::{Rewrites, Watch};
pub use seen::Seen;
pub use share::share_words;
pub use specialise::specialise;
pub use switches::{Switches, WrongSwitch};
pub use usual::RESOURCES;
pub use vector_form::{MAX_ROUNDS, VectorForm};
pub use watched::Watched;
