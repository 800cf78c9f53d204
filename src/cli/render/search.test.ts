import { Chalk } from "chalk";
import { expect, test } from "vitest";
import type { Terminal } from "../terminal/terminal.ts";
import { plainly } from "./quotation.ts";
import { renderSearch } from "./search.ts";

type Answer = Parameters<typeof renderSearch>[0];
type Result = Answer["results"][number];

const quiet = () => {};
const terminal: Omit<Terminal, "columns"> = {
  ...{ isInteractive: false, isForPeople: true, paint: new Chalk({ level: 0 }) },
  ...{ print: quiet, say: quiet, complain: quiet },
};

const someResult = {
  ...{ obsId: "obs_1", sessionId: "s1", type: "conversation", kind: "observation" as const },
  ...{ score: 0.01, timestamp: "2026-03-01T11:00:00.000Z" },
};

/** The lines below the title of a hit. */
function belowTitle(hit: Pick<Result, "title" | "narrative"> & Partial<Result>, columns: number): string[] {
  const result: Result = { ...someResult, ...hit };
  const answer: Answer = { mode: "compact", results: [result], totalCount: 1, streams: [] };
  const lines = renderSearch(answer, { ...terminal, columns }, plainly);
  return lines
    .split("\n")
    .slice(1)
    .map((line) => line.trim());
}

/** The lines below the facts of a hit. */
function shown(hit: Parameters<typeof belowTitle>[0], columns = 60): string[] {
  return belowTitle(hit, columns).slice(1);
}

test("a search says what it left out: words, and without hits similar texts", () => {
  const told = (leftOut: string[], results: Result[] = []) => {
    const answer: Answer = { mode: "compact", results, totalCount: results.length, streams: [], leftOut };
    return renderSearch(answer, { ...terminal, columns: 100 }, plainly);
  };
  const late = "could not be searched just now: search again";
  expect(told(["keyword", "vector"])).toBe(`nothing was found, but words and similar texts ${late}`);
  expect(told(["vector", "graph"])).toBe(`nothing was found, but similar texts ${late}`);
  const result = { ...someResult, title: "All green.", narrative: "All green." };
  expect(told(["keyword", "vector"], [result])).toMatch(new RegExp(`\\nwords ${late}$`, "u"));
  expect(told(["vector"], [result])).not.toContain(late);
});

test("a hit says for how many more runs of its command it stands, and what replaces its decision", () => {
  const below = (hit: Partial<Result>) =>
    belowTitle({ title: "npm test", narrative: "npm test", ...hit }, 100);
  expect(below({ moreRuns: 2 })[0]).toMatch(/· obs_1 · and 2 more runs$/u);
  expect(below({ replacedBy: "mem_1" })[0]).toMatch(/· obs_1 · replaced by mem_1$/u);
});

test("a prompt is shown with what the agent answered", () => {
  const answer = { obsId: "obs_2", narrative: "Stripe repeats an event\nafter ten seconds." };
  expect(shown({ title: "Charged twice", narrative: "Charged twice", answer })).toEqual([
    "→ Stripe repeats an event after ten seconds.",
  ]);
  const long = { obsId: "obs_2", narrative: "Stripe repeats it. ".repeat(16).slice(0, 300) };
  expect(shown({ title: "Charged twice", narrative: "Charged twice", answer: long }, 50)).toHaveLength(2);
});

test("a hit shows what its text says beyond the title", () => {
  expect(shown({ title: "All green.", narrative: "All green." })).toEqual([]);
  expect(shown({ title: "All green.", narrative: "All green. Now the docs." })).toEqual(["Now the docs."]);
  expect(shown({ title: "npm test", narrative: "npm test (Run tests) → 3 passed" })).toEqual([
    "(Run tests) → 3 passed",
  ]);
  expect(shown({ title: "npm test", narrative: "npm test:all" })).toEqual(["npm test:all"]);
});

test("a hit repeats a title that is cut on the terminal", () => {
  const title = "The cart rounds each line before it adds them up, which is wrong.";
  expect(shown({ title, narrative: `${title} See tax.ts.` }).join(" ")).toBe(`${title} See tax.ts.`);
});

test("a memory's title that is the cut beginning of its text is shown to the end of its line, or of a word", () => {
  const line = "When the internationalization service is deployed, the reconciliation job always runs first.";
  const memory = { kind: "memory" as const, title: line.slice(0, 70), narrative: `${line}\nSee ops.md.` };
  const titleIn = (columns: number) =>
    renderSearch(
      { mode: "compact", results: [{ ...someResult, ...memory }], totalCount: 1, streams: [] },
      { ...terminal, columns },
      plainly,
    ).split("\n")[0];
  expect(titleIn(120)).toBe(` 1. ${line}`);
  expect(titleIn(76)).toBe(" 1. When the internationalization service is deployed, the reconciliation…");
  expect(shown(memory, 120)).toEqual(["See ops.md."]);
});

test("a hit names the file that was read once, and shows an agent's note without its tags", () => {
  const files = ["src/cart.ts"];
  const narrative = "/code/shop/src/cart.ts → export const rate = 2;";
  expect(shown({ title: "Read src/cart.ts", narrative, files })).toEqual(["export const rate = 2;"]);
  const note = "<task-notification><summary>Build done</summary></task-notification>\nRead the output.";
  expect(shown({ title: "Build done", narrative: note })).toEqual([]);
});

test("a hit marks where its text is cut, between words", () => {
  const narrative = `${"Rounding. ".repeat(29)}src/carts`;
  const [cut] = shown({ title: "Cart", narrative: `${narrative}.` }, 400);
  expect(cut).toMatch(/Rounding\.…$/u);
});

test("a search names the limit that shows more hits, up to the largest one", () => {
  const last = (count: number) => {
    const results = Array.from({ length: count }, () => ({ ...someResult, title: "Cart", narrative: "" }));
    const answer: Answer = { mode: "compact", results, totalCount: 150, streams: [] };
    return renderSearch(answer, { ...terminal, columns: 100 }, plainly)
      .split("\n")
      .at(-1);
  };
  expect(last(10)).toBe("140 more: --limit 100");
  expect(last(100)).toBe("50 more; a search shows at most 100");
});
