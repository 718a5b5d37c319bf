//! Where the pills of messages go on their wires: near to how far each has come, and never on
//! top of one another.

use super::geometry::{Frame, GAP, PILL_H, Rect, SLOT, between, tenth};

use std::ops::Range;

/// A message that wants a place on a wire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    pub column: u32,
    pub width: f32,
    /// The share of the wire from its upper end, 0 to 1.
    pub down: f32,
}

/// Places pills on the wires between `range` of tops. The answer has the order of `wanted`.
pub fn place(frame: &Frame, range: Range<f32>, wanted: &[Wanted]) -> Vec<Rect> {
    let mut boxes: Vec<Option<Rect>> = vec![None; wanted.len()];
    let slots = ((range.end - range.start) / SLOT).round() as usize + 1;
    for column in 0..frame.columns {
        let mut here: Vec<usize> = (0..wanted.len()).filter(|i| wanted[*i].column == column).collect();
        here.sort_by(|a, b| wanted[*a].down.total_cmp(&wanted[*b].down));
        let desired: Vec<f32> =
            here.iter().map(|i| range.start + wanted[*i].down * (range.end - range.start)).collect();
        let tops = if frame.staggered {
            let blocked = |at: usize, top: f32| {
                let own = boxed(frame, &wanted[here[at]], top);
                boxes.iter().flatten().any(|other| own.overlaps(other))
            };
            in_slots(&desired, slots, range.start, column, blocked)
        } else {
            pushed_apart(&desired, &range)
        };
        for (i, top) in here.into_iter().zip(tops) {
            boxes[i] = Some(boxed(frame, &wanted[i], top));
        }
    }
    let outside = |i: usize| boxed(frame, &wanted[i], range.start);
    boxes.into_iter().enumerate().map(|(i, placed)| placed.unwrap_or_else(|| outside(i))).collect()
}

fn boxed(frame: &Frame, wanted: &Wanted, top: f32) -> Rect {
    let half = wanted.width / 2.0;
    let x = between(frame.x(wanted.column), half + 1.0, (frame.width - half - 1.0).max(half + 1.0));
    Rect { x: tenth(x), y: tenth(top), w: tenth(wanted.width), h: PILL_H }
}

/// The choice of slots, in order, that moves the pills least; a slot that a neighbour's pill
/// covers is taken only if nothing else is left.
fn in_slots(
    desired: &[f32],
    slots: usize,
    start: f32,
    column: u32,
    blocked: impl Fn(usize, f32) -> bool,
) -> Vec<f32> {
    let top = |slot: usize| start + slot as f32 * SLOT;
    let mut best: Option<(f32, Vec<f32>)> = None;
    let count = desired.len();
    for set in 0u32..1 << slots {
        if set.count_ones() as usize != count.min(slots) {
            continue;
        }
        let chosen: Vec<usize> = (0..slots).filter(|slot| set & (1 << slot) != 0).collect();
        // More messages than slots share the last one: no client has that many under way.
        let tops: Vec<f32> = (0..count).map(|at| top(chosen[at.min(chosen.len() - 1)])).collect();
        let cost = tops.iter().enumerate().map(|(at, top)| {
            // Between two equal ways out, even columns go up and odd ones down.
            let lean = if column.is_multiple_of(2) { top - desired[at] } else { desired[at] - top };
            (top - desired[at]).abs() + 0.01 * lean + if blocked(at, *top) { 10_000.0 } else { 0.0 }
        });
        let cost: f32 = cost.sum();
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, tops));
        }
    }
    best.map(|(_, tops)| tops).unwrap_or_default()
}

/// One column with room beside it: pills stand where they are, pushed apart if they would touch.
fn pushed_apart(desired: &[f32], range: &Range<f32>) -> Vec<f32> {
    let mut tops = desired.to_vec();
    let step = PILL_H + GAP / 2.0;
    for at in 1..tops.len() {
        tops[at] = tops[at].max(tops[at - 1] + step);
    }
    let mut limit = range.end;
    for top in tops.iter_mut().rev() {
        *top = top.min(limit);
        limit = *top - step;
    }
    tops
}

#[cfg(test)]
mod tests {
    use super::super::geometry::{NARROW, upper_slots};
    use super::*;

    /// Every way to put 0 to 3 pills on each column's wire, as far as the slots reach.
    fn crowds(columns: u32, most: u32) -> Vec<Vec<u32>> {
        let mut all = vec![Vec::new()];
        for _ in 0..columns {
            all = all
                .into_iter()
                .flat_map(|crowd: Vec<u32>| {
                    let left = crowd.last().map_or(3, |last| most - last).min(3);
                    (0..=left).map(move |n| [crowd.clone(), vec![n]].concat())
                })
                .collect();
        }
        all
    }

    fn check(frame: &Frame, range: Range<f32>, crowd: &[u32], downs: &[f32]) {
        let mut wanted = Vec::new();
        for (column, count) in (0..).zip(crowd) {
            for nth in 0..*count {
                let down = downs[((column + nth) as usize) % downs.len()];
                wanted.push(Wanted { column, width: frame.pill_room(), down });
            }
        }
        let boxes = place(frame, range.clone(), &wanted);
        for (i, a) in boxes.iter().enumerate() {
            assert!(a.left() >= 0.0 && a.right() <= frame.width, "{a:?} leaves the picture");
            assert!(a.y >= range.start - 0.1 && a.y <= range.end + 0.1, "{a:?} leaves its wire {range:?}");
            for b in &boxes[i + 1..] {
                assert!(!a.overlaps(b), "{a:?} covers {b:?} in {crowd:?} of {frame:?}");
            }
        }
    }

    #[test]
    fn pills_never_cover_one_another_however_many_clients_there_are() {
        for width in [NARROW, 1040.0] {
            for columns in 1..=8 {
                let frame = Frame::new(columns, width);
                // All at the same height, and spread.
                for downs in [&[0.5][..], &[0.0], &[1.0], &[0.1, 0.9, 0.4]] {
                    for crowd in crowds(columns.min(5), upper_slots(columns) as u32) {
                        check(&frame, frame.upper(), &crowd, downs);
                    }
                    check(&frame, frame.upper(), &vec![2; columns as usize], downs);
                    check(&frame, frame.lower(), &vec![1; columns as usize], downs);
                }
            }
        }
    }

    #[test]
    fn a_request_alone_on_its_wire_goes_the_whole_way() {
        let frame = Frame::new(3, NARROW);
        let at = |down| place(&frame, frame.upper(), &[Wanted { column: 1, width: 80.0, down }])[0].y;
        assert_eq!(at(0.0), frame.upper().start);
        assert_eq!(at(1.0), frame.upper().end);
    }
}
