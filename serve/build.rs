//! Compiles the page into the library again when a file of it changes.

fn main() {
    println!("cargo::rerun-if-changed=page");
}
