import fc from "fast-check";
import { expect, test } from "vitest";
import { linkCommit } from "../../src/capture/commits/operations.ts";
import { observe } from "../../src/capture/observations/operations.ts";
import { endSession, startSession } from "../../src/capture/sessions/operations.ts";
import { addActionEdge, createAction, updateAction } from "../../src/coordination/actions/operations.ts";
import { acquireLease, releaseLease } from "../../src/coordination/leases/operations.ts";
import {
  addToSketch,
  createSketch,
  discardSketch,
  promoteSketch,
} from "../../src/coordination/sketches/operations.ts";
import { diagnose } from "../../src/governance/diagnostics/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { createCrystal } from "../../src/knowledge/crystals/operations.ts";
import { saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { evolve, forget, getMemory, remember } from "../../src/knowledge/memories/operations.ts";
import { getProfile } from "../../src/knowledge/profiles/operations.ts";
import { createSlot } from "../../src/knowledge/slots/operations.ts";
import { summarizeSession } from "../../src/knowledge/summaries/operations.ts";
import { type CoordinationIds, coordinate, coordinationStep } from "../support/coordination-steps.ts";
import { graphContent } from "../support/graph-content.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";

const session = fc.constantFrom("s1", "s2", "deep/session", "__proto__");
const agent = fc.constantFrom(undefined, "builder", "tester");
const project = fc.constantFrom("/w/shop", "shop", "/home/dev/Ünïcode läden", "tools");
const text = fc.oneof(
  fc.constantFrom("the queue drains before shutdown", "the queue drains and flushes before shutdown"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
);

const edit = fc.record({
  file_path: fc.constantFrom("/w/shop/src/queue.ts", "/w/shop/src/Läden.ts"),
  content: fc.constantFrom('import { z } from "zod";', 'import Redis from "ioredis";\nqueue.drain()', "x"),
});

const step = fc.oneof(
  fc.record({ kind: fc.constant("start" as const), session, project, agent, title: text }),
  fc.record({
    kind: fc.constant("observe" as const),
    session,
    project,
    agent,
    hookType: fc.constantFrom("prompt_submit", "post_tool_use", "stop"),
    data: fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.record({ prompt: text }),
      fc.record({ toolName: text }),
      fc.record({ toolName: fc.constantFrom("Edit", "Write"), toolInput: edit }),
    ),
    at: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  }),
  fc.record({ kind: fc.constant("remember" as const), project, agent, content: text }),
  fc.record({ kind: fc.constant("evolve" as const), pick: fc.nat(), content: text }),
  fc.record({ kind: fc.constant("recall" as const), pick: fc.nat() }),
  fc.record({ kind: fc.constant("forget" as const), pick: fc.nat() }),
  fc.record({ kind: fc.constant("forget session" as const), session }),
  fc.record({ kind: fc.constant("end" as const), session }),
  fc.record({ kind: fc.constant("summarize" as const), session }),
  fc.record({ kind: fc.constant("profile" as const), project }),
  fc.record({ kind: fc.constant("lesson" as const), project, content: text }),
  fc.record({
    kind: fc.constant("slot" as const),
    label: fc.constantFrom("notes", "plan"),
    project: fc.option(project, { nil: undefined }),
    content: text,
  }),
  fc.record({
    kind: fc.constant("commit" as const),
    session,
    sha: fc.constantFrom("3f2a91c", "3f2a91c0d4", "aaaaaaaa"),
    message: text,
  }),
  fc.record({
    kind: fc.constant("action" as const),
    pick: fc.nat(),
    project: fc.option(project, { nil: undefined }),
    title: text,
    metadata: fc.option(fc.dictionary(fc.constantFrom("a", "__proto__"), fc.jsonValue({ maxDepth: 2 })), {
      nil: undefined,
    }),
    edge: fc.constantFrom(undefined, "requires" as const, "unlocks" as const, "conflicts_with" as const),
  }),
  fc.record({
    kind: fc.constant("change action" as const),
    pick: fc.nat(),
    other: fc.nat(),
    change: fc.constantFrom("done", "pending", "blocked", "acquire", "release", "requires", "crystallize"),
  }),
  fc.record({
    kind: fc.constant("sketch" as const),
    pick: fc.nat(),
    title: text,
    change: fc.constantFrom("create", "add", "promote", "discard"),
  }),
  coordinationStep(text),
  fc.record({ kind: fc.constant("wait" as const), minutes: fc.integer({ min: 1, max: 3_000 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Ids of existing records, for steps to pick from. */
interface Known extends Omit<CoordinationIds, "targets"> {
  readonly memories: string[];
  readonly sketches: string[];
}

/** Carries out a step; a refused one, such as forgetting an unknown memory, is part of a history too. */
async function carryOut(http: TestHttp, done: Step, known: Known): Promise<void> {
  const { memories, actions, sketches } = known;
  const picked = (pick: number, from = memories) => from[pick % Math.max(1, from.length)] ?? "none";
  switch (done.kind) {
    case "start": {
      const { session: sessionId, title } = done;
      await http.reply(startSession, {
        sessionId,
        project: done.project,
        cwd: "/w/shop",
        title,
        agentId: done.agent,
      });
      break;
    }
    case "observe": {
      const timestamp = new Date(done.at).toISOString();
      const { session: sessionId, hookType, data } = done;
      const event = { sessionId, project: done.project, cwd: "/w/shop", hookType, timestamp, data };
      await http.reply(observe, { ...event, agentId: done.agent });
      break;
    }
    case "remember": {
      const reply = await http.reply(remember, {
        content: done.content,
        project: done.project,
        agentId: done.agent,
      });
      if (reply.status === 201) memories.push(String(reply.body.memoryId));
      break;
    }
    case "evolve":
      await http.reply(evolve, { memoryId: picked(done.pick), newContent: done.content });
      break;
    case "recall":
      await http.reply(getMemory, { id: picked(done.pick) });
      break;
    case "forget":
      await http.reply(forget, { memoryId: picked(done.pick) });
      break;
    case "forget session":
      await http.reply(forget, { sessionId: done.session, includeSession: true });
      break;
    case "end":
      await http.reply(endSession, { sessionId: done.session });
      break;
    case "summarize":
      await http.reply(summarizeSession, { sessionId: done.session });
      break;
    case "profile":
      await http.reply(getProfile, { project: done.project });
      break;
    case "lesson":
      await http.reply(saveLesson, { content: done.content, project: done.project });
      break;
    case "slot":
      await http.reply(createSlot, { label: done.label, project: done.project, content: done.content });
      break;
    case "commit":
      await http.reply(linkCommit, { sha: done.sha, sessionId: done.session, message: done.message });
      break;
    case "action": {
      const { title, metadata, edge } = done;
      const edges = edge === undefined ? [] : [{ type: edge, targetActionId: picked(done.pick, actions) }];
      const reply = await http.reply(createAction, { title, project: done.project, metadata, edges });
      if (reply.status === 201) actions.push((reply.body.action as { id: string }).id);
      break;
    }
    case "change action": {
      const [actionId, agentId] = [picked(done.pick, actions), `agent-${done.other % 2}`];
      if (done.change === "acquire") await http.reply(acquireLease, { actionId, agentId });
      else if (done.change === "release") await http.reply(releaseLease, { actionId, agentId });
      else if (done.change === "requires") {
        const targetActionId = picked(done.other, actions);
        await http.reply(addActionEdge, { sourceActionId: actionId, type: "requires", targetActionId });
      } else if (done.change === "crystallize") await http.reply(createCrystal, { actionIds: [actionId] });
      else await http.reply(updateAction, { actionId, status: done.change });
      break;
    }
    case "sketch": {
      const sketchId = picked(done.pick, sketches);
      const { title } = done;
      if (done.change === "create") {
        const reply = await http.reply(createSketch, { title });
        if (reply.status === 200) sketches.push((reply.body.sketch as { id: string }).id);
      } else if (done.change === "add") {
        const reply = await http.reply(addToSketch, { sketchId, title });
        if (reply.status === 200) actions.push((reply.body.action as { id: string }).id);
      } else await http.reply(done.change === "promote" ? promoteSketch : discardSketch, { sketchId });
      break;
    }
    case "coordinate":
      await coordinate(http, done, { ...known, targets: [...actions, ...memories] });
      break;
    case "wait":
      http.advance(done.minutes * 60_000);
  }
}

async function contents(http: TestHttp): Promise<Record<string, unknown>> {
  const exported = (await http.send("/export")).body;
  const { exportedAt: _at, audit: _audit, graphNodes: _nodes, graphEdges: _edges, ...content } = exported;
  return { ...content, profiles: profiledIn(content.profiles), graph: graphContent(exported) };
}

/** All of an export except its time and its audit, and how many nodes and profiles are in it. */
function exactly({ exportedAt: _at, audit: _audit, ...rest }: Record<string, unknown>) {
  const { graphNodes, profiles } = rest as Record<string, unknown[]>;
  return { text: JSON.stringify(rest, null, 1), rows: `${graphNodes?.length} ${profiles?.length}` };
}

/** A project that was first known by its name and then by its path has two profiles, and after an import one. */
function profiledIn(profiles: unknown): string[] {
  const names = (profiles as { project: string }[]).map(({ project }) => project.split("/").at(-1) ?? "");
  return [...new Set(names)].sort();
}

/** After any history no action is blocked without a reason, can start too early or is leased once finished. */
async function expectSound(http: TestHttp): Promise<void> {
  const { checks } = await http.ok(diagnose, { categories: ["actions", "leases", "sketches"] });
  expect(checks.filter(({ status }) => status === "fail")).toEqual([]);
}

test("after any history of a store, an import of its export into an empty one reproduces it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (history) => {
      const env = { MEMSVC_SLOTS: "true" };
      const [http, other] = [await openTestHttp({ env }), await openTestHttp({ env })];
      try {
        const known: Known = {
          memories: [],
          actions: [],
          sketches: [],
          checkpoints: [],
          sentinels: [],
          signals: [],
          routines: [],
        };
        for (const done of history) await carryOut(http, done, known);
        await http.settled();
        other.advance(http.now() - other.now());
        const exportData = (await http.send("/export")).body;
        await expectSound(http);
        const first = await other.ok(importStore, { exportData });
        expect(first.warnings).toEqual([]);
        expect(await contents(other)).toEqual(await contents(http));
        const [a, b] = [exactly(exportData), exactly((await other.send("/export")).body)];
        if (a.rows === b.rows) expect(b.text).toBe(a.text);
        const again = await other.ok(importStore, { exportData });
        expect(Object.values(again.counts).map(({ written }) => written)).toEqual(
          Object.values(again.counts).map(() => 0),
        );
      } finally {
        await http.close();
        await other.close();
      }
    }),
    { numRuns: 25 },
  );
});
