//! What must be the same in the browser as on the host: links, levels and fingerprints are made on one and read
//! on the other. `cargo xtask test` runs this file on both; on wasm32 under Node.js.

use std::hash::Hasher;

use lockstep::explore::{Outcome, Search};
use lockstep::play::{Timeline, decode};
use lockstep::world::Cast;
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

/// Links, a number of steps, and the fingerprint of the world of lane 1 after them.
const FINGERPRINTS: [(&str, u32, u128); 7] = [
    ("v=1", 0, 0xee91_ed65_f2a6_bbb6_8c24_72d0_d1af_aad1),
    ("v=1", 9, 0xc4e7_8705_d2e6_cdf6_bfa4_fbe2_de70_4a80),
    ("v=1", 40, 0x335c_e4c0_b78b_9519_8d6a_1704_5b6f_7180),
    ("v=1&clients=5&seed=7&lane=watch=parent", 60, 0x7d7b_c5e0_2ede_6a3a_bc2c_9458_3f3d_2900),
    ("v=1&clients=4&lane=node=ephemeral-single,watch=poll", 50, 0x74c8_8a8e_85c8_a2fc_02c2_7a61_c01c_7a37),
    (
        "v=1&clients=4&seed=3&gap-ms=1&lane=missing=requeue,check=exists",
        30,
        0xec83_3950_6b4f_14fd_14bb_9207_6019_607b,
    ),
    ("v=1&clients=30&lane=watch=holder,wake=assume", 200, 0x9381_aef0_cd0f_5f03_ded0_6658_dadd_cf6b),
];

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn worlds_have_the_same_fingerprints_in_wasm_and_on_the_host() {
    for (link, steps, fingerprint) in FINGERPRINTS {
        let decoded = decode(link);
        assert_eq!(decoded.problems, []);
        let world = Timeline::run(&decoded.scenario, 0).world_at(steps);
        assert_eq!(world.fingerprint().0, fingerprint, "{link} at {steps}: {:#x}", world.fingerprint().0);
    }
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn a_search_visits_the_same_states_in_wasm_and_on_the_host() {
    let report = Search::new(Cast::of(2)).run();
    assert_eq!((report.states, report.depth, report.outcome), (304, 26, Outcome::Holds));
}
