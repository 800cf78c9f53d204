import * as z from "zod";
import { jsonIn } from "../../json/json-in.ts";
import { str } from "../../operation/fields.ts";
import { type MeshArray, meshArrays } from "./scope-names.ts";

/*
 * Where an answer with some of the rows ended. Rows come in the order of their keys, so an answer that begins behind
 * the last key leaves none out that is still there, whatever was written in between.
 */

const Key = z.union([z.string(), z.number()]);
const WrittenCursor = z.tuple([z.enum(meshArrays), Key], Key);

export interface Cursor {
  readonly array: MeshArray;
  /** The key of the last row that was given: of most rows their id. */
  readonly key: readonly (string | number)[];
}

/** A position as whoever asks for rows names it; what it holds is nobody else's business. */
export const After = str(2_000).transform((text, context): Cursor => {
  const parsed = WrittenCursor.safeParse(jsonIn(Buffer.from(text, "base64url").toString()));
  if (parsed.success) {
    const [array, ...key] = parsed.data;
    return { array, key };
  }
  context.addIssue({ code: "custom", message: "must be the next of an earlier answer" });
  return z.NEVER;
});

export function cursorText({ array, key }: Cursor): string {
  return Buffer.from(JSON.stringify([array, ...key])).toString("base64url");
}
