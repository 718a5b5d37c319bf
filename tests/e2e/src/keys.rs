//! Key names as people write them, such as `Space`, `ArrowRight` or `Shift+Tab`, as WebDriver's characters.

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::key::Key;

/// The key presses for one name: modifiers go down first and come up last.
pub fn chord(name: &str) -> KeyActions {
    // A lone `+` is a key; elsewhere it joins keys.
    let keys: Vec<char> = if name == "+" { vec!['+'] } else { name.split('+').map(character).collect() };
    let down = keys.iter().map(|key| KeyAction::Down { value: *key });
    let up = keys.iter().rev().map(|key| KeyAction::Up { value: *key });
    down.chain(up).fold(KeyActions::new("keyboard".to_string()), InputSource::then)
}

fn character(name: &str) -> char {
    let key = match name {
        "Space" => return ' ',
        "Alt" => Key::Alt,
        "ArrowDown" => Key::Down,
        "ArrowLeft" => Key::Left,
        "ArrowRight" => Key::Right,
        "ArrowUp" => Key::Up,
        "Backspace" => Key::Backspace,
        "Control" => Key::Control,
        "Delete" => Key::Delete,
        "End" => Key::End,
        "Enter" => Key::Enter,
        "Escape" => Key::Escape,
        "Home" => Key::Home,
        "Meta" => Key::Meta,
        "PageDown" => Key::PageDown,
        "PageUp" => Key::PageUp,
        "Shift" => Key::Shift,
        "Tab" => Key::Tab,
        one => {
            let mut characters = one.chars();
            match (characters.next(), characters.next()) {
                (Some(only), None) => return only,
                _ => panic!("There is no key `{name}` in tests/e2e/src/keys.rs."),
            }
        }
    };
    key.into()
}
