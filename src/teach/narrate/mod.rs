//! What happened in a step, as sentences: every event is said here, or stands beside the reason why it is not.
//!
//! A file says one kind of thing (queue, requests, watches, …); `step` asks what the whole step holds, so that its
//! sentences agree and nothing is said twice.

mod agreement;
mod contact;
mod matter;
mod messages;
mod nodes;
mod queue;
mod requests;
mod resource;
mod servers;
mod sessions;
mod step;
mod watches;

use step::in_order;

use super::words::subject;
use crate::recipe::ResourceReply;
use crate::text::{Lang, Text, say};
use crate::world::{Action, Event, Timer};

/// Says what the events of one step mean.
pub fn narrate(events: &[Event]) -> Text {
    // An election comes before what it decides.
    let sentences: Vec<Text> = in_order(events).filter_map(|event| sentence(event, events)).collect();
    let join = |lang: Lang, between: &str| {
        let all: Vec<&str> = sentences.iter().map(|s| s.get(lang)).collect();
        all.join(between)
    };
    say(join(Lang::En, " "), join(Lang::Zh, ""))
}

/// What one event of a step says; `None` where it goes without saying, or another sentence of the step says it.
fn sentence(event: &Event, step: &[Event]) -> Option<Text> {
    match event {
        // The queue, as a client sees it.
        Event::Arrived { client } => Some(queue::arrived(*client)),
        // `Sorted` follows, and says what it saw.
        Event::WillSort { .. } => None,
        Event::Sorted { client, listed: false, .. } => Some(queue::is_not_listed(*client)),
        Event::Sorted { client, place, listed: true, .. } => Some(queue::sorted(*client, *place, step)),
        Event::Slept { client, .. } => Some(queue::slept(*client)),
        // The sentence on the event that it heard says it.
        Event::Woke { .. } => None,
        Event::Found { client, node } => Some(queue::found(*client, node.as_ref())),
        Event::Acquired { client, looked, token, .. } => Some(queue::acquired(*client, *looked, *token)),
        Event::Released { client } => Some(queue::released(*client)),
        Event::LostLock { client, why } => Some(queue::lost_lock(*client, *why)),
        Event::HeldBack { client } => Some(queue::held_back(*client)),
        Event::GaveUpPlace { client } => Some(queue::gave_up_place(*client, step)),
        Event::GaveUp { client, leaves } => Some(queue::gave_up(*client, *leaves)),
        Event::Finished { client, worked } => Some(queue::finished(*client, *worked)),

        // Requests to ZooKeeper, and the nodes that they change.
        Event::RequestSent { client, request } => Some(requests::sent(*client, request, event, step)),
        Event::RequestTaken { client, request, error, children, server, .. } => {
            requests::taken(*client, request, *error, *children, &subject(*server), step)
        }
        Event::ReplyHeard { client, request, error, children } => {
            Some(requests::heard(*client, request, *error, *children))
        }
        Event::RequestFailed { client, error } => Some(requests::not_tried_again(*client, *error)),
        Event::Failed { client, error } => Some(requests::failed(*client, *error)),
        Event::NodeCreated { client, path, .. } => Some(nodes::created(*client, path, step)),
        Event::NodeDeleted { client, path, why, .. } => Some(nodes::deleted(*client, path, *why, step)),

        // Watches.
        Event::WatchSet { client, path, on_missing, .. } => {
            Some(watches::set(*client, path, *on_missing, step))
        }
        Event::WatchFired { event: watched, lost: false, .. } => watches::fired(event, watched, step),
        Event::WatchFired { client, event: watched, lost: true, .. } => {
            Some(watches::fired_in_vain(*client, watched))
        }
        Event::EventHeard { client, event: watched } => Some(watches::heard(*client, watched, step)),

        // Connections and sessions.
        Event::ConnectSent { client, new, server } => Some(contact::connect_sent(*client, *new, *server)),
        Event::ConnectTaken { client, handshake, server, .. } => {
            Some(contact::connect_taken(*client, *handshake, *server))
        }
        Event::Connected { client, new, .. } => Some(contact::connected(*client, *new)),
        Event::Disconnected { client, why } => Some(contact::disconnected(*client, *why)),
        Event::LinkLost { link, .. } => Some(contact::link_lost(*link)),
        Event::ConnectionClosed { client } => contact::closed(*client, step),
        Event::PingSent { client } => Some(sessions::ping_sent(*client)),
        Event::PingTaken { client, server } => Some(sessions::ping_taken(*client, *server, step)),
        Event::PongHeard { client } => Some(sessions::pong_heard(*client)),
        // Why it closes its session is said before: it is done, it gives up, or it is told to.
        Event::CloseSent { .. } => None,
        Event::SessionClosed { client } => Some(sessions::closed(*client, step)),
        Event::SessionExpired { client, old } => sessions::expired(*client, *old, step),
        Event::SessionUnheard { client } => Some(sessions::unheard(*client)),
        Event::ExpiredHeard { client } => Some(sessions::expiry_heard(*client)),

        // What comes from outside.
        Event::FaultInjected { client, fault } => {
            Some(Action::Fault(*fault, *client).fill(fault.definition().told))
        }
        Event::OperatorActed { operator } => {
            Some(Action::Operator(*operator).fill(operator.definition().told))
        }

        // The guarded resource.
        Event::ResourceAsked { client, request } => Some(resource::asked(*client, request)),
        Event::ResourceTaken {
            client,
            request,
            reply: ResourceReply::Refused { highest },
            in_zookeeper,
            ..
        } => Some(resource::refused(*client, request.token(), *highest, *in_zookeeper, step)),
        Event::ResourceTaken { client, request, before, after, in_zookeeper, .. } => {
            Some(resource::accepted(*client, request, *before, *after, *in_zookeeper))
        }
        Event::ResourceHeard { client, reply } => resource::heard(*client, reply),

        // Time.
        Event::TimerSet { timer: Timer::Work(client) } => Some(queue::works(*client)),
        Event::TimerSet { timer: Timer::Poll(client) } => Some(queue::will_poll(*client)),
        // When it comes, or connects, is shown by the schedule; that it happens is said when it does.
        Event::TimerSet { timer: Timer::Arrive(_) | Timer::Reconnect(_) } => None,
        // What ended it has been said.
        Event::TimerCleared { .. } => None,

        Event::Server { fact } => servers::servers(fact, event, step),
    }
}
