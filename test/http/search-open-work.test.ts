import { describe, expect, test } from "vitest";
import { linkCommit } from "../../src/capture/commits/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { searchSteps } from "../support/search-steps.ts";

const http = forEachTest(openTestHttp);

const { found, observed, smart } = searchSteps(() => http);

/** What an agent answers at the end of a session of its own. */
const answered = (day: number, lastMessage: string, given: Readonly<Record<string, unknown>> = {}) =>
  observed("", {
    hookType: "stop",
    sessionId: `answered on ${day}`,
    timestamp: `2026-02-${String(day).padStart(2, "0")}T10:00:00Z`,
    data: { lastMessage },
    ...given,
  });

describe("a search for open work", () => {
  test.each(["which todo is open", "what is left to do?", "what's next", "offene Punkte", "todo"])(
    "finds what sessions left to do, the newest first: %s",
    async (query) => {
      const older = await answered(1, "The parser reads dates. Still to do: the tests for leap years.");
      await answered(2, "The importer reads CSV files now, and all of its tests pass.");
      const newer = await answered(3, "The queue works. I have not deployed it yet.");
      expect((await found(query)).slice(0, 2)).toEqual([newer, older]);
    },
  );

  test("shows what is left where the beginning of an answer does not", async () => {
    const told = "The cart counts its items once. ".repeat(12);
    await answered(1, `${told}\nStill to do: the discount for members.`);
    const [hit] = await smart("what is left to do");
    expect(hit?.passage).toContain("Still to do: the discount for members.");
    expect(hit?.match).toBe("strong");
  });

  test("does not find what was done since, nor as words", async () => {
    await answered(1, "The parser reads dates. Still to do: leap year tests.");
    const open = await answered(2, "The parser reads times. Still to do: daylight saving.");
    await http.ok(linkCommit, {
      sha: "a1b2c3d4e5",
      sessionId: "answered on 2",
      message: "Add leap year tests",
      authoredAt: "2026-02-02T11:00:00Z",
    });
    expect(await found("which todo is open")).toEqual([open]);
    expect(await found("what is left to do", { project: "shop" })).toEqual([open]);
  });

  test("finds the open steps of a plan, and todos that a prompt notes", async () => {
    const noted = await observed("TODO: rotate the webhook key", { sessionId: "noting" });
    const plan = await observed("", {
      hookType: "post_tool_use",
      sessionId: "planned",
      timestamp: "2026-03-01T12:00:00Z",
      data: {
        toolName: "TodoWrite",
        toolInput: {
          todos: [
            { content: "Read the schema", status: "completed" },
            { content: "Write the migration", status: "pending" },
          ],
        },
      },
    });
    expect((await found("open items")).slice(0, 2)).toEqual([plan, noted]);
  });

  test("keeps to the project, and to what was named in a time", async () => {
    const shop = await answered(2, "The shop sells. Still to do: the returns.");
    const later = await answered(20, "The shop sells more. Still to do: the vouchers.");
    const other = await answered(3, "The site loads. Still to do: the footer.", {
      project: "site",
      cwd: "/w/site",
    });
    expect(await found("which todo is open", { project: "shop" })).toEqual([later, shop]);
    expect(await found("which todo is open", { project: "site" })).toEqual([other]);
    expect(await found("what was left to do on 2026-02-02", { project: "shop" })).toEqual([shop]);
  });

  test("asks a day for what was named in its first or last millisecond, too", async () => {
    const atLocal = (time: string) => ({ timestamp: new Date(`2026-02-${time}`).toISOString() });
    await answered(1, "The day before. Still to do: the roof.", atLocal("01T23:59:59.999"));
    const first = await answered(2, "The day begins. Still to do: the door.", atLocal("02T00:00:00.000"));
    const last = await answered(3, "The day ends. Still to do: the window.", atLocal("02T23:59:59.999"));
    await answered(4, "The day after. Still to do: the stairs.", atLocal("03T00:00:00.000"));
    expect(await found("what was left to do on 2026-02-02")).toEqual([last, first]);
  });

  test("shows texts that only have its words behind what is open, also newer ones of the asking session", async () => {
    const open = await answered(1, "The parser reads dates. Still to do: the tests for leap years.");
    const words = await observed("Todo lists of the shop open slowly");
    const question = await observed("Which todo is open now?", { sessionId: "asking" });
    const hits = await found("which todo is open", { sessionId: "asking" });
    expect([hits[0], hits.slice(1).sort()]).toEqual([open, [words, question].sort()]);
  });

  test("searches for the words where nothing was left, and where more is asked", async () => {
    const words = await observed("The todo list of the shop opens slowly");
    expect(await found("which todo is open")).toEqual([words]);
    await answered(1, "The parser reads dates. Still to do: the tests for leap years.");
    expect((await found("todo list slowly"))[0]).toBe(words);
  });
});
