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
        0x91cf_6962_02b6_8e51_6d42_5e53_a773_5473,
    ),
    ("v=2", 0, 0x1c55_08d6_a669_9de0_3d11_3e1a_56c4_63f0),
    ("v=2", 9, 0x286f_65c2_d855_7c90_98a9_3d3e_2732_3d59),
    ("v=2", 40, 0x87f9_93b3_18f6_1795_04fc_87cf_073c_1c61),
    ("v=2&clients=5&seed=7&lane=watch=parent", 60, 0x287d_0d43_2f4c_f487_226e_017b_9a48_195a),
    ("v=2&clients=4&lane=node=ephemeral-single,watch=poll", 50, 0x7ba5_983a_d73b_b72d_d61f_d42c_fd19_fc38),
    (
        "v=2&clients=4&seed=3&gap-ms=1&lane=missing=requeue,check=exists",
        30,
        0xbd64_12a0_68cf_1b9f_b756_0815_5b15_e774,
    ),
    ("v=2&clients=30&lane=watch=holder,wake=assume", 200, 0x80ed_7af9_91e9_51c2_c905_192a_d764_db9b),
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
