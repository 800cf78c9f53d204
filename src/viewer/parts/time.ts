import { type Child, h } from "../element.ts";
import { shownAgo, shownMoment } from "../format.ts";

/** A relative time, with the exact time as its tooltip. */
export function timeAgo(iso: string): HTMLElement {
  const time = Date.parse(iso);
  const title = `${shownMoment(time)} (${iso})`;
  return h("time", { class: "ago", datetime: iso, title }, shownAgo(time, Date.now()));
}

const laterMs = 30_000;

/** Keeps updating relative times while the page is open. */
export function keepTimesTrue(): void {
  window.setInterval(() => {
    for (const one of document.querySelectorAll<HTMLTimeElement>("time.ago")) {
      const told = shownAgo(Date.parse(one.dateTime), Date.now());
      if (one.textContent !== told) one.textContent = told;
    }
  }, laterMs);
}

export function timeOf(iso: string): HTMLElement {
  return h("time", { datetime: iso, title: iso }, shownMoment(Date.parse(iso)));
}

/** What happened or will happen, with the relative time; nothing if the time is not known. */
export function timed(what: string, iso: string | undefined): Child {
  return iso !== undefined && h("span", {}, `${what} `, timeAgo(iso));
}
