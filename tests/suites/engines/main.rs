//! The engines agree: interpreter, evaluated IR and native code, scalar and vector, before and
//! after every pass.

mod bernoulli;
mod differential;
mod filetests;
mod floats;
mod forms;
mod fused;
mod long_scripts;
mod misuse;
mod moments;
mod portions;
mod samples;
mod smoke;
mod statistics;
mod switches;
mod vector;
mod vector_checks;
mod vector_flow;
mod vector_regions;
mod vector_scripts;
mod verified;
mod wild;
