import { beforeAll, expect, test } from "vitest";
import { forAllTests } from "../support/for-each-test.ts";
import { buildOnce, openSandbox } from "./program-process.ts";

/*
 * The commands of what agents tell each other and wait for: what they print for programs, and how they end.
 */

beforeAll(buildOnce);

const sandbox = forAllTests(openSandbox);

async function printed(...args: readonly string[]): Promise<string> {
  const { exit, stdout, stderr } = await sandbox.runHere(args);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  return stdout;
}

test("signal send prints the id, and signal read shows an agent's unread signals", async () => {
  const metadata = ["--metadata", '{"file": "a.ts"}'];
  const id = (await printed("signal", "send", "all", "is", "set", "--from", "ann", ...metadata)).trim();
  expect(id).toMatch(/^sig_[0-9a-z]{26}$/u);
  const [line, unread] = (await printed("signal", "read", "bob", "--unread-only")).split("\n");
  expect(line).toMatch(new RegExp(`^${id}  ann → everybody  all is set  info, `, "u"));
  expect(unread).toBe("1 not read before");
  expect(await printed("signal", "read", "bob", "--unread-only")).toBe("no signals\n");
  const { signals } = JSON.parse(await printed("signal", "read", "bob", "--peek", "--json"));
  expect(signals).toEqual([expect.objectContaining({ id, metadata: { file: "a.ts" } })]);
  const long = `first ${"many words ".repeat(20)}\n  last line`;
  const longId = (await printed("signal", "send", long, "--from", "bob", "--to", "eve")).trim();
  expect(await printed("signal", "read", "eve", "--limit", "1")).toMatch(
    new RegExp(
      `^${longId}  bob → eve  info, .*\n {2}first (many words )+\n {4}last line\n… 1 more\n2 not read`,
      "u",
    ),
  );
  expect(await printed("signal", "read", "eve", "--offset", "1")).not.toContain("more");
});

test("checkpoint and sentinel block and unblock an action, and refuse wrong input with 2 and 5", async () => {
  const actionId = (await printed("action", "create", "Release")).trim();
  const link = ["--linked-action-id", actionId];
  const checkpoint = (
    await printed("checkpoint", "create", "CI", "is", "green", "--type", "ci", ...link)
  ).trim();
  const config = ["--config", '{"pattern": "no space left", "field": "any"}'];
  const sentinel = (
    await printed("sentinel", "create", "Disk", "--type", "pattern", ...config, ...link)
  ).trim();
  expect(await printed("sentinel", "check")).toBe("0 of 1 sentinel triggered\n");
  expect(await printed("sentinel", "list")).toMatch(
    new RegExp(`^${sentinel}  watching   Disk  pattern, 1 action, `, "u"),
  );
  const resolve = ["checkpoint", "resolve", checkpoint, "passed", "--result", '{"job": 42}'];
  expect(await printed(...resolve)).toBe(`${checkpoint} passed\n`);
  expect((await sandbox.runHere(resolve)).exit).toBe(5);
  expect(await printed("sentinel", "cancel", sentinel)).toBe(
    `${sentinel} cancelled\n  unblocked ${actionId}  Release\n`,
  );
  const { checkpoints } = JSON.parse(await printed("checkpoint", "list", "--json"));
  expect(checkpoints).toEqual([expect.objectContaining({ id: checkpoint, result: { job: 42 } })]);
  const bad = await sandbox.run([
    "sentinel",
    "create",
    "x",
    "--type",
    "pattern",
    "--config",
    '{"pattern": "("}',
  ]);
  expect([bad.exit, bad.stderr]).toEqual([
    2,
    expect.stringContaining("--config: pattern must be an RE2 expression"),
  ]);
});

test("routine save takes steps as JSON, and routine status follows a run by its id", async () => {
  const steps = ["--steps", '[{"title": "Test"}, {"title": "Publish", "dependsOn": [1]}]'];
  const routine = (await printed("routine", "save", "Release", ...steps)).trim();
  expect(await printed("routine", "list")).toMatch(
    new RegExp(`^${routine}  Release  2 steps, frozen, `, "u"),
  );
  const overrides = ["--overrides", '{"2": {"title": "Publish it"}}'];
  const run = (await printed("routine", "run", routine, ...overrides)).trim();
  expect(await printed("routine", "status", run)).toMatch(
    new RegExp(`^${run} running, 0 of 2 actions done\n {2}pending +Test .*\n {2}blocked +Publish it `, "u"),
  );
  const strange = await sandbox.runHere(["routine", "run", routine, "--overrides", '{"7": {}}']);
  expect([strange.exit, strange.stderr]).toEqual([
    2,
    "memsvc: --overrides: there is no step 7\nhint: its steps are 1, 2\n",
  ]);
  const replaced = await sandbox.runHere(["routine", "save", "x", ...steps, "--routine-id", routine]);
  expect([replaced.exit, replaced.stderr]).toEqual([5, expect.stringContaining("frozen")]);
});

test("facet tags a record, lists and queries its labels, and exits with 3 if nothing matches", async () => {
  const id = (await printed("remember", "herons nest in tall trees")).trim();
  expect(await printed("facet", "tag", id, "team", "payments")).toMatch(/^fct_/u);
  expect(await printed("facet", "query", "--match-all", "team:payments", "--target-type", "memory")).toBe(
    `${id}  memory  team:payments\n`,
  );
  expect(await printed("facet", "list", id)).toBe("team: payments\n");
  expect(await printed("facet", "stats")).toBe("team: payments 1\n");
  expect(await printed("facet", "remove", id, "team")).toBe("removed 1 label\n");
  expect((await sandbox.runHere(["facet", "query", "--match-any", "team:payments"])).exit).toBe(3);
});
