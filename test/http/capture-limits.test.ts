import { expect, test } from "vitest";
import { linkCommit } from "../../src/capture/commits/operations.ts";
import { observe } from "../../src/capture/observations/operations.ts";
import type { Operation } from "../../src/operation/define.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);

const event = { sessionId: "s", project: "p", cwd: "/w", hookType: "stop", timestamp: "2026-03-01" };

test.each([
  ["hookType", observe, event, 100],
  ["sessionId", observe, event, 256],
  ["project", observe, event, 1_024],
  ["cwd", observe, event, 4_096],
  ["sha", linkCommit, {}, 128],
  ["sessionId", linkCommit, { sha: "abc" }, 256],
  ["branch", linkCommit, { sha: "abc" }, 500],
  ["repo", linkCommit, { sha: "abc" }, 500],
  ["author", linkCommit, { sha: "abc" }, 500],
  ["message", linkCommit, { sha: "abc" }, 20_000],
] as const satisfies readonly (readonly [string, Operation, object, number])[])(
  "%s is limited in characters, not in bytes",
  async (field, operation, given, most) => {
    const reply = async (length: number) => http.reply(operation, { ...given, [field]: "🙂".repeat(length) });
    expect((await reply(most)).status).toBe(operation.http?.success);
    expect(await reply(most + 1)).toMatchObject({ status: 400, body: { issues: [{ path: field }] } });
  },
);

test("a commit takes at most 1,000 files", async () => {
  const files = Array.from({ length: 1_001 }, (_, at) => `src/${at}.ts`);
  expect((await http.reply(linkCommit, { sha: "abc", files })).status).toBe(400);
  const { commit } = await http.ok(linkCommit, { sha: "abc", files: files.slice(0, 1_000) });
  expect(commit.files).toHaveLength(1_000);
});
