//! The key table: one list that feeds dispatch, the help and the tests.
//!
//! Keys are told by `KeyboardEvent.code`, since under a Chinese input method `key` is `Process`.

use super::update::Msg;
use crate::text::{Text, text};

/// One key.
#[derive(Clone, Debug)]
pub struct Binding {
    /// `KeyboardEvent.code`.
    pub code: &'static str,
    pub shift: bool,
    /// What the help shows.
    pub label: &'static str,
    pub msg: Msg,
    pub help: Text,
    /// A single letter or sign: works only while the stage has focus, and can be switched off
    /// (WCAG 2.2, 2.1.4).
    pub letter: bool,
}

/// Every key of the page.
pub fn bindings() -> Vec<Binding> {
    let key = |code, label, msg, help| Binding { code, shift: false, label, msg, help, letter: false };
    let letter = |code, label, msg, help| Binding { code, shift: false, label, msg, help, letter: true };
    vec![
        key("Space", "Space", Msg::NextMoment, text("next moment", "下一关键点")),
        Binding {
            shift: true,
            ..key("Space", "Shift+Space", Msg::PreviousMoment, text("previous moment", "上一关键点"))
        },
        key("ArrowRight", "→", Msg::Step(1), text("one step forward", "前进一步")),
        key("ArrowLeft", "←", Msg::Step(-1), text("one step back", "后退一步")),
        key("Home", "Home", Msg::First, text("to the start", "到开头")),
        key("End", "End", Msg::Last, text("to the end", "到结尾")),
        key("Escape", "Esc", Msg::Close, text("close what is open", "关闭打开的面板")),
        letter("KeyP", "P", Msg::Play, text("play or pause", "播放或暂停")),
        letter("KeyU", "U", Msg::Undo, text("undo", "撤销")),
        letter("KeyC", "C", Msg::ToCause, text("to where the lanes part", "到两个方案开始不同的那一步")),
        letter("KeyV", "V", Msg::ToConsequence, text("to the first consequence", "到第一个后果")),
        letter("Digit1", "1", Msg::Focus(0), text("focus lane 1", "切到方案 1")),
        letter("Digit2", "2", Msg::Focus(1), text("focus lane 2", "切到方案 2")),
        letter("Digit3", "3", Msg::Focus(2), text("focus lane 3", "切到方案 3")),
        letter("Digit4", "4", Msg::Focus(3), text("focus lane 4", "切到方案 4")),
        Binding { shift: true, ..letter("Slash", "?", Msg::Help(true), text("this help", "本帮助")) },
    ]
}

/// Where the focus is when a key is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FocusIn {
    /// Nothing in particular: the page itself.
    Page,
    /// The stage or something on it. `button` where it takes Space and Enter itself.
    Stage { button: bool },
    /// A button or a link elsewhere: it takes Space and Enter itself.
    Button,
    /// A control that uses the keys itself: a list, a field, something that scrolls.
    Control,
}

/// What a key does, if it does anything there.
pub fn dispatch(code: &str, shift: bool, focus: FocusIn, letters: bool) -> Option<Msg> {
    let binding = bindings().into_iter().find(|b| b.code == code && b.shift == shift)?;
    let allowed = match (binding.letter, focus) {
        (true, FocusIn::Stage { .. }) => letters,
        // The help must be found before one knows the stage.
        (true, FocusIn::Page) if code == "Slash" => letters,
        (true, FocusIn::Page | FocusIn::Button | FocusIn::Control) => false,
        (false, FocusIn::Control) => code == "Escape",
        (false, FocusIn::Button | FocusIn::Stage { button: true }) => code != "Space",
        (false, FocusIn::Page | FocusIn::Stage { button: false }) => true,
    };
    allowed.then_some(binding.msg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_bindings_share_a_key() {
        let mut keys: Vec<_> = bindings().iter().map(|b| (b.code, b.shift)).collect();
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count);
    }

    #[test]
    fn single_letters_work_on_the_stage_alone_and_can_be_switched_off() {
        let on_stage = FocusIn::Stage { button: false };
        assert_eq!(dispatch("KeyP", false, on_stage, true), Some(Msg::Play));
        assert_eq!(dispatch("KeyP", false, on_stage, false), None);
        assert_eq!(dispatch("KeyP", false, FocusIn::Page, true), None);
        assert_eq!(dispatch("KeyP", false, FocusIn::Control, true), None);
    }

    #[test]
    fn a_button_keeps_its_space_and_a_field_all_its_keys() {
        assert_eq!(dispatch("Space", false, FocusIn::Stage { button: true }, true), None);
        assert_eq!(dispatch("ArrowRight", false, FocusIn::Stage { button: true }, true), Some(Msg::Step(1)));
        assert_eq!(dispatch("Space", false, FocusIn::Button, true), None);
        assert_eq!(dispatch("ArrowRight", false, FocusIn::Button, true), Some(Msg::Step(1)));
        assert_eq!(dispatch("ArrowRight", false, FocusIn::Control, true), None);
        assert_eq!(dispatch("Escape", false, FocusIn::Control, true), Some(Msg::Close));
    }
}
