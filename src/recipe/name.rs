//! Names of lock nodes: `guid-lock-0000000007`.

use crate::zookeeper::Path;

/// The fixed name that `node=ephemeral-single` fights for.
pub const SINGLE_NAME: &str = "lock";

/// The prefix of a client's node; the server appends the number. The GUID in front lets a client
/// find its own node again (ZooKeeper's recipe page, "Recoverable Errors and the GUID"). One that only
/// reads says so ("Shared Locks").
pub fn prefix(guid: &str, reads: bool) -> String {
    format!("{guid}-{}-", if reads { "read" } else { "lock" })
}

/// The GUID that the next process makes, where each makes its own. It follows from the last one, so that a
/// run can be replayed, and looks like any other: 32-bit FNV-1a (draft-eastlake-fnv).
pub fn next_guid(guid: &str) -> String {
    let hash =
        guid.bytes().fold(0x811c_9dc5u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    format!("{hash:08x}")
}

/// Whether the node's client only reads.
pub fn is_reader(name: &str) -> bool {
    split_at_number(name).is_some_and(|(before, _)| before.ends_with("read-"))
}

/// The number that the server appended, or `None` for a name without one. It may be negative:
/// a counter that wrapped writes a minus sign (ZooKeeper before 3.6.0).
pub fn sequence(name: &str) -> Option<i32> {
    split_at_number(name).and_then(|(_, tail)| tail.parse().ok())
}

/// What stands up to the last `lock-` or `read-`, that included, and what after it.
pub fn split_at_number(name: &str) -> Option<(&str, &str)> {
    let at = name.rfind("lock-").max(name.rfind("read-"))?;
    Some(name.split_at(at + 5))
}

/// A node's name as people read it: the last four digits of its number, all of a longer one.
pub fn node_label(path: &str) -> String {
    let name = last_part(path);
    match sequence(name) {
        Some(number) if (0..10_000).contains(&number) => format!("{number:04}"),
        Some(number) => number.to_string(),
        None => name.to_string(),
    }
}

/// The last part of a path.
pub fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The path of `name` in the directory `dir`.
pub fn join(dir: &str, name: &str) -> Path {
    format!("{dir}/{name}").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_read_after_the_last_lock() {
        assert_eq!(sequence("5b1c-lock-0000000007"), Some(7));
        assert_eq!(sequence("5b1c-lock--2147483648"), Some(i32::MIN));
        assert_eq!(sequence("lock"), None);
        assert_eq!(sequence("5b1c-read-0000000008"), Some(8));
        assert!(is_reader("5b1c-read-0000000008") && !is_reader("5b1c-lock-0000000008"));
    }
}
