//! The panel that changes the story: ready stories, numbers, the script, and every decision of every lane.

use super::controls::{quiet, slot_select, switch, tr};
use super::el::{El, div, el};
use super::lab::scroll;
use crate::app::scene::{Slot, duration, slot};
use crate::app::{Model, Msg};
use crate::play::{SERVERS, encode, server_word};
use crate::recipe::{Group, Key, PRESETS, Preset};

use crate::teach::{GROUPS, Story, action_name, fault_name, heal_name, split_name};
use crate::text::{Lang, Text, say, text};
use crate::world::{Action, ClientId, Fault, Operator, ServerFault, member_word};
use crate::zookeeper::{CounterEnd, EnsembleSize, ServerId};

/// The story, its numbers, and every decision of every lane.
pub fn setup(model: &Model) -> El {
    let lang = model.lang();
    let section = div("section", "setup")
        .attr("id", "setup")
        .attr("aria-label", tr(lang, text("Change the story", "更改故事")))
        .flag("hidden", !model.lab.setup);
    if !model.lab.setup {
        return section;
    }
    let head = |label: Text| el("h3").text(tr(lang, label));
    section
        .kid(head(text("Stories", "故事")))
        .kid(stories(model))
        .kid(head(text("Numbers", "数目")))
        .kid(numbers(model))
        .maybe(model.lab.field.as_ref().map(|(_, why)| {
            div("p", "field-why").attr("role", "alert").key("why").text(tr(lang, why.clone()))
        }))
        .kid(head(text("What happens from outside", "外部事件")))
        .kid(script(model))
        .kid(head(text("Decisions", "决定")))
        .kid(own(model))
        .kids(groups(model))
        .kid(switch(
            lang,
            "data-heartbeats",
            model.settings.heartbeats,
            Msg::Heartbeats,
            text("Draw heartbeats, and step through them", "画出心跳，并逐步经过它们"),
        ))
}

fn stories(model: &Model) -> El {
    let lang = model.lang();
    // A story's query is what its scenario is written as.
    let shown = encode(&model.lab.scenario);
    let groups = GROUPS.iter().map(|group| {
        let items = group.stories.iter().map(|story| story_item(lang, &shown, story));
        div("div", "story-group")
            .kid(el("h4").text(tr(lang, group.title.text())))
            .kid(div("ul", "stories").kids(items))
    });
    div("div", "story-groups").kids(groups)
}

fn story_item(lang: Lang, shown: &str, story: &'static Story) -> El {
    let here = story.query == shown;
    let button = div("button", "story")
        .opt("aria-current", here.then_some("true".into()))
        .attr("data-story", story.id)
        .kid(el("b").text(tr(lang, story.question.text())))
        .kid(el("span").text(tr(lang, story.about.text())))
        .sends(Msg::Story(story.id));
    el("li").kid(button)
}

fn numbers(model: &Model) -> El {
    let lang = model.lang();
    let scenario = &model.lab.scenario;
    let timings = &scenario.timings;
    let wrong =
        |key: &str| model.lab.field.as_ref().filter(|(field, _)| *field == key).map(|_| "true".into());
    let field = |key: &'static str, label: Text, value: String, least: &'static str, most: &'static str| {
        let input = el("input")
            .attr("type", "number")
            .attr("inputmode", "numeric")
            .attr("data-number", key)
            .attr("min", least)
            .attr("max", most)
            .attr("step", "1")
            .attr(".value", value)
            .opt("aria-invalid", wrong(key))
            .value_sends(move |word| Some(Msg::Number { key, word }));
        div("label", "field").kid(el("span").text(tr(lang, label))).kid(input)
    };
    let number = |n: u64| n.to_string();
    let readers: Vec<String> = scenario.readers.iter().map(ClientId::to_string).collect();
    let readers = el("input")
        .attr("type", "text")
        .attr("data-list", "readers")
        .attr("placeholder", tr(lang, text("such as B,C", "例如 B,C")))
        .attr("autocomplete", "off")
        .attr(".value", readers.join(","))
        .opt("aria-invalid", wrong("readers"))
        .value_sends(|word| Some(Msg::List { key: "readers", word: word.to_uppercase() }));
    let readers = div("label", "field")
        .kid(el("span").text(tr(lang, text("clients that only read", "只读的客户端"))))
        .kid(readers);
    let server = server_select(lang, Some(scenario.server), |word| Some(Msg::List { key: "server", word }));
    let server =
        div("label", "field").kid(el("span").text(tr(lang, text("ZooKeeper", "ZooKeeper 版本")))).kid(server);
    let alone = scenario.servers == EnsembleSize::One;
    let sizes = EnsembleSize::ALL.map(|size| {
        let n = size.servers().to_string();
        el("option").attr("value", n.clone()).flag("selected", size == scenario.servers).text(n)
    });
    let size = el("select")
        .flag("data-ensemble", true)
        .kids(sizes)
        .attr(".value", scenario.servers.servers().to_string())
        .value_sends(|word| Some(Msg::List { key: "servers", word }));
    let size = div("label", "field").kid(el("span").text(tr(lang, text("servers", "服务器数")))).kid(size);
    let lag_words = match alone {
        true => text(
            "ms that followers lag (with one server nothing lags)",
            "Follower 延迟（毫秒；只有一台服务器时不起作用）",
        ),
        false => text("ms that followers lag", "Follower 延迟（毫秒）"),
    };
    let lag = el("input")
        .attr("type", "number")
        .attr("inputmode", "numeric")
        .attr("data-number", "lag-ms")
        .attr("min", "0")
        .attr("max", "3600000")
        .attr("step", "1")
        .attr(".value", number(timings.lag_ms))
        .flag("disabled", alone)
        .opt("aria-invalid", wrong("lag-ms"))
        .value_sends(|word| Some(Msg::Number { key: "lag-ms", word }))
        .key(if alone { "lag-off" } else { "lag" });
    let lag = div("label", "field").kid(el("span").text(tr(lang, lag_words))).kid(lag);
    let stock = scenario.stock.map(|stock| stock.to_string()).unwrap_or_default();
    let most = "3600000";
    div("div", "fields")
        .kid(field("clients", text("clients", "客户端数"), number(scenario.clients.into()), "2", "200"))
        .kid(field(
            "seed",
            text("seed: the luck of the delays", "种子：决定延迟的运气"),
            number(scenario.seed),
            "0",
            "999999",
        ))
        .kid(field(
            "gap-ms",
            text("ms between arrivals", "到达间隔（毫秒）"),
            number(timings.arrival_gap_ms),
            "0",
            most,
        ))
        .kid(field(
            "hold-ms",
            text("ms of work under the lock", "持锁工作时间（毫秒）"),
            number(timings.hold_ms),
            "0",
            most,
        ))
        .kid(field(
            "poll-ms",
            text("ms between polls", "轮询间隔（毫秒）"),
            number(timings.poll_ms),
            "1",
            most,
        ))
        .kid(field(
            "timeout-ms",
            text("session timeout, ms", "会话超时时间（毫秒）"),
            number(scenario.timeout_ms.into()),
            "1",
            most,
        ))
        .kid(field(
            "tick-ms",
            text("the server's tick, ms", "服务器的 tick（毫秒）"),
            number(timings.tick_ms),
            "1",
            "60000",
        ))
        .kid(field(
            "stock",
            text("items in stock (empty: one a client)", "库存（空：每个客户端一件）"),
            stock,
            "0",
            "1000000",
        ))
        .kid(field(
            "counter",
            text("nodes made here before", "此前创建过的节点数"),
            number(scenario.counter.into()),
            "0",
            "2147483647",
        ))
        .kid(readers)
        .kid(server)
        .kid(size)
        .kid(lag)
}

/// The server's generation, or, in a lane, that of the scenario.
fn server_select(
    lang: Lang,
    chosen: Option<CounterEnd>,
    send: impl Fn(String) -> Option<Msg> + 'static,
) -> El {
    let options = SERVERS.iter().map(|(word, end)| {
        let label = match end {
            CounterEnd::Sticks => text("3.6 or newer", "3.6 及以后"),
            CounterEnd::Wraps => text("before 3.6", "3.6 之前"),
        };
        el("option").attr("value", *word).flag("selected", chosen == Some(*end)).text(tr(lang, label))
    });
    el("select")
        .flag("data-server", true)
        .kids(options)
        .attr(".value", chosen.map_or("", server_word))
        .value_sends(send)
}

/// The script as a list, and what could be added to it.
fn script(model: &Model) -> El {
    let lang = model.lang();
    let lab = &model.lab;
    let items = lab.scenario.script.iter().enumerate().map(|(at, scripted)| {
        let (time, name) = (duration(scripted.at_ms), action_name(scripted.action));
        let words = say(format!("at {time}: {}", name.en), format!("{time}：{}", name.zh));
        let remove = say(format!("Remove “{}” at {time}", name.en), format!("移除 {time} 的“{}”", name.zh));
        el("li")
            .key(format!("{}@{}", scripted.action, scripted.at_ms))
            .attr("data-scripted", scripted.action.to_string())
            .kid(el("span").text(tr(lang, words)))
            .kid(quiet(lang, "close", remove, Msg::RemoveFromScript(at)))
    });
    let none = lab
        .scenario
        .script
        .is_empty()
        .then(|| div("p", "small").key("none").text(tr(lang, text("Nothing goes wrong.", "一切正常。"))));
    let draft = &lab.draft;
    let faults =
        Fault::ALL.map(|fault| (fault.word().to_string(), fault_name(Action::Fault(fault, ClientId(0)))));
    let operators =
        Operator::ONCE.map(Action::Operator).map(|action| (action.to_string(), fault_name(action)));
    let on_nodes = Operator::on(ClientId(0)).map(Operator::definition);
    let on_nodes = on_nodes.map(|by_hand| (by_hand.word.to_string(), by_hand.label.text()));
    let several = of_servers(lab.scenario.servers);
    let options = faults.into_iter().chain(on_nodes).chain(operators).chain(several).map(|(word, label)| {
        let chosen = word == draft.what;
        el("option").attr("value", word).flag("selected", chosen).text(tr(lang, label))
    });
    let what = el("select")
        .flag("data-draft-what", true)
        .attr("aria-label", tr(lang, text("What happens", "发生什么")))
        .kids(options)
        .attr(".value", draft.what.clone())
        .value_sends(|word| Some(Msg::DraftWhat(word)));
    let clients = (0..lab.scenario.clients.min(26)).map(|n| {
        let name = ClientId(n).to_string();
        el("option").attr("value", name.clone()).flag("selected", draft.client.0 == n).text(name)
    });
    let who = el("select")
        .flag("data-draft-client", true)
        .attr("aria-label", tr(lang, text("To which client", "哪个客户端")))
        .flag("disabled", draft.what.contains('.'))
        .kids(clients)
        .attr(".value", draft.client.to_string())
        .value_sends(|word| Some(Msg::DraftClient(word)));
    let at = el("input")
        .attr("type", "number")
        .attr("min", "0")
        .attr("max", "3600000")
        .flag("data-draft-at", true)
        .attr("aria-label", tr(lang, text("When, in ms", "何时（毫秒）")))
        .attr(".value", draft.at_ms.to_string())
        .value_sends(|word| Some(Msg::DraftAt(word)));
    let add = div("button", "small-button")
        .flag("data-add-script", true)
        .flag("disabled", draft.actions(&lab.scenario).is_empty())
        .text(tr(lang, text("add", "添加")))
        .sends(Msg::AddToScript);
    let form = div("div", "script-form")
        .kid(el("span").text(tr(lang, text("at", "在"))))
        .kid(at)
        .kid(el("span").text("ms"))
        .kid(what)
        .kid(who)
        .kid(add);
    div("div", "script").maybe(none).kid(el("ul").kids(items)).kid(form)
}

/// What can be written into the script for several servers: their faults one by one, a split, its end.
fn of_servers(size: EnsembleSize) -> Vec<(String, Text)> {
    if size == EnsembleSize::One {
        return Vec::new();
    }
    let all = (0..size.servers()).map(ServerId).collect::<Vec<_>>();
    let faults = ServerFault::all(size.servers()).into_iter().map(Action::ServerFault);
    let faults = faults.map(|action| (action.to_string(), fault_name(action)));
    let splits = all.iter().map(|one| {
        let rest = all.iter().filter(|other| *other != one).copied().collect::<Vec<_>>();
        (format!("split.{}", member_word(*one)), split_name(&[*one], &rest))
    });
    faults.chain(splits).chain([("heal.all".to_string(), heal_name(None))]).collect::<Vec<_>>()
}

fn lane_heads(model: &Model, remove: bool) -> El {
    let lang = model.lang();
    let many = model.lab.scenario.lanes.len() > 1;
    let heads = (1..=model.lab.scenario.lanes.len()).map(|n| {
        let name = say(format!("lane {n}"), format!("方案 {n}"));
        let label = say(format!("Remove lane {n}"), format!("移除方案 {n}"));
        let remove = (many && remove).then(|| {
            quiet(lang, "close", label, Msg::RemoveLane(n - 1)).attr("data-remove-lane", n.to_string())
        });
        el("th").attr("scope", "col").text(tr(lang, name)).maybe(remove)
    });
    el("thead").kid(el("tr").kid(el("td")).kids(heads))
}

/// What a lane has of its own besides its decisions: a library to follow, clients, timeout, server.
fn own(model: &Model) -> El {
    let lang = model.lang();
    let lanes = &model.lab.scenario.lanes;
    let row = |question: Text, cell: &dyn Fn(usize) -> El| {
        let cells = (0..lanes.len()).map(|lane| el("td").kid(cell(lane)));
        el("tr").kid(el("th").attr("scope", "row").text(tr(lang, question))).kids(cells)
    };
    let same = tr(lang, text("same", "相同"));
    let number = |lane: usize, key: &'static str, label: Text, value: Option<u32>| {
        el("input")
            .attr("type", "number")
            .attr("inputmode", "numeric")
            .attr("min", "1")
            .attr("data-lane-set", format!("{key}.{}", lane + 1))
            .attr("aria-label", tr(lang, label))
            .attr("placeholder", same.clone())
            .attr(".value", value.map(|n| n.to_string()).unwrap_or_default())
            .value_sends(move |word| Some(Msg::LaneSet { lane, key, word }))
    };
    let of_lane = |what: Text, lane: usize| {
        let n = lane + 1;
        say(format!("Lane {n}: {}", what.en), format!("方案 {n}：{}", what.zh))
    };
    let clients = |lane: usize| {
        let label =
            of_lane(text("clients, if not as many as the others", "客户端数（不同于其他方案时填写）"), lane);
        number(lane, "clients", label, lanes[lane].clients)
            .attr("max", "200")
            .attr("data-lane-clients", (lane + 1).to_string())
    };
    let timeout = |lane: usize| {
        let label =
            of_lane(text("session timeout in ms, if another", "会话超时时间（毫秒，不同时填写）"), lane);
        number(lane, "timeout-ms", label, lanes[lane].timeout_ms)
    };
    let server = |lane: usize| {
        let chosen = lanes[lane].server;
        let select =
            server_select(lang, chosen, move |word| Some(Msg::LaneSet { lane, key: "server", word }));
        let same =
            el("option").key("same").attr("value", "").flag("selected", chosen.is_none()).text(same.clone());
        select.attr("aria-label", tr(lang, of_lane(text("ZooKeeper", "ZooKeeper 版本"), lane))).kid(same)
    };
    let body = el("tbody")
        .kid(row(text("Decides as which library?", "像哪个库那样决定？"), &|lane| {
            preset(lang, lane, lanes[lane].decisions)
        }))
        .kid(row(text("How many clients?", "多少个客户端？"), &clients))
        .kid(row(text("How long may the server hear nothing?", "会话超时时间多长？"), &timeout))
        .kid(row(text("Which ZooKeeper?", "哪个版本的 ZooKeeper？"), &server));
    let table = div("table", "decisions").kid(lane_heads(model, true)).kid(body);
    scroll(tr(lang, text("What each lane has of its own", "各方案自己的设置")), table)
}

/// The libraries whose decisions a lane can take.
fn preset(lang: Lang, lane: usize, decisions: crate::recipe::Decisions) -> El {
    let here = Preset::of(&decisions);
    let right = decisions == crate::recipe::Decisions::default();
    let word = here.map_or(if right { "" } else { "own" }, |preset| preset.word);
    let option = |value: &'static str, label: super::Str| {
        el("option").key(value).attr("value", value).flag("selected", value == word).text(label)
    };
    let own = (word == "own").then(|| option("own", tr(lang, text("its own way", "自定"))));
    let options = PRESETS.iter().map(|preset| {
        option(
            preset.word,
            tr(lang, say(format!("as {} decides", preset.name), format!("像 {} 那样", preset.name))),
        )
    });
    let number = lane + 1;
    let label = say(format!("Lane {number}: decides as"), format!("方案 {number}：像谁那样决定"));
    let select = el("select")
        .attr("data-preset", number.to_string())
        .attr("aria-label", tr(lang, label))
        .maybe(own)
        .kid(option("", tr(lang, text("the right answers", "全部正确答案"))))
        .kids(options)
        .attr(".value", word)
        .value_sends(move |word| (word != "own").then_some(Msg::Preset { lane, word }));
    let note = here.map(|preset| div("p", "why").text(tr(lang, preset.note.text())));
    el("div").kid(select).maybe(note)
}

/// The decisions by what they are about; the first two groups are open, and those in which the lanes differ.
fn groups(model: &Model) -> Vec<El> {
    let lang = model.lang();
    let lanes = &model.lab.scenario.lanes;
    let group = |(at, group): (usize, Group)| {
        let (word, name, keys) = (group.word(), group.label(), group.keys().collect::<Vec<_>>());
        let chosen = |key: &Key| lanes.iter().map(|lane| lane.decisions.chosen(*key)).collect::<Vec<_>>();
        let not_usual = |key: &Key| chosen(key).iter().any(|option| option.word != key.options()[0].word);
        let open = at < 2 || keys.iter().any(not_usual);
        let rows = keys.iter().map(|key| decision_row(model, *key));
        let table = div("table", "decisions").kid(lane_heads(model, false)).kid(el("tbody").kids(rows));
        div("details", "group")
            .key(word)
            .attr("data-group", word)
            .flag("open", open)
            .kid(el("summary").text(tr(lang, name.clone())))
            .kid(scroll(tr(lang, name), table))
    };
    Group::ALL.into_iter().enumerate().map(group).collect()
}

fn decision_row(model: &Model, key: Key) -> El {
    let lang = model.lang();
    let cells = model.lab.scenario.lanes.iter().enumerate().map(|(at, lane)| {
        let slot: Slot = slot(&lane.decisions, key, model.lab.scenario.is_shared());
        // What the answer leads to, said where it is chosen; a greyed one says why it is greyed.
        let chosen = slot.options.iter().find(|option| option.word == slot.chosen);
        let why = chosen
            .filter(|_| slot.greyed.is_none())
            .map(|option| div("p", "why").text(tr(lang, option.why.clone())));
        el("td").kid(slot_select(lang, at, &slot, false)).maybe(why)
    });
    el("tr").kid(el("th").attr("scope", "row").text(tr(lang, key.question()))).kids(cells)
}
