//! Questions about a whole step: what its sentences must agree on.

use crate::teach::words::subject;
use crate::text::Text;
use crate::world::{Event, ServerFact, ServerWord};
use crate::zookeeper::ServerId;

/// Whether a client comes to believe that it holds the lock.
pub(super) fn acquires(step: &[Event]) -> bool {
    step.iter().any(|event| matches!(event, Event::Acquired { .. }))
}

/// Whether a client is woken.
pub(super) fn wakes(step: &[Event]) -> bool {
    step.iter().any(|event| matches!(event, Event::Woke { .. }))
}

/// Whether a fact like this one is in the step.
pub(super) fn has(step: &[Event], is: fn(&ServerFact) -> bool) -> bool {
    step.iter().any(|event| matches!(event, Event::Server { fact } if is(fact)))
}

/// Whether it is a fault of servers.
pub(super) fn is_fault(fact: &ServerFact) -> bool {
    matches!(fact, ServerFact::FaultInjected { .. })
}

pub(super) fn is_proposed(fact: &ServerFact) -> bool {
    matches!(fact, ServerFact::Proposed { .. })
}

pub(super) fn is_committed(fact: &ServerFact) -> bool {
    matches!(fact, ServerFact::Committed { .. })
}

pub(super) fn is_elected(fact: &ServerFact) -> bool {
    matches!(fact, ServerFact::Elected { .. })
}

/// Whether a server gives up its leader or its quorum.
pub(super) fn has_given_up(step: &[Event]) -> bool {
    has(step, |fact| matches!(fact, ServerFact::GaveUp { .. }))
}

pub(super) fn is_joined(fact: &ServerFact) -> bool {
    matches!(fact, ServerFact::Joined { .. })
}

/// Whether what a server took goes on to others in the same step, or is answered.
pub(super) fn goes_on(step: &[Event]) -> bool {
    let on = |fact: &ServerFact| {
        let asks = |what: &ServerWord| matches!(what, ServerWord::Forward | ServerWord::Validate);
        matches!(fact, ServerFact::Sent { what, .. } if asks(what)) || is_proposed(fact)
    };
    has(step, on) || step.iter().any(|event| matches!(event, Event::ConnectTaken { .. }))
}

/// Whether the queue or a session changes in this step.
pub(super) fn changes(step: &[Event]) -> bool {
    step.iter().any(|event| {
        matches!(
            event,
            Event::NodeCreated { .. }
                | Event::NodeDeleted { .. }
                | Event::SessionClosed { .. }
                | Event::SessionExpired { .. }
        )
    })
}

/// Whether there are several servers, as far as the step tells.
pub(super) fn is_of_several(step: &[Event]) -> bool {
    step.iter().any(|event| matches!(event, Event::Server { .. }))
}

/// Whether the leader has heard of a session in this step.
pub(super) fn heard_by_leader(step: &[Event]) -> bool {
    has(step, |fact| matches!(fact, ServerFact::Touched { .. }))
}

/// Who answers a request in this step.
pub(super) fn answering(step: &[Event]) -> Text {
    let server = |event: &Event| {
        if let Event::RequestTaken { server, .. } = event { *server } else { None }
    };
    subject(step.iter().find_map(server))
}

/// The events of a step in the order in which they are told: an election comes before what it decides.
pub(super) fn in_order(step: &[Event]) -> impl Iterator<Item = &Event> {
    let elects = |event: &&Event| matches!(event, Event::Server { fact } if is_elected(fact));
    step.iter().filter(elects).chain(step.iter().filter(move |event| !elects(event)))
}

/// What follows `event` in its step, up to the next of its kind.
pub(super) fn following<'a>(event: &Event, step: &'a [Event], is: fn(&ServerFact) -> bool) -> &'a [Event] {
    let at = step.iter().position(|other| std::ptr::eq(other, event)).map_or(step.len(), |at| at + 1);
    let rest = &step[at..];
    let next = rest.iter().position(|other| matches!(other, Event::Server { fact } if is(fact)));
    &rest[..next.unwrap_or(rest.len())]
}

/// The servers that carry something out in this step.
pub(super) fn carrying_out(step: &[Event]) -> Vec<ServerId> {
    let mut servers: Vec<ServerId> = Vec::new();
    for event in step {
        if let Event::Server { fact: ServerFact::Applied { server, .. } } = event
            && !servers.contains(server)
        {
            servers.push(*server);
        }
    }
    servers
}
