//! Exact odds: against closed forms, brute force and native samples.

mod best;
mod checked;
mod columns;
mod consumed;
mod cookbook;
mod dice_values;
mod extremes;
mod fights;
mod interchange;
mod joint;
mod kept;
mod libraries;
mod lists;
mod mechanics;
mod past_faults;
mod pools;
mod programs;
mod recognisers;
mod rewritten;
mod rules;
mod script_costs;
mod scripts;
mod unordered;
