// Replays stand in frames, which follow the colors of the system. This makes them follow the switch of
// the site: the media queries of their style sheets are set to what the page shows.
"use strict";

function pageTheme() {
  const chosen = document.body.dataset.theme;
  if (chosen === "light" || chosen === "dark") return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function themeFrame(frame) {
  const page = frame.contentDocument;
  if (!page || !page.documentElement) return;
  const theme = pageTheme();
  page.documentElement.style.colorScheme = theme;
  for (const sheet of page.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof frame.contentWindow.CSSMediaRule)) continue;
      rule.asked ??= rule.media.mediaText;
      const scheme = rule.asked.match(/prefers-color-scheme:\s*(dark|light)/);
      if (scheme) rule.media.mediaText = scheme[1] === theme ? "all" : "not all";
    }
  }
}

function themeFrames() {
  document.querySelectorAll("iframe").forEach(themeFrame);
}

document.addEventListener("DOMContentLoaded", () => {
  for (const frame of document.querySelectorAll("iframe")) {
    frame.addEventListener("load", () => themeFrame(frame));
  }
  themeFrames();
  new MutationObserver(themeFrames).observe(document.body, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", themeFrames);
});

// On a narrow page the letters of a picture are small: a tap opens it alone, where it can be enlarged.
function linkPicture(image) {
  const isWhole = image.naturalWidth <= image.clientWidth;
  if (isWhole || image.closest("a") || image.src.startsWith("data:")) return;
  const link = document.createElement("a");
  link.href = image.currentSrc;
  link.title = "Open the picture alone, to enlarge it";
  image.replaceWith(link);
  link.append(image);
}

addEventListener("load", () => document.querySelectorAll("article img").forEach(linkPicture));

// What the theme leaves out for screen readers and for the keyboard: the level of headings, the names
// of landmarks, and a place in the order of Tab for code that scrolls.
function setAttribute(selector, name, value) {
  document.querySelectorAll(selector).forEach((each) => each.setAttribute(name, value));
}

document.addEventListener("DOMContentLoaded", () => {
  setAttribute("p.caption[role=heading]", "aria-level", "2");
  setAttribute("aside.sidebar-drawer", "aria-label", "Pages");
  setAttribute("aside.toc-drawer", "aria-label", "On this page");
  setAttribute(".view-this-page", "role", "navigation");
  setAttribute(".view-this-page", "aria-label", "Source");
  setAttribute(".highlight pre", "tabindex", "0");
});
