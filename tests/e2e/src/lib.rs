//! Drives the release build in a real Chromium.
