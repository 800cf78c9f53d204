import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { Name, optionalText, parseTime, str, Tags, Title } from "./fields.ts";

const part = (most: number, digits: number) =>
  fc.integer({ min: 0, max: most }).map((value) => String(value).padStart(digits, "0"));

test("a time is parsed the same in the format of answers and in another format", () => {
  fc.assert(
    fc.property(
      fc.record({
        year: part(9_999, 4),
        month: part(14, 2),
        day: part(33, 2),
        hour: part(25, 2),
        minute: part(61, 2),
        second: part(61, 2),
        ms: part(999, 3),
      }),
      ({ year, month, day, hour, minute, second, ms }) => {
        const at = `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}`;
        // Answers never show a second with nine decimal places.
        expect(parseTime(`${at}Z`)).toBe(parseTime(`${at}000000Z`));
      },
    ),
    { numRuns: 2_000 },
  );
});

test.each([
  ["2024-02-29T23:59:59.999Z", Date.UTC(2024, 1, 29, 23, 59, 59, 999)],
  ["2023-02-29T00:00:00.000Z", undefined],
  ["2025-04-31T00:00:00.000Z", undefined],
  ["2025-13-01T00:00:00.000Z", undefined],
  ["2025-01-00T00:00:00.000Z", undefined],
  ["0000-01-01T00:00:00.000Z", Date.parse("0000-01-01T00:00:00.000Z")],
  ["0000-01-01T00:00:00+01:00", undefined],
  ["9999-12-31T23:59:59-01:00", undefined],
  ["2025-01-31T09:08:07 02:00", Date.UTC(2025, 0, 31, 7, 8, 7)],
  ["2025-01-31 09:08:07 +0200", Date.UTC(2025, 0, 31, 7, 8, 7)],
  ["2025-01-31 09:08:07.5 -02:00", Date.UTC(2025, 0, 31, 11, 8, 7, 500)],
  ["2025-01-31T09:08:07  02:00", undefined],
  ["2025-01-31 02:00", Date.UTC(2025, 0, 31, 2)],
])("the time %s is parsed as %s", (text, time) => {
  expect(parseTime(text)).toBe(time);
});

test("the schema of a text states its maximum length, even where blanks are trimmed", () => {
  const described = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input" });
  expect(described(Name)).toMatchObject({ type: "string", minLength: 1, maxLength: 200 });
  expect(described(Title)).toMatchObject({ type: "string", minLength: 1, maxLength: 300 });
  expect(described(optionalText(500))).toMatchObject({ type: "string", maxLength: 500 });
  expect(described(Tags)).toMatchObject({ maxItems: 200, items: { type: "string", maxLength: 200 } });
});

test("the length of a text is counted in code points", () => {
  const isTaken = (text: string) => str(3).safeParse(text).success;
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "🙂"), { minLength: 1, maxLength: 8 }), (codePoints) => {
      expect(isTaken(codePoints.join(""))).toBe(codePoints.length <= 3);
    }),
  );
});
