import { mapInSteps, type Steps } from "../steps.ts";

type Fields = Readonly<Record<string, unknown>>;

const longList = 100;

/** Whether an object contains a list so long that writing it takes noticeable time. */
export function hasLongList(object: Fields): boolean {
  return Object.values(object).some((value) => Array.isArray(value) && value.length > longList);
}

/** The bytes of JSON.stringify(object), in steps: its lists are written item by item. */
export function* jsonInSteps(object: Fields): Steps<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let before = "{";
  for (const [name, value] of Object.entries(object)) {
    const isList = Array.isArray(value);
    const text = isList ? "[" : optionalJson(value);
    if (text === undefined) continue;
    pieces.push(Buffer.from(`${before}${JSON.stringify(name)}:${text}`));
    if (isList) {
      yield* mapInSteps(value, (item, at) => pieces.push(itemBytes(item, at)));
      pieces.push(Buffer.from("]"));
    }
    before = ",";
  }
  pieces.push(Buffer.from(before === "{" ? "{}" : "}"));
  return yield* joinedInSteps(pieces);
}

function* joinedInSteps(pieces: readonly Uint8Array[]): Steps<Uint8Array> {
  const joined = Buffer.allocUnsafe(pieces.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  yield* mapInSteps(pieces, (piece) => {
    joined.set(piece, end);
    end += piece.length;
  });
  return joined;
}

function itemBytes(item: unknown, at: number): Uint8Array {
  return Buffer.from(`${at === 0 ? "" : ","}${optionalJson(item) ?? "null"}`);
}

/** JSON.stringify returns undefined for undefined, which its type does not say. */
function optionalJson(value: unknown): string | undefined {
  return JSON.stringify(value);
}
