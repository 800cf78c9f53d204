import type { SqlValue } from "../../store/sql.ts";
import { lengthOf } from "./cut.ts";
import { isRecord } from "./json-text.ts";

/*
 * The fields that rules pick from an event stand in its data, too: half of an event, and a fifth of a store, would be the
 * same text once more. A stored event leaves out what stands in its data, and where in the text that is lies in columns
 * beside it. The database puts whole events together, as it does for those that were stored whole.
 */

const sharedFields = ["toolInput", "toolOutput", "userPrompt", "assistantResponse", "error"] as const;
type SharedField = (typeof sharedFields)[number];

const places = sharedFields.map((field) => {
  const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return { field, from: `${name}_from`, length: `${name}_length` };
});

/** The columns of an event in the order of `storedEventValues`, and a mark for each. */
export const storedEventColumns = ["event", ...places.flatMap(({ from, length }) => [from, length])].join(
  ", ",
);
export const storedEventMarks = storedEventColumns.replace(/\w+/g, "?");

/** What is stored of a raw event, which may be any JSON value of another program. */
export function storedEventValues(raw: unknown): SqlValue[] {
  const { text, found } = withoutShared(raw);
  return [text, ...sharedFields.flatMap((field) => found.get(field) ?? [null, null])];
}

/** Character of the text, from 1 on as SQL counts, and number of characters. */
type Place = readonly [from: number, length: number];

function withoutShared(raw: unknown): { text: string; found: ReadonlyMap<SharedField, Place> } {
  const found = new Map<SharedField, Place>();
  if (!isRecord(raw) || !isRecord(raw.data)) return { text: JSON.stringify(raw), found };
  const { data, ...own } = raw;
  const dataText = JSON.stringify(data);
  const at = new Map<SharedField, { readonly index: number; readonly text: string }>();
  for (const field of sharedFields) {
    if (own[field] === undefined) continue;
    const text = JSON.stringify(own[field]);
    const index = dataText.indexOf(text);
    if (index === -1) continue;
    at.set(field, { index, text });
  }
  const kept = Object.entries(own).filter(([key]) => !at.has(key as SharedField));
  const ownText = JSON.stringify(Object.fromEntries(kept));
  const head = `${ownText.slice(0, -1)}${ownText === "{}" ? "" : ","}"data":`;
  for (const [field, { index, text }] of at)
    found.set(field, [lengthOf(head) + lengthOf(dataText.slice(0, index)) + 1, lengthOf(text)]);
  return { text: `${head}${dataText}}`, found };
}

const sharedText = ({ from, length }: (typeof places)[number]) => `substr(event, ${from}, ${length})`;

/** An expression that gives the event as a JSON text, null where there is none. */
export const wholeEvent = `iif(coalesce(${places.map(({ from }) => from).join(", ")}) IS NULL, event, concat('{',
  ${places.map((place) => `'"${place.field}":' || ${sharedText(place)} || ','`).join(",\n  ")}, substr(event, 2)))`;

/** An expression that gives a field of the event as a JSON text, null where it has none. */
export function eventField(field: SharedField): string {
  const shared = places.filter((place) => place.field === field).map(sharedText);
  return `coalesce(${[...shared, `event -> '$.${field}'`].join(", ")})`;
}
