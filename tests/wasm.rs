//! What must be the same in the browser as on the host. Runs under Node.js, by `cargo xtask test`.
#![cfg(target_arch = "wasm32")]

use std::hash::Hasher;

use siphasher::sip::SipHasher13;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn a_fingerprint_is_the_same_in_wasm_as_on_the_host() {
    let mut hasher = SipHasher13::new();
    hasher.write(b"/lock/guid-lock-0000000007");
    assert_eq!(hasher.finish(), 0);
}
