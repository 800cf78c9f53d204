import Database from "libsql";
import { describe, expect, test } from "vitest";
import {
  eventField,
  storedEventColumns,
  storedEventMarks,
  storedEventValues,
  wholeEvent,
} from "./stored-event.ts";

const database = new Database(":memory:");
database.exec(`CREATE TABLE raw_events (${storedEventColumns})`);
const insert = database.prepare(
  `INSERT INTO raw_events (${storedEventColumns}) VALUES (${storedEventMarks})`,
);

interface Stored {
  readonly event: string;
  readonly whole: string;
  readonly toolInput: string | null;
  readonly userPrompt: string | null;
}

function stored(raw: unknown): Stored {
  database.exec("DELETE FROM raw_events");
  insert.run(storedEventValues(raw));
  return database
    .prepare(
      `SELECT event, ${wholeEvent} AS whole, ${eventField("toolInput")} AS toolInput,
         ${eventField("userPrompt")} AS userPrompt FROM raw_events`,
    )
    .get() as Stored;
}

const long = "a line of output\n".repeat(50);

describe("a stored event", () => {
  test.each<readonly [what: string, raw: unknown]>([
    [
      "of a tool",
      {
        hookType: "post_tool_use",
        toolInput: { command: "ls" },
        toolOutput: long,
        data: { tool_input: { command: "ls" }, tool_response: long },
      },
    ],
    [
      "whose fields contain each other",
      {
        hookType: "x",
        toolInput: {},
        toolOutput: "a",
        error: "a",
        data: { z: "😀", tool_input: {}, output: "a" },
      },
    ],
    [
      "with characters beyond the first plane",
      {
        hookType: "x",
        userPrompt: '😀 says “hi” \\ "\u0000\ud800',
        data: { before: "😀😀 é", prompt: '😀 says “hi” \\ "\u0000\ud800', after: 1 },
      },
    ],
    [
      "whose data has a field in another form",
      { hookType: "x", toolName: "Bash", toolInput: { a: 1, b: 2 }, data: { tool_input: { b: 2, a: 1 } } },
    ],
    [
      "of another program",
      {
        toolOutput: [1, null, { deep: ["x"] }],
        more: { k: 1 },
        data: { result: [1, null, { deep: ["x"] }] },
      },
    ],
    ["that is all data", { data: { prompt: "x" } }],
    ["without data", { hookType: "x", userPrompt: "x" }],
    ["whose data is a text", { hookType: "x", userPrompt: "x", data: "x" }],
    ["that is a list", ["x", { data: {} }]],
    ["that is a text", "{}"],
    ["with a key __proto__", JSON.parse('{"__proto__":{"a":1},"userPrompt":"x","data":{"__proto__":"x"}}')],
  ])("%s is read back unchanged", (_, raw) => {
    expect(JSON.parse(stored(raw).whole)).toEqual(raw);
  });

  test("stores a field only once if its data repeats it", () => {
    const raw = { hookType: "post_tool_use", toolOutput: long, data: { tool_response: long } };
    const { event } = stored(raw);
    expect(event.split(JSON.stringify(long))).toHaveLength(2);
    expect(event.length).toBeLessThan(JSON.stringify(raw).length - long.length);
  });

  test("of an in-process caller loses undefined values, as in JSON", () => {
    const raw = { toolInput: { a: 1 }, data: { b: undefined, input: { a: 1, c: undefined } } };
    expect(stored(raw).whole).toBe('{"toolInput":{"a":1},"data":{"input":{"a":1}}}');
  });

  test("stores a field inside an envelope only once", () => {
    const raw = { hookType: "x", toolOutput: long, data: { event: { a: "é😀", tool_response: long }, b: 1 } };
    const { event, whole } = stored(raw);
    expect(event.split(JSON.stringify(long))).toHaveLength(2);
    expect(JSON.parse(whole)).toEqual(raw);
  });

  test("is built in time proportional to its length, whatever it repeats", () => {
    const like = "a".repeat(65_000);
    const raw = { toolOutput: `b${like}`, data: { input: Array.from({ length: 100 }, () => like) } };
    expect(JSON.parse(String(storedEventValues(raw)[0]))).toEqual(raw);
    const nested = `${'{"event":'.repeat(2_000)}"${"a".repeat(4_000_000)}"${"}".repeat(2_000)}`;
    expect(storedEventValues({ data: JSON.parse(nested) })[0]).toBe(`{"data":${nested}}`);
  });

  test("gives single fields from its data, from beside it, or null", () => {
    expect(stored({ toolInput: { command: "ls" }, data: { input: { command: "ls" } } })).toMatchObject({
      toolInput: '{"command":"ls"}',
      userPrompt: null,
    });
    expect(stored({ userPrompt: "why?", data: {} })).toMatchObject({ toolInput: null, userPrompt: '"why?"' });
  });

  test("that was stored whole is read unchanged", () => {
    database.exec("DELETE FROM raw_events");
    const raw = { hookType: "x", toolInput: { a: 1 }, data: { toolInput: { a: 1 } } };
    database.prepare("INSERT INTO raw_events (event) VALUES (?)").run(JSON.stringify(raw));
    const row = database
      .prepare(`SELECT ${wholeEvent} AS whole, ${eventField("toolInput")} AS field FROM raw_events`)
      .get();
    expect(row).toMatchObject({ whole: JSON.stringify(raw), field: '{"a":1}' });
  });
});
