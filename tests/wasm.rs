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
const FINGERPRINTS: [(&str, u32, u128); 8] = [
    (
        "v=2&clients=2&stock=1&script=pause.A@505,reset.B@600,resume.A@23000&lane=",
        60,
        0x5d3e_96a7_13b1_db8a_131d_e85b_7d96_0abc,
    ),
    ("v=2", 0, 0x9139_d648_c8b7_6a25_b6f4_3d3b_2702_b7b0),
    ("v=2", 9, 0xdf68_42d0_7e78_6d7c_5321_bb2e_b7c3_20ff),
    ("v=2", 40, 0x9901_5a9d_32b9_562b_96a1_cc70_7a3f_c642),
    ("v=2&clients=5&seed=7&lane=watch=parent", 60, 0xc8ca_20a1_c5ba_f3c3_1da2_76c5_f321_39c6),
    ("v=2&clients=4&lane=node=ephemeral-single,watch=poll", 50, 0xc56a_e924_d677_9bd2_09e0_1205_45ec_7594),
    (
        "v=2&clients=4&seed=3&gap-ms=1&lane=missing=requeue,check=exists",
        30,
        0xd9aa_5a23_6ca3_011d_2d4a_2a6d_f8bd_829e,
    ),
    ("v=2&clients=30&lane=watch=holder,wake=assume", 200, 0x3770_4440_3098_abda_0c21_f67e_71fc_5987),
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
    assert_eq!((report.states, report.depth, report.outcome), (348, 30, Outcome::Holds));
}
