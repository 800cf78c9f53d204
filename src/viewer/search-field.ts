import { h } from "./element.ts";
import { linkTo, linkWith, routeOf } from "./route.ts";
import { isTyping } from "./typing.ts";

/** The search field, which is on every page, and the keyboard shortcut that focuses it. */
export function openSearchField(): { readonly form: HTMLElement; readonly field: HTMLInputElement } {
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
          const route = routeOf(location.hash);
          const q = field.value.trim();
          // A new search keeps the filters of the previous one.
          location.hash = route.view === "search" ? linkWith(route, { q }) : linkTo("search", "", { q });
        },
      },
    },
    field,
  );
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    event.preventDefault();
    field.focus();
  });
  return { form, field };
}
