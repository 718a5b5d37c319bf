//! The two languages of the page.
//!
//! This room knows nothing of the others. A [`Text`] holds a sentence in both languages, so a
//! string that lacks one does not compile:
//!
//! ```
//! use lockstep::text::{text, Lang};
//! let hello = text("The lock is free.", "锁空闲。");
//! assert_eq!(hello.get(Lang::Zh), "锁空闲。");
//! ```

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A language of the page. The address and the browser's storage write it as `en` or `zh`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    #[default]
    En,
    Zh,
}

impl Lang {
    /// Every language, in the order of the menu.
    pub const ALL: [Lang; 2] = [Lang::En, Lang::Zh];

    /// The BCP 47 tag for the `lang` attribute.
    pub fn tag(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Zh => "zh-Hans",
        }
    }

    /// The word that links and storage use.
    pub fn word(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Zh => "zh",
        }
    }

    /// The language's name in itself.
    pub fn own_name(self) -> &'static str {
        match self {
            Lang::En => "English",
            Lang::Zh => "中文",
        }
    }
}

/// One sentence or label in both languages.
///
/// It is a pointer: scenes hold hundreds of them, and each would be 24 bytes to move about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Text(Arc<Sentence>);

/// What a [`Text`] says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sentence {
    pub en: Cow<'static, str>,
    pub zh: Cow<'static, str>,
}

impl Deref for Text {
    type Target = Sentence;

    fn deref(&self) -> &Sentence {
        &self.0
    }
}

impl Text {
    /// The sentence in `lang`.
    pub fn get(&self, lang: Lang) -> &str {
        match lang {
            Lang::En => &self.en,
            Lang::Zh => &self.zh,
        }
    }

    /// The same characters in both languages: a number, a path, an API name.
    pub fn same(s: impl Into<Cow<'static, str>>) -> Text {
        let s = s.into();
        say(s.clone(), s)
    }
}

/// A pair of constant strings, for tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fixed {
    pub en: &'static str,
    pub zh: &'static str,
}

impl Fixed {
    /// The string in `lang`.
    pub fn get(self, lang: Lang) -> &'static str {
        match lang {
            Lang::En => self.en,
            Lang::Zh => self.zh,
        }
    }

    pub fn text(self) -> Text {
        text(self.en, self.zh)
    }
}

/// A [`Fixed`] from two constant strings.
pub const fn fixed(en: &'static str, zh: &'static str) -> Fixed {
    Fixed { en, zh }
}

/// A [`Text`] from two constant strings.
pub fn text(en: &'static str, zh: &'static str) -> Text {
    Text(Arc::new(Sentence { en: Cow::Borrowed(en), zh: Cow::Borrowed(zh) }))
}

/// A [`Text`] from two computed strings.
pub fn say(en: impl Into<Cow<'static, str>>, zh: impl Into<Cow<'static, str>>) -> Text {
    of(en.into(), zh.into())
}

fn of(en: Cow<'static, str>, zh: Cow<'static, str>) -> Text {
    Text(Arc::new(Sentence { en, zh }))
}
