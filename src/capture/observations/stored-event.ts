import { toSnakeCase } from "drizzle-orm/casing";
import { isObject } from "../../json/is-object.ts";
import type { SqlValue } from "../../store/sql.ts";
import { countCodePoints } from "../../text/code-points.ts";
import { envelopes } from "./pick-up-fields.ts";

/*
 * The fields that rules pick from an event are also in its data; stored twice they would be half of an event
 * and a fifth of a store. So a stored event omits fields whose JSON occurs in its data, and columns beside it
 * hold their positions in the text. SQL expressions below restore whole events, including those that were
 * stored whole.
 */

const sharedFields = ["toolInput", "toolOutput", "userPrompt", "assistantResponse", "error"] as const;
type SharedField = (typeof sharedFields)[number];

const places = sharedFields.map((field) => ({
  field,
  from: toSnakeCase(`${field}From`),
  length: toSnakeCase(`${field}Length`),
}));

/** The columns of an event in the order of `storedEventValues`, and a placeholder for each. */
export const storedEventColumns = ["event", ...places.flatMap(({ from, length }) => [from, length])].join(
  ", ",
);
export const storedEventMarks = storedEventColumns.replace(/\w+/g, "?");

/** The column values of a raw event, which may be any JSON value of another program. */
export function storedEventValues(raw: unknown): SqlValue[] {
  const { text, found } = withoutShared(raw);
  return [text, ...sharedFields.flatMap((field) => found.get(field) ?? [null, null])];
}

/** The first character of the text, counted from 1 as in SQL, and the number of characters. */
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

/**
 * An object as JSON, and the positions of wanted fields (identified by their JSON) among its members and
 * those of its `inner` objects.
 */
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
    // The declared type of JSON.stringify is wrong: it returns undefined for undefined.
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

/** SQL for the event as JSON text; null when there is none. */
export const wholeEvent = `iif(coalesce(${places.map(({ from }) => from).join(", ")}) IS NULL, event, concat('{',
  ${places.map((place) => `'"${place.field}":' || ${sharedText(place)} || ','`).join(",\n  ")}, substr(event, 2)))`;

/** SQL for a field of the event as JSON text; null when it has none. */
export function eventField(field: SharedField): string {
  const shared = places.filter((place) => place.field === field).map(sharedText);
  return `coalesce(${[...shared, `event -> '$.${field}'`].join(", ")})`;
}
