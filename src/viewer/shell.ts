import { type Child, h, refill } from "./element.ts";
import { followButton } from "./follow.ts";
import { openNavigation } from "./navigation.ts";
import { linkTo, routeOf } from "./route.ts";
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

/** Reading that is quicker than this shows no sign of waiting, which would only flicker. */
const patienceMs = 250;

export function openShell({ refresh, follow, leave }: Actions): Shell {
  const main = h("main", { id: "main", tabindex: -1 });
  const said = h("p", { class: "unseen", role: "status" });
  const { strip, mark } = openNavigation();
  const search = searchField();
  const leaving = h(
    "button",
    { type: "button", class: "quiet", hidden: true, listen: { click: leave } },
    "Forget secret",
  );
  refill(
    document.body,
    h(
      "a",
      {
        class: "skip",
        href: "#main",
        listen: {
          click: (event) => {
            event.preventDefault();
            main.focus();
          },
        },
      },
      "Skip to the content",
    ),
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
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    event.preventDefault();
    search.field.focus();
  });
  let waiting: number | undefined;
  let entered: string | undefined;
  let place: string | undefined;
  const show = (title: string, body: Child, isAnother = true): void => {
    window.clearTimeout(waiting);
    main.removeAttribute("aria-busy");
    document.title = `${title} – memsvc`;
    const [isFirst, stays] = [place === undefined, place === location.hash];
    place = location.hash;
    const focused = document.activeElement;
    const opened = stays ? [...main.querySelectorAll("details")].map(({ open }) => open) : [];
    refill(main, body);
    const details = [...main.querySelectorAll("details")];
    if (details.length === opened.length)
      for (const [at, one] of details.entries()) one.open = opened[at] ?? false;
    if (said.textContent !== title) said.textContent = title;
    const secret = main.querySelector<HTMLElement>(".secret input");
    // A page that has just come is read from its beginning, unless there is nothing to read before the secret is given.
    if (isFirst) {
      secret?.focus();
      return;
    }
    if (!stays) window.scrollTo(0, 0);
    // What is shown anew takes the focus from nobody.
    else if (!isAnother && (focused === document.body || focused?.isConnected)) return;
    // Whoever chose a filter goes on from there; whoever went elsewhere begins at the heading.
    const next =
      (focused?.id && main.querySelector(`#${CSS.escape(focused.id)}`)) ||
      (secret ?? main.querySelector("h1"));
    if (next instanceof HTMLElement && !isTyping(document.activeElement)) next.focus({ preventScroll: true });
  };
  return {
    enter: (view, hasSecret, isQuiet) => {
      window.clearTimeout(waiting);
      if (!isQuiet) waiting = window.setTimeout(() => main.setAttribute("aria-busy", "true"), patienceMs);
      leaving.hidden = !hasSecret;
      if (entered === location.hash) return;
      entered = location.hash;
      const route = routeOf(location.hash);
      search.field.value = route.view === "search" ? (route.query.get("q") ?? "") : "";
      mark(view);
    },
    isAtRest: () => {
      const focused = document.activeElement;
      const isInHands = main.contains(focused) && focused !== main && !focused?.matches("h1");
      const isAsking = main.querySelector(".secret") !== null;
      return !isInHands && !isAsking && !isTyping(focused) && (getSelection()?.isCollapsed ?? true);
    },
    present: ({ title, body }) => show(title, [h("h1", { tabindex: -1 }, title), body], false),
    replace: (title, body) => show(title, body),
  };
}

function searchField(): { readonly form: HTMLElement; readonly field: HTMLInputElement } {
  const field = h("input", {
    id: "search",
    type: "search",
    placeholder: "Search the memory",
    "aria-label": "Search the memory",
    autocomplete: "off",
    title: "press / to come here",
  });
  const form = h(
    "form",
    {
      role: "search",
      listen: {
        submit: (event) => {
          event.preventDefault();
          location.hash = linkTo("search", "", { q: field.value.trim() });
        },
      },
    },
    field,
  );
  return { form, field };
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(?:INPUT|SELECT|TEXTAREA)$/u.test(target.tagName);
}
