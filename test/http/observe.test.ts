import { describe, expect, test } from "vitest";
import { listObservations, observe } from "../../src/capture/observations/operations.ts";
import { listSessions, startSession } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { minuteMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { dumpStore, openTestHttp } from "../support/http.ts";

const event = {
  hookType: "post_tool_use",
  sessionId: "s1",
  project: "shop",
  cwd: "/home/dev/shop",
  timestamp: "2026-03-01T11:59:00.000Z",
  data: { toolName: "Edit", toolInput: { file_path: "/home/dev/shop/src/cart.ts" }, toolOutput: "done" },
};

const http = forEachTest(openTestHttp);

async function stored(raw = false) {
  return (await http.ok(listObservations, { sessionId: "s1", raw })).observations;
}

async function rawData(): Promise<unknown> {
  const [observation] = await stored(true);
  return observation?.raw?.data;
}

describe("capturing an event", () => {
  test("returns a 201 with a receipt that says it is compressed by rules", async () => {
    const reply = await http.reply(observe, event);
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      success: true,
      observationId: expect.stringMatching(/^obs_[0-9a-z]{26}$/u),
      sessionId: "s1",
      deduplicated: false,
      compressed: true,
      compression: "synthetic",
      queued: false,
    });
  });

  test("reads what went wrong at the end of a long output, of which the beginning is stored", async () => {
    const output = `${"compiling a part of the shop\n".repeat(4_000)}src/cart.c:3:5: error: no such field\n`;
    const call = { toolName: "Bash", toolInput: { command: "make" } };
    await http.ok(observe, { ...event, data: { ...call, toolOutput: { stdout: output, exitCode: 2 } } });
    const hookType = "post_tool_failure";
    await http.ok(observe, { ...event, hookType, data: { ...call, error: `Exit code 2\n${output}` } });
    const [ran, failed] = await stored(true);
    expect(ran?.facts).toContain("error: src/cart.c:3:5: error: no such field");
    expect(ran?.narrative).toMatch(/no such field$/u);
    expect(failed?.title).toBe("Bash failed: src/cart.c:3:5: error: no such field");
    expect(failed?.raw?.error).toMatch(/…\[truncated \d+ characters\]$/u);
    expect(failed?.raw).toMatchObject({ data: { error: failed?.raw?.error } });
  });

  test("stores its own time and the time of arrival, and file paths relative to cwd", async () => {
    await http.ok(observe, event);
    expect(await stored()).toMatchObject([
      {
        timestamp: "2026-03-01T11:59:00.000Z",
        receivedAt: "2026-03-01T12:00:00.000Z",
        hookType: "post_tool_use",
        type: "file_edit",
        files: ["src/cart.ts"],
        toolName: "Edit",
        confidence: 0.5,
        origin: { channel: "tool" },
      },
    ]);
  });

  test("gives a file one name, whichever detours and doubled slashes its path contains", async () => {
    const inside = ["//src/cart.ts", "/lib/../src/./cart.ts", "/../shop/src//cart.ts"];
    const paths = [
      ...inside.map((path) => event.cwd + path),
      ".//src/cart.ts",
      "/home//dev/web/../cart.ts",
      "src/..",
    ];
    for (const file_path of paths) {
      await http.ok(observe, { ...event, data: { toolName: "Edit", toolInput: { file_path } } });
    }
    const files = (await stored()).map((observation) => observation.files);
    expect(files).toEqual([...Array(4).fill(["src/cart.ts"]), ["/home/dev/cart.ts"], []]);
  });

  test("makes it searchable as soon as the answer is there", async () => {
    const { observationId } = await http.ok(observe, {
      ...event,
      data: { toolName: "Bash", toolInput: { command: "pnpm frobnicate" } },
    });
    const { results } = await http.ok(smartSearch, { query: "frobnicate" });
    expect(results.map(({ obsId }) => obsId)).toEqual([observationId]);
  });

  test("reads all of a prompt that only mentions the tag of an agent's note", async () => {
    const prompt = "Our logs show <system-reminder> at times. We will never store it again.";
    await http.ok(observe, { ...event, hookType: "prompt_submit", data: { prompt } });
    expect(await stored()).toMatchObject([
      {
        title: "Our logs show <system-reminder> at times.",
        facts: ["decision: We will never store it again."],
      },
    ]);
    expect((await http.ok(listSessions, {})).sessions[0]?.firstPrompt).toBe(prompt);
  });

  test("keeps a custom hook type unchanged", async () => {
    await http.ok(observe, { ...event, hookType: "My Hook/7" });
    expect((await stored())[0]?.hookType).toBe("My Hook/7");
  });

  test.each([
    ["no data", undefined],
    ["null", null],
    ["text", "just words"],
    ["a number", 7],
    ["an array", [1, "two"]],
    ["an empty object", {}],
  ])("accepts %s as data", async (_name, data) => {
    expect((await http.reply(observe, { ...event, data })).status).toBe(201);
    expect((await stored())[0]?.title).not.toBe("");
  });

  test("writes no audit entry", async () => {
    await http.ok(observe, event);
    expect((await http.ok(listAudit, {})).total).toBe(0);
  });

  test("counts exactly when 50 events of a session arrive at once", async () => {
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, number) => http.reply(observe, { ...event, data: { number } })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(replies.map(({ body }) => body.observationId)).size).toBe(50);
    const { sessions } = await http.ok(listSessions, {});
    expect(sessions.map(({ observationCount }) => observationCount)).toEqual([50]);
    expect((await http.ok(listObservations, { sessionId: "s1" })).total).toBe(50);
  });

  test("stores one of 20 equal events that arrive at once", async () => {
    const receipts = await Promise.all(Array.from({ length: 20 }, () => http.ok(observe, event)));
    expect(new Set(receipts.map(({ observationId }) => observationId)).size).toBe(1);
    expect(receipts.filter(({ deduplicated }) => !deduplicated)).toHaveLength(1);
    expect((await http.ok(listSessions, {})).sessions[0]?.observationCount).toBe(1);
  });
});

describe("a missing, blank or invalid field is a 400 and captures nothing:", () => {
  const required = ["hookType", "sessionId", "project", "cwd", "timestamp"];
  test.each(
    required.flatMap((field) =>
      [undefined, null, "", " \n", 5, ["x"]].map((value) => [field, value] as const),
    ),
  )("%s = %j", async (field, value) => {
    const before = await dumpStore(http);
    const reply = await http.reply(observe, { ...event, [field]: value });
    expect(reply.status).toBe(400);
    expect(reply.body.issues).toMatchObject([{ path: field }]);
    expect(await dumpStore(http)).toBe(before);
  });
});

describe("the timestamp of an event", () => {
  test.each([
    ["2026-02-03T04:05:06.007Z", "2026-02-03T04:05:06.007Z"],
    ["2026-02-03T04:05:06Z", "2026-02-03T04:05:06.000Z"],
    ["2026-02-03T04:05Z", "2026-02-03T04:05:00.000Z"],
    ["2026-02-03T04:05:06.123456Z", "2026-02-03T04:05:06.123Z"],
    ["2026-02-03T04:05:06+02:00", "2026-02-03T02:05:06.000Z"],
    ["2026-02-03T04:05:06.5-0530", "2026-02-03T09:35:06.500Z"],
    ["2026-02-03T04:05:06", "2026-02-03T04:05:06.000Z"],
    ["2026-02-03", "2026-02-03T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["1931-05-06T07:08:09Z", "1931-05-06T07:08:09.000Z"],
    ["2199-12-31T23:59:59.999Z", "2199-12-31T23:59:59.999Z"],
  ])("%s is stored as %s", async (timestamp, wanted) => {
    await http.ok(observe, { ...event, timestamp });
    expect((await stored())[0]?.timestamp).toBe(wanted);
  });

  test.each([
    "yesterday",
    "2026-13-01",
    "2026-02-30",
    "2026-02-29T00:00:00Z",
    "2026-04-31T10:00:00+02:00",
    "2026-02-03T25:00:00Z",
    "2026-02-03T04:60:00Z",
    "2026-02-03T04:05:06+99:00",
    "1769000000000",
    "03.02.2026",
    "2026-2-3",
    "2026-02-03T",
  ])("%s is a 400 and captures nothing", async (timestamp) => {
    const reply = await http.reply(observe, { ...event, timestamp });
    expect(reply.status).toBe(400);
    expect((await http.ok(listSessions, {})).total).toBe(0);
  });
});

describe("a repeated event", () => {
  const later = { ...event, timestamp: "2026-03-01T12:30:00.000Z" };

  test("within five minutes is a duplicate: 201 with the earlier id, and nothing changes", async () => {
    const first = await http.ok(observe, event);
    http.advance(5 * minuteMs);
    const before = await dumpStore(http);
    const reply = await http.reply(observe, later);
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      observationId: first.observationId,
      deduplicated: true,
      compressed: true,
    });
    expect(await dumpStore(http)).toBe(before);
  });

  test("after more than five minutes is a new event", async () => {
    const first = await http.ok(observe, event);
    http.advance(5 * minuteMs + 1);
    const second = await http.ok(observe, later);
    expect(second.deduplicated).toBe(false);
    expect(second.observationId).not.toBe(first.observationId);
  });

  test("with the same timestamp is a duplicate at any age", async () => {
    const first = await http.ok(observe, event);
    http.advance(400 * 24 * 60 * minuteMs);
    expect(await http.ok(observe, event)).toMatchObject({
      deduplicated: true,
      observationId: first.observationId,
    });
  });

  test("is measured from the arrival of the event that was stored", async () => {
    await http.ok(observe, event);
    http.advance(4 * minuteMs);
    expect((await http.ok(observe, later)).deduplicated).toBe(true);
    http.advance(2 * minuteMs);
    expect((await http.ok(observe, { ...later, timestamp: "2026-03-01T12:31:00Z" })).deduplicated).toBe(
      false,
    );
  });

  test("is recognised in any order of its keys", async () => {
    await http.ok(observe, { ...event, data: { a: 1, b: { c: [1, 2], d: null } } });
    expect(
      (await http.ok(observe, { ...later, data: { b: { d: null, c: [1, 2] }, a: 1 } })).deduplicated,
    ).toBe(true);
  });

  test.each([
    ["session", { sessionId: "s2" }],
    ["hook type", { hookType: "pre_tool_use" }],
    ["tool", { data: { ...event.data, toolName: "Write" } }],
    ["order in an array", { data: { list: [2, 1] } }],
  ])("of another %s is a new event", async (_name, other) => {
    await http.ok(observe, event);
    await http.ok(observe, { ...event, data: { list: [1, 2] } });
    expect((await http.ok(observe, { ...event, ...other })).deduplicated).toBe(false);
  });

  test("with a different secret is a new event, though neither secret is stored", async () => {
    const withToken = (last: string) => ({
      ...event,
      data: { text: `token: ${"a1b2c3d4e5".repeat(3)}${last}` },
    });
    expect((await http.ok(observe, withToken("x"))).deduplicated).toBe(false);
    expect((await http.ok(observe, withToken("y"))).deduplicated).toBe(false);
    expect(JSON.stringify(await stored(true))).not.toContain("a1b2c3d4e5");
  });

  test("does not reopen an ended session", async () => {
    await http.ok(observe, event);
    await http.core.sessions.end({ sessionId: "s1" });
    await http.ok(observe, event);
    expect((await http.ok(listSessions, {})).sessions[0]?.status).toBe("completed");
  });
});

describe("the stored data of an event", () => {
  test("has strings over 64 KiB cut, with a mark that counts the missing characters", async () => {
    await http.ok(observe, { ...event, data: { long: "x".repeat(65_536 + 7), fits: "y".repeat(65_536) } });
    expect(await rawData()).toEqual({
      long: `${"x".repeat(65_536)}…[truncated 7 characters]`,
      fits: "y".repeat(65_536),
    });
  });

  test("has NUL and lone surrogates replaced by U+FFFD, in values and keys", async () => {
    const body = JSON.stringify(event).replace(
      '"done"',
      '"a\\u0000b\\ud800c","k\\u0000":"\\udc00 \\ud83d\\ude42"',
    );
    const reply = await http.reply(observe, {}, { body });
    expect(reply.status).toBe(201);
    expect(await rawData()).toMatchObject({ toolOutput: "a\uFFFDb\uFFFDc", "k\uFFFD": "\uFFFD 🙂" });
  });

  test("has a tool's input as the text that it came as, however deep JSON is nested in it", async () => {
    const toolInput = `{"a": ${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
    await http.ok(observe, { ...event, data: { toolName: "Bash", toolInput } });
    expect(await rawData()).toEqual({ toolName: "Bash", toolInput });
  });

  test("keeps `__proto__`, `constructor` and `prototype` as plain data", async () => {
    const odd = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"prototype":1}';
    const body = JSON.stringify({ ...event, data: "ODD" }).replace('"ODD"', odd);
    expect((await http.reply(observe, {}, { body })).status).toBe(201);
    expect(Object.hasOwn({}, "polluted") || "polluted" in {}).toBe(false);
    expect(JSON.stringify(await rawData())).toBe(odd);
  });

  test("does not contain a secret in any table", async () => {
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    await http.ok(observe, { ...event, hookType: "prompt_submit", data: { prompt: `use ${secret} please` } });
    expect(await dumpStore(http)).not.toContain(secret);
  });
});

describe("the maximum of observations per session", () => {
  test("refuses one more event with a 413, the limit and the count, and captures nothing", async () => {
    const capped = await openTestHttp({ env: { MEMSVC_MAX_OBS_PER_SESSION: "2" } });
    for (const number of [1, 2]) await capped.ok(observe, { ...event, data: { number } });
    const before = await dumpStore(capped);
    const reply = await capped.reply(observe, { ...event, data: { number: 3 } });
    expect(reply.status).toBe(413);
    expect(reply.body).toMatchObject({ limit: 2, observationCount: 2 });
    expect(await dumpStore(capped)).toBe(before);
    expect((await capped.reply(observe, { ...event, sessionId: "s2" })).status).toBe(201);
    await capped.close();
  });
});

test("a repeated event is a duplicate even after its session was started in another folder", async () => {
  await http.ok(observe, event);
  await http.ok(startSession, { sessionId: "s1", project: "moved", cwd: "/srv/moved" });
  expect((await http.ok(observe, event)).deduplicated).toBe(true);
});

test.each(["Bash", "shell"])(
  "what a command prints that only shows a secret is not stored, by %s",
  async (toolName) => {
    const secret = "Zk3-plain-words-9";
    const send = (command: string, stdout: string) =>
      http.ok(observe, {
        ...event,
        data: { toolName, toolInput: { command }, toolOutput: { stdout, stderr: "" } },
      });
    await send("cd /srv && pass show work/db", `${secret}\nuser: ada\n`);
    await send("git rev-parse HEAD", "f00dcafe12345678");
    const kept = JSON.stringify(await dumpStore(http));
    expect(kept).not.toContain(secret);
    expect(kept).toContain("user: ada");
    expect(kept).toContain("f00dcafe12345678");
  },
);
