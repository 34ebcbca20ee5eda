//! `dicec fmt -`: standard input to standard output. Files are in `tests/cli/fmt.trycmd`.

use super::dicec;

#[test]
fn standard_input_goes_to_standard_output() {
    let output = dicec(&["fmt", "-"], b"const  A=3 ;").expect("the command starts");
    assert!(output.status.success());
    assert_eq!(output.stdout, b"const A = 3;\n");
    assert_eq!(output.stderr, b"");
}

#[test]
fn what_is_wrong_is_not_printed_anew() {
    let output = dicec(&["fmt", "-"], b"const A = ;").expect("the command starts");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout, b"");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("standard input:1:11"), "{told}");
}

#[test]
fn a_check_names_standard_input() {
    let output = dicec(&["fmt", "--check", "-"], b"const A=3;\n").expect("the command starts");
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        told.contains("[D0510]") && told.contains("standard input"),
        "{told}"
    );
    let output = dicec(&["fmt", "--check", "-"], b"const A = 3;\n").expect("the command starts");
    assert!(output.status.success());
    assert_eq!(output.stdout, b"");
}
