// Measures the boxes of all text on the page. The value of this script is a function that returns the faults as
// lines: text that is cut off, spills over its box, lies on other text, or stands outside the screen sideways.
(() => {
  const NEAR = 1.5; // px that rounding may cost
  const shown = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const unseen = (one) => one.closest(".sr, .live, .said, .skip, option, title, [hidden], dialog:not([open])") !== null;
  const name = (one) => {
    const kind = one.getAttribute("class")?.split(" ").slice(0, 2).join(".") ?? "";
    return `${one.tagName.toLowerCase()}${kind === "" ? "" : `.${kind}`}`;
  };
  const short = (text) => (text.length > 50 ? `${text.slice(0, 50)}…` : text);
  const sides = ({ left, right, top, bottom }) => ({ left, right, top, bottom });
  const meet = (a, b) => ({
    left: Math.max(a.left, b.left),
    right: Math.min(a.right, b.right),
    top: Math.max(a.top, b.top),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const width = (box) => box.right - box.left;
  const height = (box) => box.bottom - box.top;
  const empty = (box) => width(box) <= 0 || height(box) <= 0;
  const join = (boxes) => ({
    left: Math.min(...boxes.map((box) => box.left)),
    right: Math.max(...boxes.map((box) => box.right)),
    top: Math.min(...boxes.map((box) => box.top)),
    bottom: Math.max(...boxes.map((box) => box.bottom)),
  });

  // What of a box is left by the ancestors that hide or scroll what is outside them.
  function clipped(one, box) {
    let hard = box;
    let seen = box;
    for (let at = one; at !== null && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      if (at instanceof SVGElement) continue;
      const frame = sides(at.getBoundingClientRect());
      seen = meet(seen, frame);
      if (["hidden", "clip"].includes(style.overflowX)) hard = meet(hard, frame);
      // What is inside a scroller can be scrolled into view; its own frame is what may be cut further out.
      if (["auto", "scroll"].includes(style.overflowX)) hard = meet(hard, frame);
      if (["auto", "scroll"].includes(style.overflowX)) box = meet(box, frame);
    }
    return { seen, cut: width(box) - width(hard) > NEAR };
  }

  // Every piece of text with the boxes of its lines.
  function pieces() {
    const top = document.querySelector("dialog[open]") ?? document.body;
    const found = [];
    for (const one of top.querySelectorAll("*")) {
      if (unseen(one) || !shown(one)) continue;
      let text = "";
      let lines = [];
      if (one.tagName === "SELECT") {
        if (getComputedStyle(one).opacity === "0") continue;
        text = one.selectedOptions[0]?.textContent ?? "";
        lines = [sides(one.getBoundingClientRect())];
      } else if (one.tagName === "text") {
        text = one.textContent;
        lines = [sides(one.getBoundingClientRect())];
      } else if (one.closest("svg") === null) {
        for (const node of one.childNodes) {
          if (node.nodeType !== Node.TEXT_NODE || node.data.trim() === "") continue;
          text += node.data;
          const range = document.createRange();
          range.selectNodeContents(node);
          lines.push(...[...range.getClientRects()].map(sides));
        }
      }
      lines = lines.filter((line) => !empty(line));
      if (text.trim() === "" || lines.length === 0) continue;
      const whole = join(lines);
      const { seen, cut } = clipped(one, whole);
      if (empty(seen)) continue;
      const visible = lines.map((line) => meet(line, seen)).filter((line) => !empty(line));
      found.push({ one, text: text.trim(), lines: visible, whole, seen, cut });
    }
    return found;
  }

  // The first ancestor, or the element itself, that is a box of its own.
  function block(one) {
    let at = one;
    while (getComputedStyle(at).display.startsWith("inline") && !getComputedStyle(at).display.includes("-")) {
      at = at.parentElement;
    }
    return sides(at.getBoundingClientRect());
  }

  function spill({ one, text, whole, cut }) {
    const said = `${name(one)} “${short(text)}”`;
    if (cut) return [`cut off: ${said}`];
    if (one.tagName === "text") return spillInPicture(one, said, whole);
    if (one.tagName === "SELECT") {
      const style = getComputedStyle(one);
      const pen = document.createElement("canvas").getContext("2d");
      pen.font = style.font;
      const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      const wish = pen.measureText(text).width;
      return wish > room + NEAR ? [`does not show all: ${said} (${Math.ceil(wish)} px in ${Math.floor(room)})`] : [];
    }
    const box = block(one);
    if (whole.right > box.right + NEAR || whole.left < box.left - NEAR) {
      return [`spills over its box: ${said} (${Math.ceil(width(whole))} px in ${Math.floor(width(box))})`];
    }
    const style = getComputedStyle(one);
    // What is cut on purpose after some lines stands whole elsewhere (a strip's caption is in the foot).
    const hides = ["hidden", "clip"].includes(style.overflowY) && style.webkitLineClamp === "none";
    if (hides && one.scrollHeight > one.clientHeight + 1) return [`cut off below: ${said}`];
    return [];
  }

  // A word in a picture stays inside the shape that it stands on.
  function spillInPicture(one, said, whole) {
    const shapes = [...one.parentElement.children]
      .filter((shape) => shape.tagName === "rect" && /^(bubble|body|slot|plate-card)$/.test(shape.getAttribute("class")))
      .map((shape) => shape.getBoundingClientRect());
    const middle = (whole.top + whole.bottom) / 2;
    const under = shapes.find((shape) => shape.top <= middle && middle <= shape.bottom);
    if (under === undefined) return [];
    const over = Math.max(under.left - whole.left, whole.right - under.right);
    return over > NEAR ? [`spills over its shape: ${said} by ${Math.ceil(over)} px`] : [];
  }

  // Ascenders and descenders of two lines may share a little room without touching.
  const core = (line) => {
    const margin = height(line) * 0.18;
    return { ...line, top: line.top + margin, bottom: line.bottom - margin };
  };

  function overlaps(all) {
    const faults = [];
    const foot = document.querySelector(".foot");
    const sticky = foot !== null && getComputedStyle(foot).position === "sticky";
    for (let i = 0; i < all.length; i++) {
      for (let j = i + 1; j < all.length; j++) {
        const [a, b] = [all[i], all[j]];
        if (empty(meet(a.seen, b.seen))) continue;
        if (sticky && foot.contains(a.one) !== foot.contains(b.one)) continue;
        const touch = a.lines.some((x) =>
          b.lines.some((y) => {
            const both = meet(core(x), core(y));
            return width(both) > NEAR && height(both) > NEAR;
          }),
        );
        if (touch) {
          faults.push(`overlap: ${name(a.one)} “${short(a.text)}” and ${name(b.one)} “${short(b.text)}”`);
        }
      }
    }
    return faults;
  }

  function outside(all) {
    const wide = document.documentElement.clientWidth;
    const faults = all
      .filter(({ seen }) => seen.right > wide + NEAR || seen.left < -NEAR)
      .map(({ one, text }) => `outside the screen: ${name(one)} “${short(text)}”`);
    if (document.documentElement.scrollWidth > wide) faults.push("the page scrolls sideways");
    return faults;
  }

  // With the page scrolled to its end, nothing may be left behind the foot.
  function behindFoot() {
    const foot = document.querySelector(".foot");
    if (foot === null || document.querySelector("dialog[open]") !== null) return [];
    const before = scrollY;
    scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
    const top = foot.getBoundingClientRect().top;
    const faults = pieces()
      .filter(({ one, seen }) => !foot.contains(one) && seen.bottom > top + 4)
      .map(({ one, text }) => `behind the foot: ${name(one)} “${short(text)}”`);
    scrollTo({ top: before, behavior: "instant" });
    return faults;
  }

  return () => {
    const all = pieces();
    return [...all.flatMap(spill), ...overlaps(all), ...outside(all), ...behindFoot()];
  };
})()
