import fc from "fast-check";
import { expect, test } from "vitest";
import { countCodePoints } from "../../text/code-points.ts";
import { briefNarrative } from "./brief.ts";
import { partLabels } from "./narrative-parts.ts";

const narrative =
  "Asked: Sort jobs by their id; keep the log short. Changed: src/jobs.ts. " +
  "Ran: npm test; git add -A && git commit -m 'sort jobs'. Errors: 1, such as Bash failed: timeout. Ended with: Jobs are sorted.";

test("a brief narrative omits what is known, the files and the commits", () => {
  expect(briefNarrative(narrative, ["Sort jobs by their id, and do it now"], 400)).toBe(
    "Asked: keep the log short. Ran: npm test. " +
      "Errors: 1, such as Bash failed: timeout. Ended with: Jobs are sorted.",
  );
});

test("a brief narrative keeps each command as it was run, with dots at its end", () => {
  const told = "Ran: go vet ./...; go build ./...";
  expect(briefNarrative(told, [], 400)).toBe(told);
  expect(briefNarrative(`${told} Ended with: It builds.`, [], 400)).toBe(`${told} Ended with: It builds.`);
});

test("a short part stays whole beside long ones, and lists are cut between their items", () => {
  const commands = Array.from({ length: 5 }, (_, n) => `npx vitest run src/jobs/part-${n}.test.ts`);
  const long = `Ran: ${commands.join("; ")}. Errors: 1, such as ${"x".repeat(300)}. Ended with: Jobs are sorted.`;
  const brief = briefNarrative(long, [], 160) ?? "";
  expect(brief).toMatch(/^Ran: npx vitest run src\/jobs\/part-0\.test\.ts\. Errors: /u);
  expect(brief).toMatch(/… Ended with: Jobs are sorted\.$/u);
});

test("the end of a session gets room before its commands and errors", () => {
  const end = `The store waits for the file now, ${"and the server for the store, ".repeat(5)}as asked.`;
  const told = `Ran: ${"npm test -- --watch ".repeat(20)}. Errors: 2, such as ${"x".repeat(300)}. Ended with: ${end}`;
  expect(countCodePoints(end)).toBeGreaterThan(133);
  expect(briefNarrative(told, [], 400)).toMatch(new RegExp(`^Ran: .*Errors: .*Ended with: ${end}$`, "u"));
});

test("errors are listed one by one with their outcome, as many as fit", () => {
  const errors = ["Bash failed: timeout (later a success)", "Edit failed: no such file (later a success)"];
  const told = `Errors: 2, such as ${errors.join("; ")}. Ended with: It works.`;
  expect(briefNarrative(told, [], 400)).toBe(told);
  expect(briefNarrative(told, [], countCodePoints(told) - 1)).toBe(
    `Errors: 2, such as ${errors[0]}. Ended with: It works.`,
  );
  const long = `Errors: 2, such as ${"x".repeat(400)}; ${errors[1]}. Ended with: It works.`;
  expect(briefNarrative(long, [], 400)).toBe(`Errors: 2, such as ${errors[1]}. Ended with: It works.`);
});

test("a cut error keeps the mark that a success followed", () => {
  const told = `Errors: 1, such as Bash failed: ${"word ".repeat(60)}(later a success). Ended with: It works.`;
  const brief = briefNarrative(told, [], 120) ?? "";
  expect(brief).toMatch(
    /^Errors: 1, such as Bash failed: word .*… \(later a success\)\. Ended with: It works\.$/u,
  );
  expect(countCodePoints(brief)).toBeLessThanOrEqual(120);
});

test("a narrative of another form gives no brief narrative", () => {
  expect(briefNarrative("The login was repaired. Ran: out of time.", [], 400)).toBeUndefined();
  expect(briefNarrative("", [], 400)).toBeUndefined();
});

test("a brief narrative never exceeds its limit", () => {
  const part = fc.constantFrom(...Object.values(partLabels));
  const told = fc.array(fc.tuple(part, fc.string({ maxLength: 200, unit: "grapheme" })), { maxLength: 6 });
  fc.assert(
    fc.property(told, fc.integer({ min: 20, max: 300 }), (parts, most) => {
      const text = parts.map(([label, words]) => `${label}: ${words}.`).join(" ");
      expect(countCodePoints(briefNarrative(text, [], most) ?? "")).toBeLessThanOrEqual(most);
    }),
  );
});
