// Starts the page, and says so when it cannot start or has stopped.
//
// It is an external file because the Content-Security-Policy forbids inline scripts. The release build gives its
// address a `?v=` with a hash of the whole site; the glue and the wasm are asked for with the same one, so that a
// browser never mixes two builds.

const version = new URL(import.meta.url).search;
const element = (id) => document.getElementById(id);
let stopped = false;

// Shows the panel outside the app, once: the first reason is the true one, later faults follow from it.
function stop(kind, reason) {
  if (stopped) return;
  stopped = true;
  element("app")?.setAttribute("hidden", "");
  element("loading").hidden = true;
  element(kind === "load" ? "fallback-load" : "fallback-panic").hidden = false;
  element("fallback-link").value = location.href;
  element("fallback-reason").textContent = String(reason);
  element("fallback").hidden = false;
  element("fallback").focus();
}

// A link that differs in its hash only would not load the page again.
function reloadAt(address) {
  return (event) => {
    event.preventDefault();
    history.replaceState(null, "", address());
    location.reload();
  };
}

element("fallback-home").addEventListener("click", reloadAt(() => location.pathname));
element("fallback-retry").addEventListener("click", reloadAt(() => location.href));

// Sent by src/panic_panel.rs before the wasm ends.
addEventListener("lockstep-panic", (event) => stop("panic", event.detail));
// A trap without a panic (memory, stack) only shows up here; so does what the browser throws through the program
// (no timers, say), which leaves it half done and deaf.
const isTrap = (error) => error instanceof WebAssembly.RuntimeError;
const isThrough = (error) => /lockstep\w*\.(wasm|js)/.test(error?.stack ?? "");
addEventListener("error", ({ error }) => (isTrap(error) || isThrough(error)) && stop("panic", error));
addEventListener("unhandledrejection", ({ reason }) => isTrap(reason) && stop("panic", reason));

// While developing there is no version, and Trunk says when it has built the page again.
if (version === "" && location.hostname === "127.0.0.1") {
  new WebSocket(`ws://${location.host}/.well-known/trunk/ws`).addEventListener("message", (event) => {
    if (JSON.parse(event.data).type === "reload") location.reload();
  });
}

try {
  const { default: init } = await import(`./lockstep.js${version}`);
  await init({ module_or_path: new URL(`./lockstep_bg.wasm${version}`, import.meta.url) });
  element("loading").hidden = true;
  document.documentElement.dataset.started = "";
} catch (error) {
  stop(error instanceof WebAssembly.RuntimeError ? "panic" : "load", error);
}
