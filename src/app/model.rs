//! The page's state.

use std::sync::Arc;

use litemap::LiteMap;

use super::faults::Target;
use super::first::First;
use super::run::Run;
use super::{Address, read_address};
use crate::app::scene::Pick;
use crate::play::Scenario;
use crate::text::{Lang, Text};
use crate::world::ClientId;
use crate::zookeeper::EnsembleSize;

/// Which page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// The first minute, at `#/`.
    First,
    /// The lab, at `#/lab`.
    Lab,
}

/// How the page is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    Light,
    Dark,
    /// For projectors.
    Contrast,
}

impl Theme {
    /// Every theme, in the order of the menu.
    pub const ALL: [Theme; 3] = [Theme::Light, Theme::Dark, Theme::Contrast];

    /// The word in links, storage and the style sheet.
    pub fn word(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
            Theme::Contrast => "contrast",
        }
    }
}

/// How much room there is. The browser says which, by its width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Room for the rail beside the lanes.
    #[default]
    Wide,
    /// The lanes side by side; code and bill are tabs under them.
    Medium,
    /// A phone: one lane at a time, the queue from top to bottom.
    Narrow,
}

/// What stands under the stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// What a client believes against what the server holds.
    #[default]
    Strips,
    /// The space-time diagram.
    Diagram,
    /// The picture as a table.
    Table,
    /// The servers' histories, where there are several.
    Servers,
    /// The pseudo-code, where there is no rail.
    Code,
    /// The bill, where there is no rail.
    Bill,
}

impl Tab {
    /// Every tab, in order.
    pub const ALL: [Tab; 6] = [Tab::Strips, Tab::Diagram, Tab::Table, Tab::Servers, Tab::Code, Tab::Bill];

    /// The word in storage and tests.
    pub fn word(self) -> &'static str {
        match self {
            Tab::Strips => "strips",
            Tab::Diagram => "diagram",
            Tab::Table => "table",
            Tab::Servers => "servers",
            Tab::Code => "code",
            Tab::Bill => "bill",
        }
    }
}

/// What the browser remembers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `None` follows the browser.
    pub lang: Option<Lang>,
    /// `None` follows the system.
    pub theme: Option<Theme>,
    /// Ask a prediction before the first consequence.
    pub predictions: bool,
    /// Single letters are commands while the stage has focus.
    pub letters: bool,
    /// Heartbeats are drawn, and a step of their own.
    pub heartbeats: bool,
    /// The pseudo-code is open.
    pub code: bool,
    /// The bill is open.
    pub bill: bool,
    pub tab: Tab,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            lang: None,
            theme: None,
            predictions: true,
            letters: true,
            heartbeats: false,
            code: true,
            bill: true,
            tab: Tab::Strips,
        }
    }
}

/// A run that a hand turned aside, and where the reader was in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// What turned it aside; `None` for the run without a hand.
    pub name: Option<Text>,
    /// Which branch it left.
    pub parent: Option<usize>,
    pub scenario: Scenario,
    pub stop: u32,
}

/// What the reader did with a prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guess {
    Skipped,
    /// The answer with this word was chosen.
    Made(&'static str),
}

/// The lab.
#[derive(Clone, Debug)]
pub struct Lab {
    pub scenario: Scenario,
    pub run: Arc<Run>,
    /// The stop of the transport that is shown.
    pub stop: u32,
    pub playing: bool,
    /// Stops a second, in quarters: 4 is one.
    pub pace: u32,
    /// The lane whose code is shown, from 0.
    pub focus: usize,
    pub pick: Option<Pick>,
    /// What the reader did with the predictions, by the stops at which they are asked.
    pub guesses: LiteMap<u32, Guess>,
    pub branches: Vec<Branch>,
    pub branch: usize,
    /// What undo goes back to, newest last.
    pub undo: Vec<(Vec<Branch>, usize)>,
    /// Whether the panel with the scenario's controls is open.
    pub setup: bool,
    /// A field whose number could not be taken, and why.
    pub field: Option<(&'static str, Text)>,
    /// Every line of the pseudo-code is shown.
    pub whole_code: bool,
    /// Whom the row of faults is for, where the reader has said so.
    pub target: Option<Target>,
    /// A fault is injected in every lane at once.
    pub every_lane: bool,
    /// What would be added to the script.
    pub draft: Draft,
}

/// Something that the reader is about to add to the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    pub at_ms: u64,
    /// An action's name, without the client where it has one; `split.s1` and `heal.all` for what splits the
    /// servers and heals them.
    pub what: String,
    pub client: ClientId,
}

impl Default for Draft {
    fn default() -> Draft {
        Draft { at_ms: 1000, what: "pause".to_string(), client: ClientId(0) }
    }
}

impl Lab {
    /// The lab with this scenario at this stop.
    pub fn open(scenario: Scenario, stop: u32) -> Lab {
        let run = Run::of(&scenario, None);
        let stop = stop.min(run.comparison.last_stop());
        let main = Branch { name: None, parent: None, scenario: scenario.clone(), stop };
        Lab {
            scenario,
            run,
            stop,
            playing: false,
            pace: 8,
            focus: 0,
            pick: None,
            guesses: LiteMap::new(),
            branches: vec![main],
            branch: 0,
            undo: Vec::new(),
            setup: false,
            field: None,
            whole_code: false,
            target: None,
            every_lane: false,
            draft: Draft::default(),
        }
    }

    /// Puts another scenario in its place. The pace stays as the reader has set it.
    pub(super) fn show(&mut self, scenario: Scenario, stop: u32, focus: usize) {
        let pace = self.pace;
        *self = Lab { pace, ..Lab::open(scenario, stop) };
        self.focus_on(focus);
    }
}

/// The whole page.
#[derive(Clone, Debug)]
pub struct Model {
    pub page: Page,
    pub settings: Settings,
    /// What the browser asks for, where the reader has not chosen.
    pub browser_lang: Lang,
    pub system_dark: bool,
    /// From the address: it wins over the settings until the reader chooses.
    pub address_lang: Option<Lang>,
    pub address_theme: Option<Theme>,
    pub first: First,
    pub lab: Lab,
    pub notices: Vec<Text>,
    pub help: bool,
    pub layout: Layout,
}

impl Model {
    /// The page as the address says, with default settings.
    pub fn open(hash: &str) -> Model {
        let Address { page, scenario, stop, focus, lang, theme, mut problems } = read_address(hash);
        let mut scenario = scenario.unwrap_or_else(super::opening_story);
        problems.extend(super::fit(&mut scenario));
        problems.extend(scenario.without_effect());
        let mut lab = Lab::open(scenario, stop);
        lab.focus_on(focus);
        Model {
            page,
            settings: Settings::default(),
            browser_lang: Lang::En,
            system_dark: false,
            address_lang: lang,
            address_theme: theme,
            first: First::default(),
            lab,
            notices: problems,
            help: false,
            layout: Layout::Wide,
        }
    }

    /// The language that is shown.
    pub fn lang(&self) -> Lang {
        self.address_lang.or(self.settings.lang).unwrap_or(self.browser_lang)
    }

    /// The tab that is shown: code and bill are tabs only where there is no rail.
    pub fn tab(&self) -> Tab {
        match (self.settings.tab, self.layout) {
            (Tab::Code | Tab::Bill, Layout::Wide) => Tab::Strips,
            (Tab::Servers, _) if self.lab.scenario.servers == EnsembleSize::One => Tab::Strips,
            (tab, _) => tab,
        }
    }

    /// The theme that is shown.
    pub fn theme(&self) -> Theme {
        let system = if self.system_dark { Theme::Dark } else { Theme::Light };
        self.address_theme.or(self.settings.theme).unwrap_or(system)
    }
}
