import { h } from "./element.ts";
import { itemList } from "./parts/item-list.ts";
import { linkTo } from "./route.ts";
import type { View } from "./view.ts";
import { menu } from "./views/table.ts";

interface Entry {
  readonly name: string;
  readonly link: HTMLElement;
}

interface Navigation {
  readonly strip: HTMLElement;
  /** Marks the entry of a view, and scrolls it into sight. */
  mark(view: View): void;
}

/** The navigation: links to all views, in groups. */
export function openNavigation(): Navigation {
  const groups = menu.map(({ title, entries }) => ({
    title,
    entries: entries.map(({ name, label }): Entry => ({ name, link: h("a", { href: linkTo(name) }, label) })),
  }));
  const strip = h(
    "nav",
    { class: "views", "aria-label": "Views" },
    groups.map(({ title, entries }) => [
      title !== undefined && h("p", { class: "group", "aria-hidden": "true" }, title),
      itemList({ "aria-label": title }, entries, ({ link }) => link),
    ]),
  );
  return {
    strip,
    mark: (view) => {
      for (const { name, link } of groups.flatMap(({ entries }) => entries)) {
        if (name !== (view.under ?? view.name)) link.removeAttribute("aria-current");
        else {
          link.setAttribute("aria-current", "page");
          // On a narrow screen the entries are in a horizontally scrolling strip. scrollIntoView on the link would move
          // the focus position there, too.
          strip.scrollLeft = link.offsetLeft - (strip.clientWidth - link.offsetWidth) / 2;
          const below = link.offsetTop + link.offsetHeight - strip.clientHeight;
          if (strip.scrollTop < below || strip.scrollTop > link.offsetTop) strip.scrollTop = below;
        }
      }
    },
  };
}
