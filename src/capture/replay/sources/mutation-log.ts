import { isContainer, isObject } from "../../../json/is-object.ts";
import type { Fields } from "../transcript-line.ts";

/*
 * VS Code writes a chat as a log of changes: the first entry is the whole chat, and each of the others sets a value,
 * puts values at the end of a list, from a place on if it names one, or removes a value.
 */

type Key = string | number;

/** The value after an entry of the log; unchanged if the entry does not fit it. */
export function afterEntry(state: unknown, { kind, k: path, v: value, i: from }: Fields): unknown {
  if (kind === 0) return value;
  if (!isPath(path)) return state;
  const last = path.at(-1);
  const owner = path.slice(0, -1).reduce(valueAt, state);
  if (last === undefined || !isContainer(owner) || !mayHold(owner, last)) return state;
  const held = owner as Record<Key, unknown>;
  if (kind === 1) held[last] = value;
  else if (kind === 3) delete held[last];
  else if (kind === 2) {
    const known = held[last];
    const list: unknown[] = Array.isArray(known) ? known : [];
    if (typeof from === "number" && from >= 0 && from < list.length) list.length = from;
    for (const one of Array.isArray(value) ? value : []) list.push(one);
    held[last] = list;
  }
  return state;
}

function isPath(path: unknown): path is Key[] {
  return (
    Array.isArray(path) && path.every((key) => typeof key === "string" || (Number.isInteger(key) && key >= 0))
  );
}

function valueAt(owner: unknown, key: Key): unknown {
  if (Array.isArray(owner)) return owner[Number(key)];
  return isObject(owner) && Object.hasOwn(owner, key) ? owner[key] : undefined;
}

/** A damaged entry must neither make a list with holes, nor change what all objects inherit. */
function mayHold(owner: object, key: Key): boolean {
  if (Array.isArray(owner)) return typeof key === "number" && key <= owner.length;
  return key !== "__proto__";
}
