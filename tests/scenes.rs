//! What the lab shows at every moment of the classic story, in each decision's options, as text.
//!
//! The texts lie in `tests/snapshots/`, a file for each decision. `LOCKSTEP_BLESS=1 cargo test --test scenes`
//! writes them anew; then the difference is for a person to read.

use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

use lockstep::app::scene::{Mark, Slot, duration};
use lockstep::app::{LabScene, LaneScene, Model, Msg, PredictionScene, lab_scene, update};
use lockstep::play::{Lane, Scenario, encode};
use lockstep::recipe::{Decisions, Key};
use lockstep::teach::story;
use lockstep::text::Text;

/// The classic story: five clients; lane 1 watches the one ahead, lane 2 the holder.
fn classic() -> Scenario {
    story("who-wakes").expect("the classic story is there").scenario()
}

#[test]
fn the_classic_story_shows_what_it_showed() {
    compare("classic", &told(&classic()));
}

#[test]
fn the_owner_who_comes_back_shows_what_it_showed() {
    compare("gc-pause", &told(&story("gc-pause").expect("the story is there").scenario()));
}

#[test]
fn a_connection_that_breaks_shows_what_it_showed() {
    compare("short-reset", &told(&story("short-reset").expect("the story is there").scenario()));
}

#[test]
fn a_holder_behind_a_minority_shows_what_it_showed() {
    compare("minority-holder", &told(&story("minority-holder").expect("the story is there").scenario()));
}

#[test]
fn a_leader_that_dies_in_the_middle_of_a_create_shows_what_it_showed() {
    let id = "leader-dies-in-create";
    compare(id, &told(&story(id).expect("the story is there").scenario()));
}

#[test]
fn the_classic_story_with_another_node_shows_what_it_showed() {
    compare_options(Key::Node);
}

#[test]
fn the_classic_story_with_another_order_shows_what_it_showed() {
    compare_options(Key::Order);
}

#[test]
fn the_classic_story_with_another_watch_shows_what_it_showed() {
    compare_options(Key::Watch);
}

#[test]
fn the_classic_story_with_another_way_to_watch_shows_what_it_showed() {
    compare_options(Key::Check);
}

#[test]
fn the_classic_story_with_another_answer_to_a_missing_node_shows_what_it_showed() {
    compare_options(Key::Missing);
}

#[test]
fn the_classic_story_with_another_meaning_of_a_wake_up_shows_what_it_showed() {
    compare_options(Key::Wake);
}

#[test]
fn a_difference_is_shown_with_the_lines_before_it() {
    let was = "one\ntwo\nthree\nfour\nfive\n";
    let is = "one\ntwo\nthree\n4\nfive\nsix\n";
    assert_eq!(difference(was, was), None);
    assert_eq!(
        difference(was, is).as_deref(),
        Some(
            "  line 4:\n    one\n    two\n    three\n  - four\n  + 4\n  line 6:\n    4\n    five\n  + six\n"
        )
    );
}

/// The cast of the classic story in one lane, once for each option of a decision.
fn compare_options(key: Key) {
    let mut told_all = String::new();
    for option in key.options() {
        let decisions = Decisions::default().with(key, option.word).expect("the option has a word");
        writeln!(told_all, "# {}={}: {}\n", key.word(), option.word, option.why.en).unwrap();
        if decisions == Decisions::default() && key != Key::Watch {
            told_all.push_str("This is the right answer: see watch=predecessor in watch.txt.\n\n");
            continue;
        }
        told_all.push_str(&told(&Scenario { lanes: vec![Lane::of(decisions)], ..classic() }));
    }
    compare(key.word(), &told_all);
}

// The text of a scene

/// A scenario's start and each of its moments.
fn told(scenario: &Scenario) -> String {
    let mut model = Model::open(&format!("#/lab?{}", encode(scenario)));
    let moments = model.lab.run.landmarks().moments.clone();
    let predictions = model.lab.run.landmarks().predictions.clone();
    let mut out = String::new();
    let mut stops: Vec<(u32, String)> = vec![(0, "the start / 开头".to_string())];
    stops.extend(moments.iter().map(|moment| {
        let mark = match moment.mark {
            Some(Mark::Cause) => "⑂ ".to_string(),
            Some(Mark::Consequence(verdict)) => format!("{} ", verdict.mark()),
            Some(Mark::Hidden) => "? ".to_string(),
            None => String::new(),
        };
        (moment.stop, format!("{mark}{} / {}", moment.label.en, moment.label.zh))
    }));
    stops.extend(predictions.iter().map(|prediction| (prediction.stop, "a prediction / 先猜".to_string())));
    stops.sort_by_key(|(stop, _)| *stop);
    for (stop, name) in stops {
        update(&mut model, Msg::Seek(stop));
        let scene = lab_scene(&model);
        writeln!(out, "== {name}").unwrap();
        scene_text(&scene, &mut out);
        out.push('\n');
    }
    out
}

fn scene_text(scene: &LabScene, out: &mut String) {
    say(out, "", "place", &scene.transport.place);
    if let Some(PredictionScene::Asked { question, answers }) = &scene.prediction {
        say(out, "", "predict", question);
        answers.iter().for_each(|answer| say(out, "", "  answer", &answer.text));
    }
    say(out, "", "said", &scene.said);
    let texts: Vec<String> = scene.lanes.iter().map(lane_text).collect();
    for (lane, text) in scene.lanes.iter().zip(&texts) {
        let slots: Vec<String> = lane.slots.iter().map(slot_text).collect();
        writeln!(out, "lane {}    {}", lane.number, slots.join(", ")).unwrap();
        match lane.number > 1 && *text == texts[0] {
            true => out.push_str("  as lane 1\n"),
            false => out.push_str(text),
        }
    }
    let bill = scene.bill.iter().flat_map(|bill| &bill.rows).map(|row| {
        let cells = row.cells.iter().map(|cell| cell.text.clone() + if cell.dear { "▲" } else { "" });
        format!("{} {}", row.key, cells.collect::<Vec<_>>().join("|"))
    });
    writeln!(out, "bill      {}", bill.collect::<Vec<_>>().join(", ")).unwrap();
}

fn lane_text(lane: &LaneScene) -> String {
    let mut out = String::new();
    say(&mut out, "  ", "caption", &lane.caption);
    if let Some((verdict, because)) = &lane.verdict {
        let word = verdict.label();
        writeln!(out, "  verdict   {} {} / {}", verdict.mark(), word.en, word.zh).unwrap();
        say(&mut out, "  ", "because", because);
    }
    lane.note.iter().for_each(|note| say(&mut out, "  ", "note", note));
    say(&mut out, "  ", "sentence", &lane.stage.sentence);
    for client in lane.stage.clients.iter().filter(|client| client.step != "idle") {
        let wrong = client.wrong_ms.map_or(String::new(), |ms| format!(", wrong for {}", duration(ms)));
        let acted = if client.acted { "*" } else { " " };
        let (name, step, one, two) = (client.client, client.step, &client.line1, &client.line2);
        let bubble = format!("[{}, {} / {}，{}]", one.en, two.en, one.zh, two.zh);
        writeln!(out, "  {name} {acted}{step:9} {bubble}{wrong}").unwrap();
    }
    out
}

fn slot_text(slot: &Slot) -> String {
    format!("{} = {}", slot.label.en, slot.chosen)
}

/// A sentence in both languages, one under the other; once where they are the same.
fn say(out: &mut String, indent: &str, label: &str, text: &Text) {
    writeln!(out, "{indent}{label:9} {}", text.en).unwrap();
    if text.zh != text.en {
        writeln!(out, "{indent}          {}", text.zh).unwrap();
    }
}

// Comparing

fn compare(name: &str, is: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots").join(format!("{name}.txt"));
    if env::var_os("LOCKSTEP_BLESS").is_some_and(|value| value == "1") {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, is).unwrap();
        return;
    }
    let was = fs::read_to_string(&path).unwrap_or_default();
    if let Some(difference) = difference(&was, is) {
        panic!(
            "tests/snapshots/{name}.txt says otherwise (- was, + is):\n{difference}\
             If the new text is right: LOCKSTEP_BLESS=1 cargo test --test scenes"
        );
    }
}

/// The lines before a difference that are shown with it.
const BEFORE: usize = 3;
/// More differences than this tell nothing new.
const MOST: usize = 40;

/// The lines that differ, each run of them with what stands before it; `None` if there are none.
fn difference(was: &str, is: &str) -> Option<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (was.lines().collect(), is.lines().collect());
    let edits = edits(&old, &new);
    let mut out = String::new();
    let mut shown = 0;
    for (at, edit) in edits.iter().enumerate() {
        let (sign, line) = match edit {
            Edit::Same(_) => continue,
            Edit::Gone(line) => ('-', line),
            Edit::Come(line) => ('+', line),
        };
        let starts = at == 0 || matches!(edits[at - 1], Edit::Same(_));
        if starts {
            shown += 1;
            if shown > MOST {
                out.push_str("  … and more\n");
                break;
            }
            let number = edits[..at].iter().filter(|edit| !matches!(edit, Edit::Gone(_))).count() + 1;
            writeln!(out, "  line {number}:").unwrap();
            for before in &edits[at.saturating_sub(BEFORE)..at] {
                if let Edit::Same(line) | Edit::Come(line) = before {
                    writeln!(out, "    {line}").unwrap();
                }
            }
        }
        writeln!(out, "  {sign} {line}").unwrap();
    }
    (shown > 0).then_some(out)
}

enum Edit<'a> {
    Same(&'a str),
    Gone(&'a str),
    Come(&'a str),
}

/// The longest common subsequence, after what is the same at both ends.
fn edits<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<Edit<'a>> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let width = b.len() + 1;
    let mut longest = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * width + j] = match a[i] == b[j] {
                true => longest[(i + 1) * width + j + 1] + 1,
                false => longest[(i + 1) * width + j].max(longest[i * width + j + 1]),
            };
        }
    }
    let mut edits: Vec<Edit<'a>> = old[..head].iter().map(|line| Edit::Same(line)).collect();
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            edits.push(Edit::Same(a[i]));
            (i, j) = (i + 1, j + 1);
        } else if j >= b.len() || (i < a.len() && longest[(i + 1) * width + j] >= longest[i * width + j + 1])
        {
            edits.push(Edit::Gone(a[i]));
            i += 1;
        } else {
            edits.push(Edit::Come(b[j]));
            j += 1;
        }
    }
    edits.extend(old[old.len() - tail..].iter().map(|line| Edit::Same(line)));
    edits
}
