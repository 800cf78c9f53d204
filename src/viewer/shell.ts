import { type Child, h, refill } from "./element.ts";
import { followButton } from "./follow.ts";
import { openNavigation } from "./navigation.ts";
import { linkTo, routeOf } from "./route.ts";
import { openSearchField } from "./search-field.ts";
import { openStage } from "./stage.ts";
import type { Screen, View } from "./view.ts";

/** What is round every view: the navigation, the search field, and the place where the view is shown. */
export interface Shell {
  /** Marks the view that is being read, and waits; quietly where nobody asked for it just now. */
  enter(view: View, hasSecret: boolean, isQuiet: boolean): void;
  /** Whether what is shown can be read anew without taking anything out of the reader's hands. */
  isAtRest(): boolean;
  /** Shows what was read. */
  present(screen: Screen): void;
  /** Shows something else in the place of a view. */
  replace(title: string, body: Child): void;
}

interface Actions {
  readonly refresh: () => void;
  /** Reads anew because time has passed. */
  readonly follow: () => void;
  readonly leave: () => void;
}

export function openShell({ refresh, follow, leave }: Actions): Shell {
  const { main, said, wait, show, isAtRest } = openStage();
  const { strip, mark } = openNavigation();
  const search = openSearchField();
  const leaving = h(
    "button",
    { type: "button", class: "quiet", hidden: true, listen: { click: leave } },
    "Forget secret",
  );
  refill(
    document.body,
    skipLink(main),
    h(
      "header",
      { class: "top" },
      h("a", { class: "brand", href: linkTo("") }, "memsvc"),
      search.form,
      h("button", { type: "button", class: "quiet", listen: { click: refresh } }, "Refresh"),
      followButton(follow),
      leaving,
    ),
    strip,
    main,
    said,
  );
  let entered: string | undefined;
  return {
    enter: (view, hasSecret, isQuiet) => {
      wait(isQuiet);
      leaving.hidden = !hasSecret;
      if (entered === location.hash) return;
      entered = location.hash;
      const route = routeOf(location.hash);
      search.field.value = route.view === "search" ? (route.query.get("q") ?? "") : "";
      mark(view);
    },
    isAtRest,
    present: ({ title, body }) => show(title, [h("h1", { tabindex: -1 }, title), body], false),
    replace: (title, body) => show(title, body, true),
  };
}

/** Leads past the navigation. The address stays: it names the view. */
function skipLink(main: HTMLElement): HTMLElement {
  const click = (event: Event): void => {
    event.preventDefault();
    main.focus();
  };
  return h("a", { class: "skip", href: "#main", listen: { click } }, "Skip to the content");
}
