import { h } from "./element.ts";
import { linkTo, linkWith, routeOf } from "./route.ts";

/**
 * The search field, which is on every page, and the keyboard shortcut that focuses it. `again` searches for the same
 * once more.
 */
export function openSearchField(again: () => void): {
  readonly form: HTMLElement;
  readonly field: HTMLInputElement;
} {
  const field = h("input", {
    id: "search",
    type: "search",
    placeholder: "Search the memory",
    "aria-label": "Search the memory",
    autocomplete: "off",
    title: "press Ctrl+K or ⌘K to come here",
    "aria-keyshortcuts": "Control+K Meta+K",
  });
  const form = h(
    "form",
    {
      role: "search",
      listen: {
        submit: (event) => {
          event.preventDefault();
          const route = routeOf(location.hash);
          const q = field.value.trim();
          // A new search keeps the filters of the previous one.
          const address = route.view === "search" ? linkWith(route, { q }) : linkTo("search", "", { q });
          if (address === location.hash) again();
          else location.hash = address;
        },
      },
    },
    field,
  );
  document.addEventListener("keydown", (event) => {
    // A key without Ctrl or ⌘ would also be pressed by people who speak to their computer (WCAG 2.1.4).
    if (event.key.toLowerCase() !== "k" || event.ctrlKey === event.metaKey || event.altKey) return;
    if (event.shiftKey) return;
    event.preventDefault();
    field.focus();
  });
  return { form, field };
}
