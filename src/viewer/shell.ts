import { type Child, h, refill } from "./element.ts";
import { linkTo, routeOf } from "./route.ts";
import type { Screen, View } from "./view.ts";
import { menu } from "./views/table.ts";

/** What is round every view: the navigation, the search field, and the place where the view is shown. */
export interface Shell {
  /** Marks the view that is being read, and waits. */
  enter(view: View, hasSecret: boolean): void;
  /** Shows what was read. */
  present(screen: Screen): void;
  /** Shows something else in the place of a view. */
  replace(title: string, body: Child): void;
}

interface Actions {
  readonly refresh: () => void;
  readonly leave: () => void;
}

/** Reading that is quicker than this shows no sign of waiting, which would only flicker. */
const patienceMs = 250;

export function openShell({ refresh, leave }: Actions): Shell {
  const main = h("main", { id: "main", tabindex: -1 });
  const said = h("p", { class: "unseen", role: "status" });
  const { strip, entries } = navigation();
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
  let place: string | undefined;
  const show = (title: string, body: Child): void => {
    window.clearTimeout(waiting);
    main.removeAttribute("aria-busy");
    document.title = `${title} – memsvc`;
    const [isFirst, stays] = [place === undefined, place === location.hash];
    place = location.hash;
    const focused = document.activeElement?.id ?? "";
    refill(main, body);
    said.textContent = title;
    // A page that has just come is read from its beginning.
    if (isFirst) return;
    if (!stays) window.scrollTo(0, 0);
    // Whoever chose a filter goes on from there; whoever went elsewhere begins at the heading.
    const next =
      (focused !== "" && main.querySelector(`#${CSS.escape(focused)}`)) || main.querySelector("h1");
    if (next instanceof HTMLElement && !isTyping(document.activeElement)) next.focus({ preventScroll: true });
  };
  return {
    enter: (view, hasSecret) => {
      window.clearTimeout(waiting);
      waiting = window.setTimeout(() => main.setAttribute("aria-busy", "true"), patienceMs);
      leaving.hidden = !hasSecret;
      const route = routeOf(location.hash);
      search.field.value = route.view === "search" ? (route.query.get("q") ?? "") : "";
      for (const { name, link } of entries) {
        if (name !== (view.under ?? view.name)) link.removeAttribute("aria-current");
        else {
          link.setAttribute("aria-current", "page");
          // On a narrow screen the entries are a strip. To scroll the link itself into view would move the focus there.
          strip.scrollLeft = link.offsetLeft - (strip.clientWidth - link.offsetWidth) / 2;
        }
      }
    },
    present: ({ title, body }) => show(title, [h("h1", { tabindex: -1 }, title), body]),
    replace: show,
  };
}

interface Entry {
  readonly name: string;
  readonly link: HTMLElement;
}

/** The ways to all views, in groups. */
function navigation(): { readonly strip: HTMLElement; readonly entries: readonly Entry[] } {
  const groups = menu.map(({ title, entries }) => ({
    title,
    entries: entries.map(({ name, label }): Entry => ({ name, link: h("a", { href: linkTo(name) }, label) })),
  }));
  const strip = h(
    "nav",
    { class: "views", "aria-label": "Views" },
    groups.map(({ title, entries }) => [
      title !== undefined && h("p", { class: "group", "aria-hidden": "true" }, title),
      h(
        "ul",
        { "aria-label": title },
        entries.map(({ link }) => h("li", {}, link)),
      ),
    ]),
  );
  return { strip, entries: groups.flatMap(({ entries }) => entries) };
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
