//! Where things stand in the wide picture, in the units of its view box, and how wide a text is.
//!
//! Pure arithmetic: no browser, no language, no scene. Texts are taken to be as wide as DejaVu Sans
//! sets them, the widest of the fonts that the page may get, so that a box never is too narrow.

use std::ops::Range;

/// The size of words in bubbles, bands and cards.
pub const TEXT: f32 = 15.0;
/// The size of words in pills.
pub const PILL_TEXT: f32 = 15.0;
/// The height of a pill.
pub const PILL_H: f32 = 24.0;
/// From one pill to the next on a wire.
pub const SLOT: f32 = 26.0;
/// The least distance between two boxes that stand side by side.
pub const GAP: f32 = 4.0;
/// The width of the view box beside another lane.
pub const NARROW: f32 = 540.0;
/// Bubbles and pills stand side by side only if a column is at least this wide.
const ROOMY_PITCH: f32 = 128.0;
/// Bubbles are never wider.
const WIDEST: f32 = 142.0;
/// Columns are never further apart.
const MAX_PITCH: f32 = 200.0;

/// The server band.
pub const BAND_H: f32 = 134.0;
pub const NODE_TOP: f32 = 68.0;
pub const NODE_H: f32 = 50.0;
/// The fuse of a session under its node, and that of a client's library over its bubble.
pub const FUSE_TOP: f32 = 4.0;
pub const NODE_FUSE_H: f32 = 8.0;
pub const FUSE_H: f32 = 6.0;
/// Where the title of the server band stands.
pub const TITLE_Y: f32 = 23.0;
/// Slots on the wire between client and server: more where more columns crowd together. A wire has
/// two messages at most (a reply, and an event after it), and neighbours share its slots.
pub fn upper_slots(columns: u32) -> f32 {
    match columns {
        0..=3 => 3.0,
        4..=5 => 4.0,
        _ => 5.0,
    }
}

/// Slots on the wire between client and ledger. A client has one message there at most; neighbours
/// share the slots where columns are narrow.
fn lower_slots(staggered: bool) -> f32 {
    if staggered { 2.0 } else { 1.0 }
}

pub const BUBBLE_H: f32 = 44.0;
/// The hatched band under the bubble of a client that is wrong.
pub const HATCH_H: f32 = 8.0;
pub const LEDGER_H: f32 = 103.0;
/// The bar of the gate, at the top of the ledger.
pub const GATE_H: f32 = 10.0;

/// A box by its middle line: `x` is the middle, `y` the top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    pub x: f32,
    pub y: f32,
    pub w: f32,
    pub h: f32,
}

impl Rect {
    /// The left edge.
    pub fn left(&self) -> f32 {
        self.x - self.w / 2.0
    }

    /// The right edge.
    pub fn right(&self) -> f32 {
        self.x + self.w / 2.0
    }

    /// The lower edge.
    pub fn bottom(&self) -> f32 {
        self.y + self.h
    }

    /// Whether the two share any place.
    pub fn overlaps(&self, other: &Rect) -> bool {
        self.left() < other.right()
            && other.left() < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }
}

/// The measures that follow from the number of columns and the width of the view box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    pub columns: u32,
    pub width: f32,
    pub height: f32,
    /// From one column to the next.
    pub pitch: f32,
    /// The middle of the first column.
    pub first: f32,
    /// Columns are narrower than their words: neighbours stand at different heights.
    pub staggered: bool,
    pub node_w: f32,
    pub radius: f32,
    pub client_y: f32,
    pub bubble_top: f32,
    pub bubble_w: f32,
    pub ledger_top: f32,
}

impl Frame {
    /// The frame for so many columns in a view box this wide.
    pub fn new(columns: u32, width: f32) -> Frame {
        let columns = columns.max(1);
        let n = columns as f32;
        let staggered = width / n < ROOMY_PITCH;
        // Staggered boxes are two columns wide, so the outer ones need a whole column to the edge,
        // or half of the widest box.
        let edge = (width / (n + 1.0)).min(WIDEST / 2.0 + 2.0);
        let pitch = if staggered { (width - 2.0 * edge) / (n - 1.0) } else { (width / n).min(MAX_PITCH) };
        let radius = (pitch * 0.37).clamp(20.0, 28.0);
        let client_y = BAND_H + GAP + upper_slots(columns) * SLOT + radius + 9.0;
        let bubble_top = client_y + radius + 15.0;
        let bubbles = if staggered { 2.0 * (BUBBLE_H + HATCH_H) + 2.0 } else { BUBBLE_H + HATCH_H + 20.0 };
        let ledger_top = bubble_top + bubbles + lower_slots(staggered) * SLOT + GAP;
        let room = if staggered { (2.0 * pitch).min(2.0 * edge) } else { pitch } - GAP;
        Frame {
            columns,
            width,
            height: ledger_top + LEDGER_H,
            pitch,
            first: (width - (n - 1.0) * pitch) / 2.0,
            staggered,
            node_w: (pitch - 6.0).min(84.0),
            radius,
            client_y,
            bubble_top,
            bubble_w: room.min(WIDEST),
            ledger_top,
        }
    }

    /// The middle of a column.
    pub fn x(&self, column: u32) -> f32 {
        tenth(self.first + self.pitch * column as f32)
    }

    /// The widest pill.
    pub fn pill_room(&self) -> f32 {
        if self.staggered { 2.0 * self.pitch.min(self.first) - GAP } else { self.pitch - GAP }
    }

    /// The row of bubbles that a column's bubble stands in.
    pub fn bubble_row(&self, column: u32) -> u32 {
        if self.staggered { column % 2 } else { 0 }
    }

    /// The top of a column's bubble.
    pub fn bubble_y(&self, column: u32) -> f32 {
        self.bubble_top + self.bubble_row(column) as f32 * (BUBBLE_H + HATCH_H + 2.0)
    }

    /// Where the tops of pills on the wire between clients and the server may be.
    pub fn upper(&self) -> Range<f32> {
        let top = BAND_H + GAP;
        top..top + (upper_slots(self.columns) - 1.0) * SLOT
    }

    /// Where the tops of pills on the wire between clients and the ledger may be.
    pub fn lower(&self) -> Range<f32> {
        let slots = lower_slots(self.staggered);
        let top = self.ledger_top - slots * SLOT;
        top..top + (slots - 1.0) * SLOT
    }
}

/// A text and, where it is a little too wide for its place, the width to squeeze it to.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    pub text: String,
    pub squeeze: Option<f32>,
}

/// Fits a text of this size into `room`.
pub fn fit(text: impl Into<String>, size: f32, room: f32) -> Fitted {
    let text = text.into();
    let squeeze = (width_of(&text, size) > room).then_some(tenth(room));
    Fitted { text, squeeze }
}

/// How wide a text of this size is at most, in a plain weight.
pub fn width_of(text: &str, size: f32) -> f32 {
    text.chars().map(em).sum::<f32>() * size
}

/// The advance of a character in em: DejaVu Sans, rounded up; a whole em for Chinese.
fn em(c: char) -> f32 {
    match c {
        ' ' | '.' | ',' | '\'' | 'i' | 'j' | 'l' | 'I' | 'J' => 0.32,
        ':' | ';' | '|' | 'f' | 'r' | 't' | '(' | ')' | '-' => 0.42,
        's' | 'z' | 'c' => 0.55,
        'k' | 'v' | 'x' | 'y' => 0.6,
        'a' | 'e' | 'o' => 0.62,
        '0'..='9' | 'b' | 'd' | 'g' | 'h' | 'n' | 'p' | 'q' | 'u' => 0.64,
        'w' => 0.82,
        'm' => 0.98,
        'M' | 'W' | '%' | '@' => 1.0,
        'A'..='Z' => 0.79,
        c if c.is_ascii() => 0.6,
        c if (c as u32) < 0x2000 => 0.7,
        _ => 1.0,
    }
}

/// A value within limits. Where the limits contradict each other, the upper one counts; `f32::clamp` would panic.
pub fn between(value: f32, least: f32, most: f32) -> f32 {
    value.max(least).min(most)
}

/// Rounded to a tenth: shorter attributes, and equal places compare equal.
pub fn tenth(value: f32) -> f32 {
    (value * 10.0).round() / 10.0
}
