//! Drives a server, or an ensemble, through a recording and says what each line would have recorded.

use serde_json::Value;

use super::ensemble::Quorum;
use super::recording::{Header, Mode, ROOT, RecordedStep};
use super::standalone::Standalone;
use crate::zookeeper::{Member, MemberSettings, Zxid};

pub(super) enum Replay {
    Standalone(Standalone),
    Ensemble(Quorum),
}

impl Replay {
    pub(super) fn new(header: &Header) -> Replay {
        let [min_session_timeout_ms, max_session_timeout_ms] = header.timeout_limits_ms;
        let settings =
            MemberSettings { min_session_timeout_ms, max_session_timeout_ms, ..MemberSettings::default() };
        let mut member = Member::with_settings(settings);
        // Both paths are valid and parents stand first. The root's own counter is not part of any recording:
        // it starts at 0 here whatever the recording server had done before.
        for (path, czxid) in [(ROOT, Zxid(0)), ("/", Zxid(-1))] {
            member.preset_node(path, 0, czxid).expect("the two first nodes can be made");
        }
        match header.mode {
            Mode::Standalone => Replay::Standalone(Standalone::new(member)),
            Mode::Ensemble => Replay::Ensemble(Quorum::new(member)),
        }
    }

    /// Carries out one step and returns its line as it would have been recorded here, without ranks. What
    /// was asked is copied from `recorded`.
    ///
    /// # Errors
    /// A sentence if the step makes no sense where it stands.
    pub(super) fn step(&mut self, step: &RecordedStep, recorded: &Value) -> Result<Value, String> {
        let (outcome, clients) = match self {
            Replay::Standalone(server) => (server.carry_out(&step.operation)?, &mut server.clients),
            Replay::Ensemble(servers) => {
                (servers.carry_out(&step.operation, recorded)?, &mut servers.clients)
            }
        };
        let after = clients.read_sockets();
        Ok(outcome.into_line(recorded, after))
    }
}
