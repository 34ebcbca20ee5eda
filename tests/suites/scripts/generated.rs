//! Checks that generated scripts are correct and varied.

use arbitrary::Unstructured;
use dicec_runtime::rng::Stream;
use dicec_tests::generate::script::script_case;
use dicec_tests::script::{bind, compile, compiler};
use dicec_tests::stages;

/// Nearly all generated scripts are correct by construction. Otherwise the properties would be
/// tested on nothing.
#[test]
fn nearly_all_generated_scripts_compile() {
    let mut stream = Stream::from_seed(1);
    let (mut right, mut wrong) = (0, Vec::new());
    for _ in 0..300 {
        let bytes: Vec<u8> = (0..256).flat_map(|_| stream.word().to_le_bytes()).collect();
        let case = script_case(&mut Unstructured::new(&bytes)).expect("bytes are never missing");
        match compiler().script(&case.text) {
            Ok(_) => right += 1,
            Err(found) => wrong.push(format!("{found}\n{}", case.text)),
        }
    }
    assert!(right >= 290, "{right} of 300; {}", wrong.join("\n\n"));
}

/// Some of them run in lanes with their arguments, so that the properties are of lanes, too.
#[test]
fn some_generated_scripts_have_a_vector_form() {
    let mut stream = Stream::from_seed(2);
    let mut forms = 0;
    for _ in 0..200 {
        let bytes: Vec<u8> = (0..256).flat_map(|_| stream.word().to_le_bytes()).collect();
        let case = script_case(&mut Unstructured::new(&bytes)).expect("bytes are never missing");
        let Some(script) = compile(&case) else {
            continue;
        };
        forms += usize::from(stages::form(&bind(&script, &case), true).is_some());
    }
    assert!(forms >= 10, "{forms} of 200");
}
