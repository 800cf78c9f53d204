import { type Child, h } from "../element.ts";
import { shownAgo, shownMoment } from "../format.ts";

/** A time as people say it, with the moment itself for who points at it. */
export function timeAgo(iso: string): HTMLElement {
  const time = Date.parse(iso);
  const title = `${shownMoment(time)} (${iso})`;
  return h("time", { class: "ago", datetime: iso, title }, shownAgo(time, Date.now()));
}

const laterMs = 30_000;

/** Has the page go on to say the truth of times that are told from now, however long it stays open. */
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

/** What happened, or will, and how long ago; nothing where it is not known when. */
export function timed(what: string, iso: string | undefined): Child {
  return iso !== undefined && h("span", {}, `${what} `, timeAgo(iso));
}
