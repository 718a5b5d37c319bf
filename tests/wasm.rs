//! What must be the same in the browser as on the host: links, levels and fingerprints are made on one and read
//! on the other. `cargo xtask test` runs this file on both; on wasm32 under Node.js.

use std::hash::Hasher;

use siphasher::sip::SipHasher13;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test;

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn a_hash_is_the_same_in_wasm_and_on_the_host() {
    let mut hasher = SipHasher13::new();
    hasher.write(b"/lock/guid-lock-0000000007");
    assert_eq!(hasher.finish(), 4_769_950_201_756_941_645);
}
