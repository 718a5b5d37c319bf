//! Many clients at once: a matrix of dots, and the same as counts in words.

use leptos::prelude::*;

use super::geometry::{NARROW, tenth};
use super::picture::tone_class;
use crate::app::scene::{Dot, Stage, Tone};
use crate::text::{Lang, Text, say, text};

/// More dots than this are counted, not drawn.
const MOST_DOTS: usize = 2000;
/// The matrix is about this high, in its own units.
const HEIGHT: f32 = 70.0;

const TONES: [Tone; 6] = [Tone::Holds, Tone::Wrong, Tone::Vain, Tone::Stuck, Tone::Plain, Tone::Away];

/// All clients as dots, where there are more than are drawn in full; nothing where there are not.
#[component]
pub fn Dots(#[prop(into)] stage: Signal<Stage>, #[prop(into)] lang: Signal<Lang>) -> impl IntoView {
    let dots = Memo::new(move |_| stage.with(|stage| stage.dots.clone()));
    let any = Memo::new(move |_| dots.with(|dots| !dots.is_empty()));
    let matrix = Memo::new(move |_| dots.with(|dots| Matrix::of(dots)));
    let legend = move || dots.with(|dots| legend(dots).get(lang.get()).to_string());
    let shape = move |tone: Tone| {
        view! {
            <path
                class=format!("dots-{}", tone_class(tone))
                d=move || matrix.with(|matrix| matrix.of_tone(tone).to_string())
            />
        }
    };
    view! {
        <Show when=move || any.get()>
            <div class="dots">
                <svg
                    viewBox=move || matrix.with(|matrix| format!("0 0 {NARROW} {}", matrix.height))
                    aria-hidden="true"
                >
                    <path class="dots-woken" d=move || matrix.with(|matrix| matrix.woken.clone()) />
                    {TONES.map(shape).collect_view()}
                </svg>
                <p>{legend}</p>
            </div>
        </Show>
    }
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

    fn of_tone(&self, tone: Tone) -> &str {
        self.tones.iter().find(|(t, _)| *t == tone).map_or("", |(_, path)| path)
    }
}

fn circle(x: f32, y: f32, r: f32) -> String {
    format!("M{:.1},{y:.1}a{r:.1},{r:.1} 0 1,0 {:.1},0a{r:.1},{r:.1} 0 1,0 -{:.1},0", x - r, 2.0 * r, 2.0 * r)
}

/// A shape for each tone: shape and colour say the same.
fn shape(tone: Tone, x: f32, y: f32, r: f32) -> String {
    match tone {
        Tone::Plain | Tone::Away => circle(x, y, r),
        Tone::Holds => format!("M{:.1},{:.1}h{2:.1}v{2:.1}h-{2:.1}Z", x - r * 1.2, y - r * 1.2, r * 2.4),
        Tone::Wrong => {
            let d = 2.0 * r;
            format!("M{:.1},{:.1}l{d:.1},{d:.1}m0,-{d:.1}l-{d:.1},{d:.1}", x - r, y - r)
        }
        Tone::Vain => format!("M{x:.1},{:.1}l{r:.1},{1:.1}h-{2:.1}Z", y - r, r * 1.9, r * 2.0),
        Tone::Stuck => format!("M{x:.1},{:.1}l{r:.1},{r:.1}l-{r:.1},{r:.1}l-{r:.1},-{r:.1}Z", y - r),
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
