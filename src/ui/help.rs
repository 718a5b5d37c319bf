//! The help: what the page is, its words, its keys.

use super::controls::{quiet, switch, tr, verdict_class};
use super::el::{Act, El, div, el};
use crate::app::{Model, Msg, bindings};
use crate::recipe::Verdict;

use crate::text::{Lang, Text, text};

/// A modal dialog with the help. Closed, it is empty.
pub fn help(model: &Model) -> El {
    let dialog = div("dialog", "help").attr("aria-labelledby", "help-title");
    let dialog = dialog.change(Act::Send(Msg::Help(false)));
    match model.help {
        false => dialog.attr(".modal", "false"),
        true => contents(model, dialog).attr(".modal", "true"),
    }
}

/// Apart, for most visits do not ask for it.
fn contents(model: &Model, dialog: El) -> El {
    let lang = model.lang();
    let keys = bindings().into_iter().map(|binding| {
        let on_stage = binding.letter.then(|| tr(lang, text("on the stage", "焦点在舞台上时")));
        el("tr")
            .kid(el("th").attr("scope", "row").kid(el("kbd").text(binding.label)))
            .kid(el("td").text(tr(lang, binding.help)))
            .kid(el("td").text(on_stage.unwrap_or_default()))
    });
    let verdicts = [Verdict::Breaks, Verdict::Sticks, Verdict::Costs, Verdict::Right].map(|verdict| {
        let about = match verdict {
            Verdict::Breaks => text(
                "something wrong is stored, or two act at once",
                "存下了错误的内容，或者两个客户端同时操作",
            ),
            Verdict::Sticks => text("somebody waits for ever", "有客户端永远等下去"),
            Verdict::Costs => text("it is right, and dear", "结果正确，但代价高"),
            Verdict::Right => text("none of these", "以上都没有"),
        };
        let term = div("dt", verdict_class(verdict)).text(format!(
            "{} {}",
            verdict.mark(),
            tr(lang, verdict.label())
        ));
        [term, el("dd").text(tr(lang, about))]
    });
    let signs = [
        text(
            "Boxes are nodes at the server. The key is on the node that stands first: that is the truth.",
            "方框是服务器上的节点。钥匙在排第一的节点上：这是事实。",
        ),
        text(
            "Circles are clients. The bubble says what a client believes.",
            "圆圈是客户端，气泡里是它以为的情况。",
        ),
        text(
            "A bar under a node is a fuse: how long its session still lives if the server hears nothing. The bar at a client is its own clock, marked where it takes the connection for lost.",
            "节点下的横条是引线：服务器再收不到消息，会话还能活多久。客户端处的横条是它自己的时钟，刻度处它会认为连接断了。",
        ),
        text(
            "The bar before the ledger is its gate. A card is a request with its token: ✓ taken, ! late and taken all the same, ⊘ refused.",
            "账本前的横杠是闸门。卡片是带令牌的请求：✓ 接受，! 迟到仍接受，⊘ 拒绝。",
        ),
        text(
            "An arc is a watch, from the watcher to the node it watches. It fires once.",
            "弧线是 Watch，从监听者指向被监听的节点，只触发一次。",
        ),
        text(
            "Cells over the queue are servers, where there are several: ⚑ leads, ● follows, ? looks for a leader, ✝ is down, ‖ is stalled, ≠ is cut off; −2 is two transactions behind. Pick one to crash it, cut it off or hold it back; the row of trouble splits and heals the ensemble.",
            "队列上方的格子是服务器（多台时）：⚑ 是 Leader，● 是 Follower，? 在选主，✝ 已停机，‖ 停滞，≠ 失联；−2 表示落后两个事务。点选一台，可以让它崩溃、失联或落后；故障栏可以切断和恢复整个集群。",
        ),
        text(
            "A disc with strokes is a process that stands still; ✝ is one that crashed. A torn pill was lost on the way.",
            "带斜纹的圆是停住不动的进程，✝ 是崩溃的进程。撕裂的消息是途中丢失的。",
        ),
        text(
            "A filled pill is a request, an outlined one a reply, one with a bell an event. Pick one to deliver it now or hold it back.",
            "实心的是请求，空心的是回答，带铃铛的是事件。点选它，可以立刻送达或扣住。",
        ),
    ];
    let letters = switch(
        lang,
        "data-letters",
        model.settings.letters,
        Msg::Letters,
        text("Single letters are commands while the stage has focus", "焦点在舞台上时，单个字母是命令"),
    );
    let predictions = switch(
        lang,
        "data-predictions",
        model.settings.predictions,
        Msg::Predictions,
        text("Ask me to predict", "让我先猜"),
    );
    let heartbeats = switch(
        lang,
        "data-help-heartbeats",
        model.settings.heartbeats,
        Msg::Heartbeats,
        text("Draw heartbeats, and step through them", "画出心跳，并逐步经过它们"),
    );
    let title = text("How to read and drive this page", "怎样看、怎样操作");
    let head = div("div", "help-head")
        .kid(el("h2").attr("id", "help-title").text(tr(lang, title)))
        .kid(quiet(lang, "close", text("Close", "关闭"), Msg::Help(false)));
    dialog
        .kid(head)
        .kid(el("p").text(tr(
            lang,
            text(
                "A lock is a handful of decisions. Each lane runs the same story with other decisions; the page shows where they part and what comes of it. Change a decision in a lane's title or in the code.",
                "锁就是几个决定。每个方案用不同的决定跑同一个故事；页面指出它们在哪里分开、结果如何。可以在方案标题或代码里修改决定。",
            ),
        )))
        .kid(el("ul").kids(signs.map(|sign| el("li").text(tr(lang, sign)))))
        .kid(div("dl", "help-verdicts").kids(verdicts.into_iter().flatten()))
        .kid(el("h3").text(tr(lang, text("Words", "用语"))))
        .kid(div("dl", "help-verdicts").kids(words(lang)))
        .kid(el("h3").text(tr(lang, text("Keys", "按键"))))
        .kid(div("table", "help-keys").kid(el("tbody").kids(keys)))
        .kid(div("div", "help-switches").kid(letters).kid(predictions).kid(heartbeats))
        .kid(div("p", "small").text(tr(
            lang,
            text(
                "The simulator agrees, line by line, with 323 recordings of a real ZooKeeper 3.8.0 server. Where it simplifies, docs/fidelity.md in the source says so.",
                "模拟器与真实 ZooKeeper 3.8.0 服务器的 323 份记录逐行一致。简化之处写在源码的 docs/fidelity.md 里。",
            ),
        )))
}

/// The words of the page that ZooKeeper does not have.
fn words(lang: Lang) -> Vec<El> {
    let words = [
        (
            text("lane", "方案"),
            text("one run of the story, with decisions of its own", "同一个故事的一次运行，有自己的一组决定"),
        ),
        (
            text("cause", "起因"),
            text("the first step in which two lanes differ", "两个方案第一次不同的那一步"),
        ),
        (
            text("in vain", "白白唤醒"),
            text("woken, looked, and slept again without the lock", "醒来、查看之后没拿到锁，又睡下"),
        ),
        (
            text("requests set off", "引发的请求"),
            text(
                "requests that clients sent because a deletion woke them",
                "被一次删除唤醒的客户端所发出的请求",
            ),
        ),
        (
            text("hand-over", "交接"),
            text(
                "from the deletion until the next holder knows that it holds",
                "从节点被删除到下一个持有者得知自己持有锁",
            ),
        ),
        (
            text("heard 58 ms ago", "58 ms 前得知"),
            text(
                "how old the client's newest message from ZooKeeper is",
                "客户端最近一次收到 ZooKeeper 消息距今多久",
            ),
        ),
        (
            text("seed", "种子"),
            text(
                "decides how long each message takes; the same seed, the same run",
                "决定每条消息走多久；种子相同，运行就相同",
            ),
        ),
    ];
    let entry =
        |(word, meaning): (Text, Text)| [el("dt").text(tr(lang, word)), el("dd").text(tr(lang, meaning))];
    words.into_iter().flat_map(entry).collect()
}
