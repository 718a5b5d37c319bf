//! Small marks as SVG paths: the key, the bell, the pause, hatching. They are decoration; what they
//! mean is said in words beside them.

use crate::ui::el::{El, div, short};

/// A key, about 26 wide, its middle at 0,0.
pub fn key() -> El {
    let d = "M-6,0 m-5.5,0 a5.5,5.5 0 1,0 11,0 a5.5,5.5 0 1,0 -11,0 M-0.5,0 H13 M12,0 v6 M7,0 v5";
    div("path", "key").attr("d", d)
}

/// A bell, about 14 high, its crown at 0,0.
pub fn bell() -> El {
    let d = "M0,0 C4.5,0.5 5,4 5,7 C5,9.5 6.5,10.5 7,12 H-7 C-6.5,10.5 -5,9.5 -5,7 C-5,4 -4.5,0.5 0,0 Z \
             M-2.2,13 a2.2,2.2 0 0,0 4.4,0 Z";
    div("path", "bell").attr("d", d)
}

/// Two bars, about 10 high, their middle at 0,0.
pub fn pause() -> El {
    div("path", "pause").attr("d", "M-4,-5 h3 v10 h-3 Z M1,-5 h3 v10 h-3 Z")
}

/// Slanted strokes that fill a box of this size at 0,0.
pub fn hatching(w: f32, h: f32) -> String {
    let mut path = String::new();
    let high = short(h);
    let mut x = 2.0;
    while x + h < w {
        path.push_str(&format!("M{},{high} l{high},-{high} ", short(x)));
        x += 8.0;
    }
    path
}

/// Slanted strokes that fill a disc of this radius about 0,0.
pub fn hatched_disc(r: f32) -> String {
    let mut path = String::new();
    let mut away = -r + 5.0;
    while away < r - 2.0 {
        let half = (r * r - away * away).max(0.0).sqrt() * 0.707;
        let (x, y) = (away * 0.707, away * 0.707);
        let [x0, y0, x1, y1] = [x - half, y + half, x + half, y - half].map(short);
        path.push_str(&format!("M{x0},{y0} L{x1},{y1} "));
        away += 8.0;
    }
    path
}

/// The outline of something of this size that is torn at both ends; its middle is at 0 and its top at 0.
pub fn teeth(w: f32, h: f32) -> String {
    let step = h / 4.0;
    let (left, right) = (short(-w / 2.0 + 6.0), short(w / 2.0 - 6.0));
    let (step, out) = (short(step), "6");
    format!(
        "M{left},0 H{right} l{out},{step} l-{out},{step} l{out},{step} l-{out},{step} H{left} l-{out},-{step} l{out},-{step} l-{out},-{step} Z"
    )
}
