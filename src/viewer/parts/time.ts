import { h } from "../element.ts";
import { shownAgo, shownMoment } from "../format.ts";

/** A time as people say it, with the moment itself for who points at it. */
export function timeAgo(iso: string): HTMLElement {
  const time = Date.parse(iso);
  return h("time", { datetime: iso, title: `${shownMoment(time)} (${iso})` }, shownAgo(time, Date.now()));
}

export function timeOf(iso: string): HTMLElement {
  return h("time", { datetime: iso, title: iso }, shownMoment(Date.parse(iso)));
}
