import { ReadError } from "../api.ts";
import { h } from "../element.ts";
import { linkTo, linkWith, type Route } from "../route.ts";
import { command } from "./code.ts";

/** Shown for an empty list: what would be here, and the command that creates it. */
export function emptyListNotice(what: string, ...commands: readonly string[]): HTMLElement {
  return h(
    "div",
    { class: "empty" },
    h("p", {}, what),
    commands.map((line) => h("p", {}, command(line))),
  );
}

/** Shown if the filters leave nothing of a list. */
export function noMatchNotice({ view, id }: Route, many: string): HTMLElement {
  return h(
    "div",
    { class: "empty" },
    h("p", {}, `There are no ${many} that fit these filters.`),
    withoutFilters(view, id),
  );
}

function withoutFilters(view: string, id: string): HTMLElement {
  return h("p", {}, h("a", { href: linkTo(view, id) }, "Remove the filters"));
}

/** Shown for a page beyond the last one, for example after rows were deleted. */
export function pastEndNotice(route: Route, total: string): HTMLElement {
  return h(
    "div",
    { class: "empty" },
    h("p", {}, `The list ends before here: it has ${total}.`),
    h("p", {}, h("a", { href: linkWith(route, { offset: undefined }) }, "Go to its beginning")),
  );
}

/** Shown if something could not be read: the reason, and what to do. */
export function failure(error: unknown, { view, id, query }: Route, again: () => void): HTMLElement {
  const message = error instanceof Error ? error.message : String(error);
  const { wayOut, kind } = error instanceof ReadError ? error : {};
  return h(
    "div",
    { class: "failure", role: "alert", "data-kind": kind },
    h("h1", { tabindex: -1 }, headline(error)),
    h("p", {}, message),
    wayOut !== undefined && h("p", {}, "The way out: ", wayOut),
    // Filters in an address may have been typed by hand, or come from another version.
    kind === "refused" && query.size > 0 && withoutFilters(view, id),
    h("button", { type: "button", listen: { click: again } }, "Try again"),
  );
}

function headline(error: unknown): string {
  if (!(error instanceof ReadError)) return "This view is at fault";
  switch (error.kind) {
    case "unreachable":
      return "No connection";
    case "feature_off":
      return "Switched off";
    case "not_found":
      return "Not here";
    case "unauthorized":
    case "refused":
      return "Refused";
  }
}
