import { type Child, h, refill } from "./element.ts";
import { followButton } from "./follow.ts";
import { openNavigation } from "./navigation.ts";
import { linkTo, routeOf } from "./route.ts";
import { openSearchField } from "./search-field.ts";
import { openStage } from "./stage.ts";
import type { Screen, View } from "./view.ts";

/** The frame around every view: navigation, search field, and the area for views. */
interface Shell {
  /**
   * Marks a view that is being loaded and shows that the page is waiting; `isQuiet`: a refresh that nobody asked for,
   * which shows nothing unless the daemon does not answer.
   */
  enter(view: View, hasSecret: boolean, isQuiet: boolean): void;
  /** Whether the view can be refreshed without disturbing the reader (focus, selection, input). */
  isAtRest(): boolean;
  /** Shows a view that has been loaded. */
  present(screen: Screen): void;
  /** Leaves what is shown, and ends the waiting. */
  stay(): void;
  /** Shows something else instead of a view. */
  replace(title: string, body: Child): void;
}

interface Actions {
  readonly refresh: () => void;
  /** Refreshes automatically, after some time. */
  readonly follow: () => void;
  readonly leave: () => void;
}

export function openShell({ refresh, follow, leave }: Actions): Shell {
  const { main, said, wait, stay, show, isAtRest } = openStage();
  const { strip, mark } = openNavigation();
  const search = openSearchField(refresh);
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
    stay,
    present: ({ title, body }) => show(title, [h("h1", { tabindex: -1 }, title), body], false),
    replace: (title, body) => show(title, body, true),
  };
}

/** A link that skips the navigation. The address does not change, because it names the view. */
function skipLink(main: HTMLElement): HTMLElement {
  const click = (event: Event): void => {
    event.preventDefault();
    main.focus();
  };
  return h("a", { class: "skip", href: "#main", listen: { click } }, "Skip to the content");
}
