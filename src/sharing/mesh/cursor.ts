import * as z from "zod";
import { jsonIn } from "../../json/json-in.ts";
import { str } from "../../operation/fields.ts";
import { type MeshArray, meshArrays } from "./scope-names.ts";

/*
 * The position where a page of rows ended. Rows come in the order of their keys, so a page that begins after
 * the last key leaves out no row that still exists, whatever was written in between.
 */

const Key = z.union([z.string(), z.number()]);
const WrittenCursor = z.tuple([z.enum(meshArrays), Key], Key);

export interface Cursor {
  readonly array: MeshArray;
  /** The key of the last row of the page: for most tables its id. */
  readonly key: readonly (string | number)[];
}

/** The text form of a position, which clients pass back unread. */
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
