import { isContainer } from "../json/is-object.ts";

/*
 * Cuts results to the size of a model's context: lists lose their last items, texts their ends, the largest parts
 * first, until the JSON text is short enough. The shape stays the same.
 */

const mark = "…";

/** The value, cut so that its JSON text has at most `maxChars` characters, as far as its shape allows. */
export function truncateJson(value: unknown, maxChars: number): unknown {
  if (lengthOf(value) <= maxChars) return value;
  if (typeof value === "string") return cutText(value, maxChars);
  if (Array.isArray(value)) return cutList(value, maxChars);
  if (isContainer(value)) return cutObject(value, maxChars);
  return value;
}

/** The beginning of a text, at most `maxChars` UTF-16 units; no surrogate pair is split. */
export function truncateText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return text.slice(0, Math.max(0, maxChars - mark.length)).replace(/[\ud800-\udbff]$/u, "") + mark;
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

/** Escaping makes a text longer in JSON by an unknown amount, so the length that fits is found by bisection. */
function cutText(text: string, maxChars: number): string {
  let fits = 0;
  let tooMuch = maxChars;
  while (tooMuch - fits > 1) {
    const middle = (fits + tooMuch) >> 1;
    if (lengthOf(truncateText(text, middle)) <= maxChars) fits = middle;
    else tooMuch = middle;
  }
  return truncateText(text, fits);
}

/** The first items that fit; if not even the first does, that one cut, if possible. */
function cutList(items: readonly unknown[], maxChars: number): unknown[] {
  const kept: unknown[] = [];
  let room = maxChars - 2;
  for (const item of items) {
    const length = lengthOf(item) + 1;
    if (length > room) break;
    kept.push(item);
    room -= length;
  }
  if (kept.length > 0 || items.length === 0) return kept;
  const first = [truncateJson(items[0], maxChars - 2)];
  return lengthOf(first) <= maxChars ? first : [];
}

/**
 * Divides the room among the fields, smallest first; what small fields leave goes to larger ones. Fields that do not
 * fit at all are dropped from the end.
 */
function cutObject(value: object, maxChars: number): object {
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const bySize = fields
    .map(([name, inner]) => ({ name, inner, length: lengthOf(inner) }))
    .toSorted((a, b) => a.length - b.length);
  let room = maxChars - 2 - fields.reduce((sum, [name]) => sum + lengthOf(name) + 2, 0);
  const cut = new Map<string, unknown>();
  for (const [at, { name, inner }] of bySize.entries()) {
    const kept = truncateJson(inner, Math.max(0, Math.floor(room / (bySize.length - at))));
    cut.set(name, kept);
    room -= lengthOf(kept);
  }
  const kept = fields.map(([name]): [string, unknown] => [name, cut.get(name)]);
  while (kept.length > 0 && lengthOf(Object.fromEntries(kept)) > maxChars) kept.pop();
  return Object.fromEntries(kept);
}
