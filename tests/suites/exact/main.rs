//! Exact odds: against closed forms, brute force and native samples.

mod pools;
mod rules;
mod scripts;
