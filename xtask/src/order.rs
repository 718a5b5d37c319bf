//! An order of the functions of a wasm module in which gzip finds most again: it looks back 32 kB, so functions that
//! are alike stand together.

use std::collections::HashMap;

/// So many bytes in a row make two functions alike.
const RUN: usize = 4;

/// How much the likeness to a function weighs when one more stands in between.
const FADING: f64 = 0.7;

/// An order of the `bodies`: the first few stay, and each further one is the most like those before it, the nearest
/// above all. It is the same wherever it is worked out.
pub fn by_likeness(bodies: &[&[u8]], first: usize) -> Vec<usize> {
    let runs: Vec<Vec<u32>> = bodies.iter().map(|body| runs(body)).collect();
    let mut having: HashMap<u32, Vec<usize>> = HashMap::new();
    for (body, runs) in runs.iter().enumerate() {
        for run in runs {
            having.entry(*run).or_default().push(body);
        }
    }
    // A run that many bodies have is found again wherever they stand.
    let weight = |run: &u32| 1.0 / (having[run].len() as f64).sqrt();
    let weights: Vec<f64> = runs.iter().map(|runs| runs.iter().map(weight).sum()).collect();
    let mut left: Vec<usize> = (0..bodies.len()).collect();
    let mut order: Vec<usize> = Vec::new();
    let mut likeness = vec![0.0_f64; bodies.len()];
    while !left.is_empty() {
        // Of equals, `max_by` takes the last, and that is to be the first.
        let most_alike =
            (0..left.len()).rev().max_by(|a, b| likeness[left[*a]].total_cmp(&likeness[left[*b]]));
        let next = left.remove(most_alike.filter(|_| order.len() >= first).unwrap_or(0));
        order.push(next);
        let mut shared = vec![0.0; bodies.len()];
        for run in &runs[next] {
            having[run].iter().for_each(|body| shared[*body] += weight(run));
        }
        for body in &left {
            let either = weights[next] + weights[*body] - shared[*body];
            let share = if shared[*body] > 0.0 { shared[*body] / either } else { 0.0 };
            likeness[*body] = likeness[*body] * FADING + share;
        }
    }
    order
}

/// Every different run of bytes in a body.
fn runs(body: &[u8]) -> Vec<u32> {
    let mut runs: Vec<u32> =
        body.windows(RUN).map(|run| run.iter().fold(0, |sum, byte| sum << 8 | u32::from(*byte))).collect();
    runs.sort_unstable();
    runs.dedup();
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alike_bodies_stand_together_after_those_that_stay() {
        let bodies: [&[u8]; 6] = [b"once", b"aaaabbbbcccc", b"12345678", b"aaaabbbbdddd", b"", b"12345679"];
        assert_eq!(by_likeness(&bodies, 1), [0, 1, 3, 2, 5, 4]);
        assert_eq!(by_likeness(&bodies, 3), [0, 1, 2, 5, 3, 4]);
    }
}
