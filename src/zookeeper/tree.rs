//! The znodes of one member, each under its full path.
//!
//! The tree carries out what was decided before: it checks that a change fits, not that it is
//! allowed (that is `prepare`). It knows no watches and no sessions.

use std::collections::BTreeSet;
use std::sync::Arc;

use litemap::LiteMap;

use super::path;
use super::protocol::{ErrorCode, Path, SessionId, Stat, Zxid};

/// What becomes of a parent's create counter after 2147483647.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CounterEnd {
    /// It stays there, and the parent's pzxid stops moving with creates: a counter is taken over only
    /// when it is greater than the stored one (`DataTree.createNode` since 3.6.0, ZOOKEEPER-3249;
    /// recording `o_overflow_sequential_creates`).
    #[default]
    Sticks,
    /// It goes on at −2147483648: the counter is assigned unconditionally (3.4 and 3.5; read in
    /// source, not recorded).
    Wraps,
}

/// One znode.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    data: Arc<str>,
    czxid: Zxid,
    mzxid: Zxid,
    pzxid: Zxid,
    version: i32,
    aversion: i32,
    creates: i32,
    owner: Option<SessionId>,
    children: BTreeSet<Path>,
}

impl Node {
    fn new(data: Arc<str>, zxid: Zxid, owner: Option<SessionId>) -> Node {
        Node {
            data,
            czxid: zxid,
            mzxid: zxid,
            pzxid: zxid,
            version: 0,
            aversion: 0,
            creates: 0,
            owner,
            children: BTreeSet::new(),
        }
    }

    pub fn data(&self) -> &Arc<str> {
        &self.data
    }

    /// The session with which the node ends; none for a persistent one.
    pub fn owner(&self) -> Option<SessionId> {
        self.owner
    }

    /// How many children were ever created here: the number the next sequential child gets. It is
    /// the server's internal cversion, which `Stat` does not show.
    pub fn creates(&self) -> i32 {
        self.creates
    }

    /// The children's names (the last parts of their paths), sorted.
    pub fn children(&self) -> impl ExactSizeIterator<Item = &Path> {
        self.children.iter()
    }

    pub fn stat(&self) -> Stat {
        let num_children = self.children.len() as u32;
        Stat {
            czxid: self.czxid,
            mzxid: self.mzxid,
            pzxid: self.pzxid,
            version: self.version,
            // Creates + deletes, in 32 bits: DataNode.copyStat; it turns negative at 2^30 creates
            // (recording `o_overflow_visible_cversion`).
            cversion: self.creates.wrapping_mul(2).wrapping_sub(num_children as i32),
            aversion: self.aversion,
            ephemeral_owner: self.owner,
            data_length: self.data.len() as u32,
            num_children,
        }
    }
}

/// All znodes. The root is always there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Tree {
    nodes: LiteMap<Path, Node>,
}

impl Tree {
    pub(super) fn new() -> Tree {
        Tree { nodes: LiteMap::from_iter([("/".into(), Node::new("".into(), Zxid(-1), None))]) }
    }

    pub(super) fn get(&self, path: &str) -> Option<&Node> {
        self.nodes.get(path::root_or(path))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&Path, &Node)> {
        self.nodes.iter()
    }

    /// Adds a node and sets its parent's create counter to `parent_creates`. Returns the parent's path.
    pub(super) fn create(
        &mut self,
        zxid: Zxid,
        path: &Path,
        data: Arc<str>,
        owner: Option<SessionId>,
        parent_creates: i32,
        counter_end: CounterEnd,
    ) -> Result<Path, ErrorCode> {
        let (parent, name) = path::split(path).ok_or(ErrorCode::BadArguments)?;
        let parent_path = self.key(parent).ok_or(ErrorCode::NoNode)?;
        let parent = self.nodes.get_mut(parent).ok_or(ErrorCode::NoNode)?;
        if !parent.children.insert(name.into()) {
            return Err(ErrorCode::NodeExists);
        }
        let takes_counter = match counter_end {
            CounterEnd::Sticks => parent_creates > parent.creates,
            CounterEnd::Wraps => true,
        };
        if takes_counter {
            parent.creates = parent_creates;
            parent.pzxid = zxid;
        }
        self.nodes.insert(path.clone(), Node::new(data, zxid, owner));
        Ok(parent_path)
    }

    /// Removes a node without children. Returns its parent's path and the node.
    pub(super) fn delete(&mut self, zxid: Zxid, path: &str) -> Result<(Path, Node), ErrorCode> {
        let (parent, name) = path::split(path).ok_or(ErrorCode::BadArguments)?;
        if !self.get(path).ok_or(ErrorCode::NoNode)?.children.is_empty() {
            return Err(ErrorCode::NotEmpty);
        }
        let parent_path = self.key(parent).ok_or(ErrorCode::NoNode)?;
        let parent = self.nodes.get_mut(parent).ok_or(ErrorCode::NoNode)?;
        parent.children.remove(name);
        parent.pzxid = parent.pzxid.max(zxid);
        let node = self.nodes.remove(path).ok_or(ErrorCode::NoNode)?;
        Ok((parent_path, node))
    }

    pub(super) fn set_data(
        &mut self,
        zxid: Zxid,
        path: &str,
        data: Arc<str>,
        version: i32,
    ) -> Result<Stat, ErrorCode> {
        let node = self.nodes.get_mut(path).ok_or(ErrorCode::NoNode)?;
        node.data = data;
        node.version = version;
        node.mzxid = zxid;
        Ok(node.stat())
    }

    pub(super) fn set_aversion(&mut self, path: &str, aversion: i32) -> Result<Stat, ErrorCode> {
        let node = self.nodes.get_mut(path).ok_or(ErrorCode::NoNode)?;
        node.aversion = aversion;
        Ok(node.stat())
    }

    /// Sets the numbers of the node at `path`, which is made first if it is not there.
    pub(super) fn preset(&mut self, path: &Path, creates: i32, czxid: Zxid) -> Result<(), ErrorCode> {
        path::validate(path)?;
        if !self.nodes.contains_key(path) {
            let (parent, _) = path::split(path).ok_or(ErrorCode::BadArguments)?;
            let parent = self.get(parent).ok_or(ErrorCode::NoNode)?;
            if parent.owner.is_some() {
                return Err(ErrorCode::NoChildrenForEphemerals);
            }
            let parent_creates = parent.creates.wrapping_add(1);
            self.create(czxid, path, "".into(), None, parent_creates, CounterEnd::Wraps)?;
        }
        let node = self.nodes.get_mut(path).ok_or(ErrorCode::NoNode)?;
        node.creates = creates;
        node.czxid = czxid;
        node.mzxid = czxid;
        node.pzxid = czxid;
        Ok(())
    }

    fn key(&self, path: &str) -> Option<Path> {
        let index = self.nodes.find_index(path).ok()?;
        self.nodes.get_indexed(index).map(|(key, _)| key.clone())
    }
}
