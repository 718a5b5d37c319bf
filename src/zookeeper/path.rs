//! What a path may look like, and its parts.

use super::protocol::ErrorCode;

/// Whether the server takes `path` for the name of a node it creates, sets or checks.
///
/// ZooKeeper's `PathUtils.validatePath`. It looks at UTF-16 units, so a character beyond the basic
/// plane is refused as the surrogates it is made of.
pub(super) fn validate(path: &str) -> Result<(), ErrorCode> {
    let Some(rest) = path.strip_prefix('/') else { return Err(ErrorCode::BadArguments) };
    let is_name = |part: &str| !matches!(part, "" | "." | "..") && part.encode_utf16().all(is_allowed);
    if rest.is_empty() || rest.split('/').all(is_name) { Ok(()) } else { Err(ErrorCode::BadArguments) }
}

fn is_allowed(unit: u16) -> bool {
    !matches!(unit, 0..=0x1f | 0x7f..=0x9f | 0xd800..=0xf8ff | 0xfff0..=0xffff)
}

/// The parent's path as the server cuts it off before it has looked at the rest: all before the
/// last slash, and so "" for a child of the root (`PrepRequestProcessor.getParentPathAndValidate`).
pub(super) fn parent_of_request(path: &str) -> Result<&str, ErrorCode> {
    match path.rsplit_once('/') {
        Some((parent, _)) if !path.contains('\0') => Ok(parent),
        Some(_) | None => Err(ErrorCode::BadArguments),
    }
}

/// The root's two names, "/" and "", are one (`DataTree` keeps it under both).
pub(super) fn root_or(path: &str) -> &str {
    if path.is_empty() { "/" } else { path }
}

/// Parent and last part of a valid path; none for the root.
pub(super) fn split(path: &str) -> Option<(&str, &str)> {
    let (parent, name) = path.rsplit_once('/')?;
    if name.is_empty() { None } else { Some((root_or(parent), name)) }
}

/// The ancestors of a valid path, nearest first, the root last.
pub(super) fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(split(path), |(parent, _)| split(parent)).map(|(parent, _)| parent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_the_server_refuses() {
        for bad in ["", "a", "a/b", "/a/", "//", "/a//b", "/.", "/..", "/a/./b", "/a/..", "/\0", "/\u{1f}"] {
            assert_eq!(validate(bad), Err(ErrorCode::BadArguments), "{bad:?}");
        }
        for bad in ["/\u{7f}", "/\u{9f}", "/\u{e000}", "/\u{f8ff}", "/\u{fff0}", "/\u{ffff}", "/\u{1f512}"] {
            assert_eq!(validate(bad), Err(ErrorCode::BadArguments), "{bad:?}");
        }
        for good in
            ["/", "/a", "/a/b", "/.a", "/...", "/a.", "/a b", "/\u{a0}", "/锁", "/\u{f900}", "/\u{ffef}"]
        {
            assert_eq!(validate(good), Ok(()), "{good:?}");
        }
    }

    #[test]
    fn ancestors_end_with_the_root() {
        assert_eq!(ancestors("/a/b/c").collect::<Vec<_>>(), ["/a/b", "/a", "/"]);
        assert_eq!(ancestors("/a").collect::<Vec<_>>(), ["/"]);
        assert_eq!(ancestors("/").count(), 0);
    }
}
