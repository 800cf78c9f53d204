import { type Child, h } from "../element.ts";

/** Any value as text: strings unchanged, all others as JSON. */
export function shownValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Names and values of a record without fixed fields. */
export function properties(record: Readonly<Record<string, unknown>> | undefined): Child {
  const entries = Object.entries(record ?? {});
  if (entries.length === 0) return undefined;
  return h(
    "dl",
    { class: "details" },
    entries.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, shownValue(value)))),
  );
}
