import { expect, test } from "vitest";
import * as z from "zod";
import { AnyObject } from "./fields.ts";
import { withoutNulls } from "./without-nulls.ts";

const Inner = z.object({ name: z.string().optional(), held: z.string().nullable().optional() });
const schema = z
  .object({
    one: Inner.optional(),
    many: z.array(Inner).default([]),
    named: z.record(z.string(), Inner).default({}),
    either: z.union([z.string(), Inner]).optional(),
    piped: z.preprocess((given) => given, Inner).optional(),
    free: AnyObject.optional(),
    cleared: z.string().nullable().optional(),
    maybe: Inner.nullable().optional(),
    tags: z.array(z.string()).optional(),
  })
  .transform((input) => input);

test("null counts as absent in objects with declared fields, and stays where it is a value", () => {
  const inner = { name: null, held: null };
  const given = {
    one: inner,
    many: [inner, { name: "b" }],
    named: { a: inner, b: { name: "b" } },
    either: inner,
    piped: inner,
    free: { a: null },
    cleared: null,
    maybe: inner,
    tags: ["x"],
  };
  const held = { held: null };
  expect(withoutNulls(schema, given)).toEqual({
    one: held,
    many: [held, { name: "b" }],
    named: { a: held, b: { name: "b" } },
    either: held,
    piped: held,
    free: { a: null },
    cleared: null,
    maybe: held,
    tags: ["x"],
  });
  expect(withoutNulls(schema, { one: null, many: null, free: null })).toEqual({});
});

test("an input without nulls is not copied, and other values are left to validation", () => {
  const given = { one: { name: "a" }, many: [{ name: "b" }], named: { c: { name: "d" } } };
  expect(withoutNulls(schema, given)).toBe(given);
  for (const other of [undefined, null, 3, "x", [null], { many: 3 }, { named: "x" }])
    expect(withoutNulls(schema, other)).toBe(other);
});

test("an input stays as it was given", () => {
  const given = { one: { name: null }, tags: ["x"] };
  expect(withoutNulls(schema, given)).toEqual({ one: {}, tags: ["x"] });
  expect(given).toEqual({ one: { name: null }, tags: ["x"] });
});
