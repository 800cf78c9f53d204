import { expect, test } from "vitest";
import * as z from "zod";
import { TagsOrCsv } from "./fields.ts";
import { issuesOf } from "./parse.ts";

const item = z.object({ name: z.string() });

test.each([
  [z.number().min(1), 0, "must be at least 1"],
  [z.number().max(1), 2, "must be at most 1"],
  [z.number().gt(0), 0, "must be more than 0"],
  [z.number().lt(1), 1, "must be less than 1"],
  [z.number(), "1", "must be a number"],
  [z.int(), 1.5, "must be a whole number"],
  [z.boolean(), "yes", "must be true or false"],
  [z.array(z.string()).min(1), [], "must have at least 1 item"],
  [z.array(z.string()).max(2), ["a", "b", "c"], "must have at most 2 items"],
  [z.enum(["a", "b", "c"]), "d", "must be a, b or c"],
  [z.union([z.string(), z.array(z.string())]), 1, "must be a string or an array"],
  [z.union([z.string(), item]), { name: 1 }, "name must be a string"],
  [z.union([z.string(), item], { error: "must be a name" }), 1, "must be a name"],
  [z.union([z.string(), item], { error: "must be a name" }), { name: 1 }, "name must be a string"],
  [z.array(z.enum(["a", "b"])), ["a", "c"], "1 must be a or b"],
  [item, {}, "name name required"],
  [z.object({ kind: z.enum(["a", "b"]) }), {}, "kind kind required: a or b"],
  [z.object({ is: z.union([z.string(), item]) }), {}, "is is required"],
  [
    z.object({ kinds: TagsOrCsv.pipe(z.array(z.enum(["a", "b"]))) }),
    { kinds: "a, c" },
    "kinds.1 must be a or b",
  ],
  [z.object({ is: z.union([z.string(), item], { error: "is a name" }) }), {}, "is is a name"],
])("the error of %o for %j is described in plain words", (schema: z.ZodType, value, words) => {
  const { error } = schema.safeParse(value);
  const [issue] = error === undefined ? [] : issuesOf(error, value);
  expect(`${issue?.path} ${issue?.message}`.trim()).toBe(words);
});
