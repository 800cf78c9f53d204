import { beforeAll, expect, test } from "vitest";
import { forAllTests } from "../support/for-each-test.ts";
import { buildOnce, openSandbox, type ProgramRun } from "./program-process.ts";

/* The commands of who does what next: what they print, and how they end. */

beforeAll(buildOnce);

const sandbox = forAllTests(openSandbox);

const printedByProcess = async (...args: readonly string[]) => textOf(await sandbox.run(args));
const printed = async (...args: readonly string[]) => textOf(await sandbox.runHere(args));

function textOf({ exit, stdout, stderr }: Pick<ProgramRun, "exit" | "stdout" | "stderr">): string {
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  return stdout.trimEnd();
}

test("an action is created, leased, finished and condensed into a crystal", async () => {
  const first = await printedByProcess(
    "action",
    "create",
    "Write the worker",
    "--priority",
    "7",
    "--tag",
    "queue",
  );
  expect(first).toMatch(/^act_[0-9a-z]{26}$/u);
  const second = await printed(
    "action",
    "create",
    "Ship it",
    "--requires",
    first,
    "--metadata",
    '{"ticket":12}',
  );
  expect(await printed("next")).toBe(`${first}  Write the worker`);
  expect(await printed("frontier")).toMatch(
    new RegExp(`^ 70\\.0 {2}${first} {2}pending +Write the worker .*\\n1 of 2 can be worked on now$`, "u"),
  );
  const shown = await printed("action", "show", second);
  expect(shown).toContain(`waits for: action ${first} (pending): Write the worker`);
  expect(shown).not.toContain("edge:");
  expect(await printed("show", second)).toBe(shown);
  const session = "0b8f6a1e-3c52-4a7d-9b1e-2f64c0d7a913";
  await printed("session", "start", session, "--project", "shop");
  expect(await printed("show", session)).toBe(await printed("session", "show", session));
  expect(await printed("lease", "acquire", first, "--agent-id", "ann")).toContain(
    `ann holds ${first} until `,
  );
  const refused = await sandbox.run(["lease", "acquire", first, "--agent-id", "bob"]);
  expect([refused.exit, refused.stderr]).toEqual([5, expect.stringContaining("is held by ann until")]);
  expect(await printed("lease", "renew", first, "--agent-id", "ann")).toContain("ann holds");
  expect(await printed("lease", "release", first, "--agent-id", "ann", "--result", "merged")).toBe(
    `${first} is done\nnow possible: ${second}  Ship it`,
  );
  const crystal = await printed("crystal", "create", first);
  expect(crystal).toContain("Write the worker: merged");
  expect(crystal).not.toContain("outcomes:");
  expect(await printed("crystal", "list")).toContain("Write the worker: merged  1 action, ");
  expect(await sandbox.runHere(["crystal", "auto", "--older-than-days", "0", "--dry-run"])).toMatchObject({
    exit: 0,
    stdout: "would make 0 crystals\n",
    stderr: "nothing was changed\n",
  });
  expect(await printed("flow", "compress", first)).toContain("goal: Write the worker\noutcome: merged");
  expect(await printed("action", "update", second, "--status", "cancelled")).toBe(`${second} is cancelled`);
  expect(await printed("next")).toBe("nothing is to be done");
  const third = await printed("action", "create", "Tell them", "--assigned-to", "ann");
  const { action } = JSON.parse(await printed("action", "update", third, "--assigned-to", "null", "--json"));
  expect(action).toMatchObject({ id: third });
  expect(action).not.toHaveProperty("assignedTo");
  expect(await printed("action", "update", third, "--status", "cancelled")).toBe(`${third} is cancelled`);
});

test("show prints records of all kinds, one JSON response per line, and only then names those that are unknown", async () => {
  const action = await printed("action", "create", "Show me");
  const memory = await printed("remember", "shown beside an action");
  const shown = await sandbox.runHere(["show", "act_x", action, memory, "run_x", "--json"]);
  const [memories, actions] = shown.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(memories.results).toMatchObject([{ obsId: memory }]);
  expect(actions.action).toMatchObject({ id: action });
  expect(shown.exit).toBe(3);
  expect(shown.stderr).toMatch(/^memsvc: action act_x is not known\n.*run_x is not known\nhint: /u);
});

test("action edge takes edge types as words and refuses an edge that closes a cycle", async () => {
  const [a, b] = [await printed("action", "create", "a"), await printed("action", "create", "b")];
  expect(await printed("action", "edge", a, "requires", b)).toBe(
    `${a} requires ${b}\n${a} is blocked, until its gates are met`,
  );
  const circle = await sandbox.runHere(["action", "edge", b, "requires", a]);
  expect([circle.exit, circle.stderr]).toEqual([2, expect.stringContaining("wait for each other")]);
  const answer = JSON.parse(await printed("action", "create", "c", "--edge", `unlocks:${a}`, "--json"));
  expect(answer).toMatchObject({ success: true, edges: [{ type: "unlocks", targetActionId: a }] });
  expect((await sandbox.runHere(["action", "create", "d", "--metadata", "no JSON"])).exit).toBe(2);
  expect((await sandbox.runHere(["action", "show", "act_x"])).exit).toBe(3);
});

test("a sketch is created, filled, and promoted or discarded", async () => {
  const sketch = await printed("sketch", "create", "The", "plan");
  const action = await printed("sketch", "add", sketch, "First step");
  expect(await printed("action", "list", "--sketch-id", sketch)).toContain("First step");
  expect(await printed("sketch", "promote", sketch, "--project", "shop")).toBe(
    `${sketch} is promoted: 1 action\n${action}`,
  );
  const other = await printed("sketch", "create", "Another");
  expect(await printed("sketch", "discard", other)).toBe(`${other} is discarded with 0 actions`);
  expect((await sandbox.runHere(["sketch", "discard", other])).exit).toBe(5);
  expect(await printed("sketch", "list", "--status", "promoted")).toContain("The plan  1 action, shop, ");
  expect(await printed("sketch", "gc")).toBe("discarded 0 sketches");
});

test("a filter by an unused label, tag or assignee suggests a similar one", async () => {
  const action = await printed("action", "create", "Ship", "--tag", "urgent", "--assigned-to", "magda");
  await printed("facet", "tag", action, "team", "payments");
  const hints = async (line: string) => (await sandbox.runHere(line.split(" "))).stderr;
  expect(await hints("action list --tag urgnet")).toBe(
    "hint: no recent action has the tag urgnet; did you mean urgent?\n",
  );
  expect(await hints("action list --assigned-to madga")).toBe(
    "hint: no recent action is assigned to madga; did you mean magda?\n",
  );
  expect(await hints("facet query --match-any team:paymets team:payments")).toBe("");
  expect(await hints("facet query --match-all team:paymets")).toBe(
    "hint: no record has the label team:paymets; did you mean team:payments?\n",
  );
  expect(await hints("action list --tag urgent --status done")).toBe("");
});

test("lists of checkpoints and sentinels count actions that are linked by an edge, too", async () => {
  const action = await printed("action", "create", "Deploy");
  const checkpoint = await printed("checkpoint", "create", "Approved", "--linked-action-id", action);
  const later = await printed("checkpoint", "create", "Reviewed");
  const sentinel = await printed("sentinel", "create", "Announced");
  await printed("action", "edge", action, "gated_by", later);
  await printed("action", "edge", action, "gated_by", sentinel);
  const checkpoints = await printed("checkpoint", "list");
  expect(checkpoints).toMatch(new RegExp(`${checkpoint} .*external, 1 action, `, "u"));
  expect(checkpoints).toMatch(new RegExp(`${later} .*external, 1 action, `, "u"));
  expect(await printed("sentinel", "list")).toMatch(/custom, 1 action, /u);
});
