//! The callbacks of JavaScript during a call: `js/host.js` has those of the caller.

use dicec_compiler::Control;
use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(raw_module = "./host.js")]
extern "C" {
    /// The face of a die, from 1 to its sides; any other number ends the roll with an error.
    fn face(sides: f64) -> f64;

    /// Takes how much is done, of how much; of 0 if that is not known. Whether to go on.
    fn progress(done: f64, of: f64) -> bool;
}

/// The face of a die from the caller.
pub(crate) fn drawn(sides: u64) -> u64 {
    // What is not a whole number from 1 on becomes 0, which no die shows.
    let face = face(sides as f64);
    match face.fract() == 0.0 && face >= 1.0 {
        true => face as u64,
        false => 0,
    }
}

thread_local! {
    /// The control of the call that runs, so that its own callback can cancel it.
    static RUNNING: RefCell<Option<Control>> = const { RefCell::new(None) };
}

/// Does work that the caller watches, and can cancel.
pub(crate) fn watched<T>(work: impl FnOnce(&Control) -> T) -> T {
    let control = Control::with_progress(|done, of| {
        if !progress(done as f64, of as f64) {
            RUNNING.with_borrow(|running| running.iter().for_each(Control::cancel));
        }
    });
    RUNNING.set(Some(control.clone()));
    let done = work(&control);
    RUNNING.set(None);
    done
}
