import { isDeepStrictEqual } from "node:util";
import { isContainer, isObject } from "../../json/is-object.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { appendItem, type JsonPath, jsonTree, nodeAt, removeValue, setValue, valueAt } from "./json-text.ts";
import { commandsOf, isOurHook, isOurServer, wordsOf } from "./our-entries.ts";
import { parseCommand } from "./parse-command.ts";
import type { Original, SettingsContent } from "./settings-content.ts";

type HooksPlace = readonly ["hooks"] | readonly [];

/** The entries in a JSON file, in the agent's format. */
interface JsonParts {
  /** The entry of the MCP server. */
  readonly server?: {
    readonly path: readonly [string, string];
    readonly entry: Readonly<Record<string, unknown>>;
  };
  /** The entries in each event's list. */
  readonly hooks?: Readonly<Record<string, object>>;
  /** Where the lists of the events are: below `hooks`, unless the file has nothing but hooks. */
  readonly hooksAt?: HooksPlace;
  /** Fields that the agent expects in a new file. */
  readonly constants?: Readonly<Record<string, unknown>>;
}

/** Fields of the server's entry that are only set when it is created; later they belong to the user. */
const usersOwn: readonly string[] = ["env", "tools"];

const byteOrderMark = "\uFEFF";

export function jsonSettings({
  server,
  hooks = {},
  hooksAt: at = ["hooks"],
  constants = {},
}: JsonParts): SettingsContent {
  const events = Object.entries(hooks);
  return {
    label: [
      ...(events.length === 0 ? [] : [`${events.length} hooks`]),
      ...(server === undefined ? [] : ["the MCP server memsvc"]),
    ].join(" and "),
    connected: (given) => {
      const { mark, text } = unmarked(given ?? "");
      let next = text.trim() === "" ? "{}\n" : text;
      for (const [name, value] of Object.entries(constants))
        if (nodeAt(jsonTree(next), [name]) === undefined) next = setValue(next, [name], value);
      if (!hasHooks(next, at, events)) next = withHooks(withoutHooks(next, at), at, events);
      if (server !== undefined) next = withServer(next, server);
      return mark + next;
    },
    holds: (given) => {
      const { text } = unmarked(given);
      if (text.trim() === "") return false;
      return (
        ourHooks(text, at).length > 0 || (server !== undefined && isOurServer(valueAt(text, server.path)))
      );
    },
    disconnected: (given, original) => {
      const { mark, text } = unmarked(given);
      let next = withoutHooks(text, at, original);
      if (server !== undefined && isOurServer(valueAt(next, server.path)))
        next = pruned(removeValue(next, server.path), server.path.slice(0, 1), original);
      const names = Object.keys(valueAt(next, []) as object);
      if (names.every((name) => name in constants))
        for (const name of names) next = pruned(next, [name], original, true);
      const isGone = original !== undefined && original.text === undefined && next.trim() === "{}";
      return isGone ? undefined : mark + next;
    },
    commands: (given) => {
      const { text } = unmarked(given);
      const hooked = ourHooks(text, at).flatMap((path) => commandsOf(valueAt(text, path)));
      const entry = server === undefined ? undefined : valueAt(text, server.path);
      return [...hooked.map(parseCommand), ...(isOurServer(entry) ? [wordsOf(entry)] : [])];
    },
  };
}

/** Separates a byte order mark, which some Windows editors write, from the JSON. */
export function unmarked(text: string): { readonly mark: string; readonly text: string } {
  return text.startsWith(byteOrderMark) ? { mark: byteOrderMark, text: text.slice(1) } : { mark: "", text };
}

type Events = readonly (readonly [event: string, item: object])[];

function withHooks(text: string, at: HooksPlace, events: Events): string {
  if (events.length > 0 && nodeAt(jsonTree(text), at) === undefined)
    return setValue(text, at, Object.fromEntries(events.map(([event, item]) => [event, [item]])));
  return events.reduce((next, [event, item]) => appendItem(next, [...at, event], item), text);
}

/** Whether our hooks in the text are exactly these. */
function hasHooks(text: string, at: HooksPlace, events: Events): boolean {
  const found = [...new Set(ourHooks(text, at).map((path) => path.slice(0, at.length + 2).join("/")))];
  return (
    found.length === events.length &&
    events.every(([event, item]) => {
      const list = valueAt(text, [...at, event]);
      return Array.isArray(list) && list.some((one) => isDeepStrictEqual(one, item));
    })
  );
}

/** Paths of our hooks, directly in an event's list or in a group of it. */
function ourHooks(text: string, at: HooksPlace): JsonPath[] {
  const hooks = valueAt(text, at);
  if (!isContainer(hooks)) return [];
  return Object.entries(hooks).flatMap(([event, list]) => {
    if (!Array.isArray(list)) return [];
    return list.flatMap((item: unknown, place): JsonPath[] => {
      const path = [...at, event, place];
      if (isOurHook(item)) return [path];
      return groupOf(item).flatMap((one, inGroup) => (isOurHook(one) ? [[...path, "hooks", inGroup]] : []));
    });
  });
}

function groupOf(item: unknown): readonly unknown[] {
  const inner = isObject(item) ? item.hooks : undefined;
  return Array.isArray(inner) ? inner : [];
}

function withoutHooks(text: string, at: HooksPlace, original?: Original): string {
  let next = text;
  // From the end, so that the indices of earlier entries stay valid.
  for (const path of ourHooks(text, at).toReversed()) {
    const item = path.slice(0, at.length + 2);
    next = removeValue(next, path);
    if (path.length > item.length && groupOf(valueAt(next, item)).length === 0)
      next = removeValue(next, item);
    next = pruned(next, path.slice(0, at.length + 1), original);
    if (at.length > 0) next = pruned(next, at, original);
  }
  return next;
}

/** Removes the value at a path if it is empty (or `anyway`) and was not in the original file. */
function pruned(text: string, path: JsonPath, original: Original, anyway = false): string {
  const node = nodeAt(jsonTree(text), path);
  if (node === undefined || (!anyway && (node.children ?? []).length > 0)) return text;
  const before = original?.text;
  if (anyway && original === undefined) return text;
  const wasThere =
    before !== undefined &&
    before.trim() !== "" &&
    nodeAt(jsonTree(unmarked(before).text), path) !== undefined;
  return wasThere ? text : removeValue(text, path);
}

function withServer(text: string, { path, entry }: NonNullable<JsonParts["server"]>): string {
  const found = valueAt(text, path);
  if (found === undefined) return setValue(text, path, entry);
  if (!isOurServer(found)) {
    throw new MemsvcError("conflict", `"${path.join(".")}" in it runs another program`, {
      hint: "give that entry another name, or remove it",
    });
  }
  let next = text;
  for (const [name, value] of Object.entries(entry)) {
    const there: unknown = Reflect.get(found, name);
    if (there !== undefined && usersOwn.includes(name)) continue;
    if (!isDeepStrictEqual(there, value)) next = setValue(next, [...path, name], value);
  }
  return next;
}
