import { toSnakeCase } from "drizzle-orm/casing";
import { isObject } from "../../json/is-object.ts";
import type { SqlValue } from "../../store/sql.ts";
import { countCodePoints } from "../../text/code-points.ts";
import { envelopes } from "./pick-up-fields.ts";

/*
 * The fields that rules pick from an event stand in its data, too: half of an event, and a fifth of a store, would be the
 * same text once more. A stored event leaves out what stands in its data, and where in the text that is lies in columns
 * beside it. The database puts whole events together, as it does for those that were stored whole.
 */

const sharedFields = ["toolInput", "toolOutput", "userPrompt", "assistantResponse", "error"] as const;
type SharedField = (typeof sharedFields)[number];

const places = sharedFields.map((field) => ({
  field,
  from: toSnakeCase(`${field}From`),
  length: toSnakeCase(`${field}Length`),
}));

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
type Places = ReadonlyMap<SharedField, Place>;

function withoutShared(raw: unknown): { text: string; found: Places } {
  if (!isObject(raw) || !isObject(raw.data)) return { text: JSON.stringify(raw), found: new Map() };
  const { data, ...own } = raw;
  const wanted = new Map<string, SharedField[]>();
  for (const field of sharedFields) {
    if (own[field] === undefined) continue;
    const text = JSON.stringify(own[field]);
    wanted.set(text, [...(wanted.get(text) ?? []), field]);
  }
  const inData = search(data, wanted, envelopes);
  const kept = Object.entries(own).filter(([key]) => !inData.found.has(key as SharedField));
  const ownText = JSON.stringify(Object.fromEntries(kept));
  const head = `${ownText.slice(0, -1)}${ownText === "{}" ? "" : ","}"data":`;
  return { text: `${head}${inData.text}}`, found: shifted(inData.found, countCodePoints(head)) };
}

/** An object as JSON, and which of the fields wanted, by their JSON, are members of it and of its `inner` objects. */
function search(
  object: Record<string, unknown>,
  wanted: ReadonlyMap<string, readonly SharedField[]>,
  inner: readonly string[],
): { text: string; found: Places } {
  const found = new Map<SharedField, Place>();
  const members: string[] = [];
  let before = 1;
  for (const [key, value] of Object.entries(object)) {
    const name = `${JSON.stringify(key)}:`;
    const within = inner.includes(key) && isObject(value) ? search(value, wanted, []) : undefined;
    // The type of JSON.stringify says otherwise, but of undefined it gives undefined.
    const text: string | undefined = within?.text ?? JSON.stringify(value);
    if (text === undefined) continue;
    const from = before + countCodePoints(name);
    const length = countCodePoints(text);
    for (const field of wanted.get(text) ?? []) found.set(field, [from + 1, length]);
    for (const [field, place] of shifted(within?.found ?? new Map(), from)) found.set(field, place);
    members.push(name + text);
    before = from + length + 1;
  }
  return { text: `{${members.join(",")}}`, found };
}

function shifted(places: Places, by: number): Places {
  return new Map([...places].map(([field, [from, length]]) => [field, [from + by, length]]));
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
