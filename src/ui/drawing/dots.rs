//! Many clients at once: a matrix of dots, and the same as counts in words.

use super::geometry::{NARROW, tenth};
use super::labels::tone_class;
use crate::app::scene::{Dot, Stage, Tone};
use crate::text::{Lang, Text, say, text};
use crate::ui::controls::tr;
use crate::ui::el::{El, div, el, short};

/// More dots than this are counted, not drawn.
const MOST_DOTS: usize = 2000;
/// The matrix is about this high, in its own units.
const HEIGHT: f32 = 70.0;

const TONES: [Tone; 6] = [Tone::Holds, Tone::Wrong, Tone::Vain, Tone::Stuck, Tone::Plain, Tone::Away];

/// All clients as dots, where there are more than are drawn in full.
pub fn dots(stage: &Stage, lang: Lang) -> Option<El> {
    if stage.dots.is_empty() {
        return None;
    }
    let matrix = Matrix::of(&stage.dots);
    let tones = matrix
        .tones
        .iter()
        .map(|(tone, path)| div("path", format!("dots-{}", tone_class(*tone))).attr("d", path.clone()));
    let svg = el("svg")
        .attr("viewBox", format!("0 0 {} {}", short(NARROW), short(matrix.height)))
        .attr("aria-hidden", "true")
        .kid(div("path", "dots-woken").attr("d", matrix.woken.clone()))
        .kids(tones);
    Some(div("div", "dots").kid(svg).kid(el("p").text(tr(lang, legend(&stage.dots)))))
}

/// One path for each tone: a few elements, however many clients there are.
#[derive(Clone, Debug, PartialEq)]
struct Matrix {
    height: f32,
    tones: Vec<(Tone, String)>,
    /// A ring round each that has been woken.
    woken: String,
}

impl Matrix {
    fn of(dots: &[Dot]) -> Matrix {
        let drawn = &dots[..dots.len().min(MOST_DOTS)];
        let count = drawn.len().max(1) as f32;
        let pitch = (NARROW * HEIGHT / count).sqrt().floor().clamp(5.0, 14.0);
        let in_row = (NARROW / pitch).floor() as usize;
        let mut matrix = Matrix {
            height: pitch * drawn.len().div_ceil(in_row) as f32,
            tones: TONES.map(|tone| (tone, String::new())).to_vec(),
            woken: String::new(),
        };
        for (at, dot) in drawn.iter().enumerate() {
            let x = tenth((at % in_row) as f32 * pitch + pitch / 2.0);
            let y = tenth((at / in_row) as f32 * pitch + pitch / 2.0);
            if let Some((_, path)) = matrix.tones.iter_mut().find(|(tone, _)| *tone == dot.tone) {
                path.push_str(&shape(dot.tone, x, y, tenth(pitch * 0.3)));
            }
            if dot.woken {
                matrix.woken.push_str(&circle(x, y, tenth(pitch * 0.46)));
            }
        }
        matrix
    }
}

fn circle(x: f32, y: f32, r: f32) -> String {
    let (left, y, d, r) = (short(x - r), short(y), short(2.0 * r), short(r));
    format!("M{left},{y}a{r},{r} 0 1,0 {d},0a{r},{r} 0 1,0 -{d},0")
}

/// A shape for each tone: shape and colour say the same.
fn shape(tone: Tone, x: f32, y: f32, r: f32) -> String {
    match tone {
        Tone::Plain | Tone::Away => circle(x, y, r),
        Tone::Holds => {
            let side = short(r * 2.4);
            format!("M{},{}h{side}v{side}h-{side}Z", short(x - r * 1.2), short(y - r * 1.2))
        }
        Tone::Wrong => {
            let d = short(2.0 * r);
            format!("M{},{}l{d},{d}m0,-{d}l-{d},{d}", short(x - r), short(y - r))
        }
        Tone::Vain => {
            let half = short(r);
            format!("M{},{}l{half},{}h-{}Z", short(x), short(y - r), short(r * 1.9), short(r * 2.0))
        }
        Tone::Stuck => {
            let half = short(r);
            format!("M{},{}l{half},{half}l-{half},{half}l-{half},-{half}Z", short(x), short(y - r))
        }
    }
}

/// The counts in words.
fn legend(dots: &[Dot]) -> Text {
    let mut en = vec![format!("{} clients", dots.len())];
    let mut zh = vec![format!("{} 个客户端", dots.len())];
    let mut add = |count: usize, words: Text| {
        if count > 0 {
            en.push(format!("{count} {}", words.en));
            zh.push(format!("{} {count}", words.zh));
        }
    };
    add(dots.iter().filter(|dot| dot.woken).count(), text("woken (ringed)", "被唤醒（带圈）"));
    for tone in TONES {
        let words = match tone {
            Tone::Holds => text("■ believing they hold", "■ 认为自己持有"),
            Tone::Wrong => text("✗ wrong", "✗ 认错了"),
            Tone::Vain => text("▲ woken in vain", "▲ 白醒"),
            Tone::Stuck => text("◆ stuck", "◆ 卡死"),
            Tone::Plain => text("● in the queue", "● 排队中"),
            Tone::Away => text("○ not here", "○ 不在场"),
        };
        add(dots.iter().filter(|dot| dot.tone == tone).count(), words);
    }
    if dots.len() > MOST_DOTS {
        en.push(format!("the first {MOST_DOTS} are drawn"));
        zh.push(format!("画出前 {MOST_DOTS} 个"));
    }
    say(en.join(" · "), zh.join(" · "))
}
