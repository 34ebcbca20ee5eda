//! The compiler in a worker of a browser: what `dicec-api` answers, without a server.
//!
//! `serve/page/app/worker.js` calls [`ask`] with the body of a request, as the server does with
//! that of a POST. There are no threads and no native code, so simulations run in the evaluator.
//! The page ends work by ending the worker.

use dicec_api::{Bounds, Endpoint, Partial, Watch, Wrong};
use dicec_compiler::Control;
use dicec_runtime::bug;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Takes how much is done, of how much; of 0 if that is not known. The worker defines it.
    #[wasm_bindgen(js_name = dicecProgress)]
    fn progress(done: f64, of: f64);

    /// Whether a result that is not final is wanted now. The worker defines it.
    #[wasm_bindgen(js_name = dicecIsDue)]
    fn is_due() -> bool;

    /// Takes a result that is not final, as JSON. The worker defines it.
    #[wasm_bindgen(js_name = dicecPartial)]
    fn partial(document: &str);

    /// Takes a note on the answer, as JSON. The worker defines it.
    #[wasm_bindgen(js_name = dicecNote)]
    fn note(document: &str);
}

/// The document that answers the body of a request to an endpoint, as JSON.
///
/// # Errors
/// The document of the error, as JSON.
#[wasm_bindgen]
pub fn ask(endpoint: &str, body: &str) -> Result<String, String> {
    let known = Endpoint::named(endpoint);
    let endpoint = known.ok_or_else(|| told(bug!("the page asks \"{endpoint}\"").into()))?;
    // Floats have all integers that amounts of work have.
    let control = Control::with_progress(|done, of| progress(done as f64, of as f64));
    let watch = Watch {
        control: &control,
        partial: Some(&Worker),
    };
    let reply = dicec_api::answer(endpoint, body.as_bytes(), &Bounds::untrusted(), &watch);
    let reply = reply.map_err(told)?;
    reply.notes().iter().for_each(|text| note(text));
    Ok(reply.document)
}

/// The creatures whose names have this text in them, as JSON.
///
/// # Errors
/// The document of the error, as JSON.
#[wasm_bindgen]
pub fn creatures(part: &str) -> Result<String, String> {
    dicec_api::creatures(part).map_err(told)
}

/// What the worker sees of work before it is done.
struct Worker;

impl Partial for Worker {
    fn is_due(&self) -> bool {
        is_due()
    }

    fn take(&self, document: &str) {
        partial(document);
    }
}

/// The document of an error.
fn told(wrong: Wrong) -> String {
    wrong.document()
}
