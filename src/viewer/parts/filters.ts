import { h } from "../element.ts";
import { plain } from "../format.ts";
import { linkTo, type Route } from "../route.ts";

type Choice = ShownChoice | { readonly name: string; readonly hidden: true };

interface ShownChoice {
  readonly name: string;
  readonly label: string;
  /** Values to choose from; without them the field takes any text. */
  readonly values?: readonly (readonly [value: string, label: string])[];
  /** Shown in an empty field: what leaving it empty means. */
  readonly placeholder?: string;
  /** Suggestions for a field that takes any text. */
  readonly known?: readonly string[];
}

/** Fields that filter a list. The chosen values are in the address, so that a view can be bookmarked and shared. */
export function filters(route: Route, choices: readonly Choice[]): HTMLElement {
  const shown = location.hash;
  const form: HTMLFormElement = h(
    "form",
    {
      class: "filters",
      role: "search",
      "aria-label": "Filters",
      listen: {
        submit: (event) => {
          event.preventDefault();
          go();
          // The same address again is no navigation, but whoever presses the button wants to see the list anew.
          if (location.hash === shown) window.dispatchEvent(new Event("hashchange"));
        },
        change: () => go(),
      },
    },
    choices.map((choice) =>
      "hidden" in choice
        ? h("input", { type: "hidden", name: choice.name, value: route.query.get(choice.name) ?? "" })
        : field(route, choice),
    ),
    h("button", { id: "filter-submit", type: "submit" }, "Filter"),
  );
  const go = (): void => {
    const chosen = [...new FormData(form)].flatMap(([name, value]): [string, string][] =>
      typeof value === "string" && value.trim() !== "" ? [[name, value.trim()]] : [],
    );
    // In place of the view as it was filtered before: the way back leads to the view before it, not through each
    // choice.
    location.replace(linkTo(route.view, route.id, Object.fromEntries(chosen)));
  };
  return form;
}

function field(
  route: Route,
  { name, label, values, placeholder = "all", known = [] }: ShownChoice,
): HTMLElement {
  const id = `filter-${name}`;
  const given = route.query.get(name) ?? "";
  const listId = `${id}-known`;
  const control =
    values === undefined
      ? [
          h("input", {
            id,
            name,
            value: given,
            type: "text",
            autocomplete: "off",
            spellcheck: "false",
            placeholder,
            ...(known.length > 0 ? { list: listId } : {}),
          }),
          known.length > 0 &&
            h(
              "datalist",
              { id: listId },
              known.map((value) => h("option", { value })),
            ),
        ]
      : h(
          "select",
          { id, name },
          values.map(([value, shown]) => h("option", { value, selected: value === given }, shown)),
        );
  return h("div", { class: "field" }, h("label", { for: id }, label), control);
}

/** The choices for a closed set of values, with "all" first. */
export function anyOf(values: readonly string[]): readonly (readonly [string, string])[] {
  return [["", "all"], ...values.map((value) => [value, plain(value)] as const)];
}
