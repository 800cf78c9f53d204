import { h } from "./element.ts";
import { linkTo } from "./route.ts";
import { isTyping } from "./typing.ts";

/** The field that leads to the search from every view, and the key that leads to the field. */
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
          location.hash = linkTo("search", "", { q: field.value.trim() });
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
