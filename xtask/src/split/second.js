// Appended to the glue of wasm-bindgen where the wasm is split in two (xtask/src/split): how the second part comes.

const SECOND = new URL(`./lockstep_second.wasm${new URL(import.meta.url).search}`, import.meta.url);
let compiled;

// Fetches and compiles it. Never fails: what does not come now is asked for again once it is needed.
async function second() {
  try {
    const answer = await fetch(SECOND);
    if (answer.ok) compiled = await WebAssembly.compile(await answer.arrayBuffer());
  } catch {
    // No network. The first part needs none.
  }
}

// Called by the first part when it comes to a function of the second. It must be there when this returns, so what has
// not come by itself is waited for: a page that stands still for a moment is better than one that does something else.
function load() {
  try {
    compiled ??= new WebAssembly.Module(bytes());
    new WebAssembly.Instance(compiled, { ...__wbg_get_imports(), b: wasm });
  } catch (error) {
    dispatchEvent(new CustomEvent("lockstep-missing", { detail: error }));
    throw error;
  }
}

// A request that is waited for may ask for text only; this is the text that keeps every byte.
function bytes() {
  const request = new XMLHttpRequest();
  request.open("GET", SECOND, false);
  request.overrideMimeType("text/plain; charset=x-user-defined");
  request.send();
  if (request.status !== 200) throw new Error(`${SECOND} was not found (${request.status}).`);
  return Uint8Array.from(request.responseText, (character) => character.charCodeAt(0) & 255);
}
