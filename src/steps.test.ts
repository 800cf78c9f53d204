import { expect, test } from "vitest";
import { hashInSteps } from "./capture/observations/content-hash.ts";
import { runUninterrupted, type Steps } from "./steps.ts";
import { runYielding } from "./store/turns.ts";
import { redactInSteps, redactText } from "./text/redaction/redact.ts";

const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
const rows = Array.from({ length: 4_000 }, (_, at) => ({
  text: at % 1_000 === 7 ? `token ${secret}` : `line ${at}`,
  line: at,
  "10": ["a", "b", at],
  "9": { b: true, a: null },
}));
const event = { hookType: "stop", sessionId: "s", project: "p", cwd: "/p", timestamp: 1, data: { rows } };

const works: [string, () => Steps<unknown>][] = [
  ["a list of objects is redacted", () => redactInSteps({ rows })],
  ["a list of strings is redacted", () => redactInSteps(rows.map(({ text }) => text))],
  ["an object of thousands of fields is redacted", () => redactInSteps(Object.fromEntries(rows.entries()))],
  [
    "a long text is redacted",
    () => redactInSteps({ text: `a token ${secret} in a line of some length\n`.repeat(48_000) }),
  ],
  [
    "a long text of private passages is redacted",
    () => redactInSteps("<private>a</private> and more ".repeat(100_000)),
  ],
  ["an event is hashed", () => hashInSteps(event, "Bash")],
];

test.each(works)("%s in steps, with the same result as at once", async (_what, steps) => {
  let turns = 0;
  const result = await runYielding(steps(), async () => {
    turns += 1;
  });
  expect(turns).toBeGreaterThanOrEqual(rows.length / 32 - 1);
  expect(result).toEqual(runUninterrupted(steps()));
});

test("a text redacted in steps equals the text redacted at once, wherever a step ends", () => {
  const around = "x".repeat(16_384 - 20);
  const text = Array.from(
    { length: 60 },
    (_, at) => `${around.slice(at)} token ${secret} <private>p</private>\n`,
  ).join("");
  const redacted = runUninterrupted(redactInSteps(text));
  expect(redacted).toBe(redactText(text));
  expect(String(redacted).match(/\[REDACTED(?:_SECRET)?\]/g)).toHaveLength(120);
});

test("only a value that contains a secret is copied, and what contains that value", () => {
  const [, , third] = rows;
  expect(runUninterrupted(redactInSteps(third))).toBe(third);
  const redacted = runUninterrupted(redactInSteps(rows)) as typeof rows;
  expect(redacted).not.toBe(rows);
  expect(redacted.map((row, at) => row === rows[at]).filter((same) => !same)).toHaveLength(4);
  expect(redacted[7]).toEqual({ ...rows[7], text: "token [REDACTED_SECRET]" });
});
