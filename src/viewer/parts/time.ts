import { type Child, h } from "../element.ts";
import { shownAgo, shownMoment } from "../format.ts";

/** A time as people say it, with the moment itself for who points at it. */
export function timeAgo(iso: string): HTMLElement {
  const time = Date.parse(iso);
  return h("time", { datetime: iso, title: `${shownMoment(time)} (${iso})` }, shownAgo(time, Date.now()));
}

export function timeOf(iso: string): HTMLElement {
  return h("time", { datetime: iso, title: iso }, shownMoment(Date.parse(iso)));
}

/** What happened, or will, and how long ago; nothing where it is not known when. */
export function timed(what: string, iso: string | undefined): Child {
  return iso !== undefined && h("span", {}, `${what} `, timeAgo(iso));
}
