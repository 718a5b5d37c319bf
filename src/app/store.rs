//! What the browser remembers: settings, as one line of `key=word` pairs.
//!
//! A reader of any line: what cannot be read keeps its default. The line has a version of its own.

use super::model::{Settings, Tab, Theme};
use crate::text::Lang;

/// The key in the browser's local storage.
pub const STORE_KEY: &str = "lockstep.settings";

/// Writes settings.
pub fn write_settings(settings: &Settings) -> String {
    let mut line = String::from("v=1");
    let mut pair = |key: &str, word: &str| {
        line.push('&');
        line.push_str(key);
        line.push('=');
        line.push_str(word);
    };
    if let Some(lang) = settings.lang {
        pair("lang", lang.word());
    }
    if let Some(theme) = settings.theme {
        pair("theme", theme.word());
    }
    let yes_no = |yes: bool| if yes { "yes" } else { "no" };
    pair("predict", yes_no(settings.predictions));
    pair("letters", yes_no(settings.letters));
    pair("beats", yes_no(settings.heartbeats));
    pair("code", yes_no(settings.code));
    pair("bill", yes_no(settings.bill));
    pair("tab", settings.tab.word());
    line
}

/// Reads settings. The second result is false if something in the line could not be read.
pub fn read_settings(line: &str) -> (Settings, bool) {
    let mut settings = Settings::default();
    let mut whole = true;
    for (key, word) in form_urlencoded::parse(line.as_bytes()) {
        let flag = match &*word {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        };
        let set = |field: &mut bool| flag.map(|yes| *field = yes).is_some();
        whole &= match &*key {
            "v" => word == "1",
            "lang" => {
                settings.lang = Lang::ALL.into_iter().find(|lang| lang.word() == word);
                settings.lang.is_some()
            }
            "theme" => {
                settings.theme = Theme::ALL.into_iter().find(|theme| theme.word() == word);
                settings.theme.is_some()
            }
            "tab" => {
                Tab::ALL.into_iter().find(|tab| tab.word() == word).map(|tab| settings.tab = tab).is_some()
            }
            "predict" => set(&mut settings.predictions),
            "letters" => set(&mut settings.letters),
            "beats" => set(&mut settings.heartbeats),
            "code" => set(&mut settings.code),
            "bill" => set(&mut settings.bill),
            _ => false,
        };
    }
    (settings, whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back_as_they_were_written() {
        let settings = Settings {
            lang: Some(Lang::Zh),
            theme: Some(Theme::Dark),
            predictions: false,
            letters: false,
            heartbeats: true,
            code: true,
            bill: false,
            tab: Tab::Table,
        };
        assert_eq!(read_settings(&write_settings(&settings)), (settings, true));
    }

    #[test]
    fn a_corrupt_line_gives_the_defaults_and_says_so() {
        for line in ["{\"lang\":1}", "v=2", "lang=fr", "predict=maybe", "\u{0}\u{1}", "%%%=&&"] {
            let (settings, whole) = read_settings(line);
            assert_eq!(settings, Settings::default(), "{line:?}");
            assert!(!whole, "{line:?}");
        }
    }
}
