//! Whether a client still has an answer to come.

use super::{ClientId, Packet, Sent, World};

impl World {
    /// Whether a request of the client, or the reply to one, is on its way, among servers too.
    pub fn is_asking(&self, client: ClientId) -> bool {
        let Some(actor) = self.actor(client) else { return false };
        let asks = |sent: &Sent| matches!(sent, Sent::Request(_));
        let wire = self.servers.wires().of(client);
        let at_servers = wire.is_some_and(|(_, wire)| wire.asked.iter().any(asks));
        let replies = |packet: &Packet| matches!(packet, Packet::Reply { .. });
        actor.to_server.iter().any(asks) || at_servers || actor.to_client.iter().any(replies)
    }
}
