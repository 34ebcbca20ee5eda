//! `dicec-wasm-bind MODULE.wasm FOLDER`: writes a module and the JavaScript that calls it into a
//! folder, as files `engine_bg.wasm` and `engine.js`.

use std::error::Error;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(module), Some(folder)) = (words.next(), words.next()) else {
        return Err("usage: dicec-wasm-bind MODULE.wasm FOLDER".into());
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).web(true)?.typescript(false);
    bindgen.remove_name_section(true);
    bindgen.remove_producers_section(true);
    bindgen.out_name("engine").generate(folder)?;
    Ok(())
}
