import fc from "fast-check";
import { observe } from "../../../src/capture/observations/operations.ts";
import { endSession } from "../../../src/capture/sessions/operations.ts";
import { exportStore, importStore } from "../../../src/governance/transfer/operations.ts";
import { consolidatePipeline } from "../../../src/knowledge/consolidation/operations.ts";
import { saveLesson } from "../../../src/knowledge/lessons/operations.ts";
import { evolve, forget, remember } from "../../../src/knowledge/memories/operations.ts";
import { appendToSlot } from "../../../src/knowledge/slots/operations.ts";
import type { StepOf } from "../doing.ts";
import { pick, text } from "../given.ts";
import type { World } from "../world.ts";

/* Steps that two agents may take side by side, in two projects, with the same files and nearly the same words. */

export const agents = ["ann", "bob"] as const;
export const projects = ["shop", "till"] as const;

const who = { agent: fc.constantFrom(...agents), project: fc.constantFrom(...projects), text };

const kinds = {
  remember: fc.record({ kind: fc.constant("remember" as const), ...who }),
  evolve: fc.record({ kind: fc.constant("evolve" as const), pick, text }),
  forget: fc.record({ kind: fc.constant("forget" as const), pick }),
  observe: fc.record({
    kind: fc.constant("observe" as const),
    ...who,
    what: fc.constantFrom("prompt" as const, "edit" as const, "failure" as const),
  }),
  end: fc.record({ kind: fc.constant("end" as const), ...who }),
  lesson: fc.record({ kind: fc.constant("lesson" as const), ...who }),
  slot: fc.record({ kind: fc.constant("slot" as const), ...who }),
  consolidate: fc.record({ kind: fc.constant("consolidate" as const), ...who }),
  importSelf: fc.record({ kind: fc.constant("import self" as const) }),
  reopen: fc.record({ kind: fc.constant("reopen" as const) }),
};

export type Step = StepOf<typeof kinds>;

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: kinds.remember as fc.Arbitrary<Step> },
  { weight: 5, arbitrary: kinds.observe },
  { weight: 2, arbitrary: kinds.evolve },
  { weight: 2, arbitrary: kinds.lesson },
  { weight: 2, arbitrary: kinds.slot },
  { weight: 2, arbitrary: kinds.end },
  { weight: 2, arbitrary: kinds.consolidate },
  kinds.forget,
  kinds.importSelf,
  kinds.reopen,
);

export interface Written {
  /** Set for memories, which may be forgotten. */
  readonly memoryId?: string;
  readonly agent: string;
  readonly project: string;
  readonly word: string;
}

/** Everything written so far and not forgotten, with its agent. */
export type Record = Written[];

export const file = "src/counter.ts";
export const sessionOf = (agent: string, project: string) => `session of ${agent} in ${project}`;

export async function carryOut(world: World, written: Record, step: Step): Promise<void> {
  const { http } = world;
  http.advance(61_000);
  const word = world.word();
  const said = "text" in step ? world.written(step.text, word) : "";
  switch (step.kind) {
    case "remember": {
      const { agent: agentId, project } = step;
      const answer = await world.ok(remember, {
        content: said,
        project,
        agentId,
        files: [file],
        concepts: ["till"],
      });
      for (const other of [answer.superseded, answer.similarTo?.id]) {
        if (other === undefined) continue;
        const known = written.find(({ memoryId }) => memoryId === other);
        if (known?.agent !== agentId || known.project !== project)
          throw new Error(`what ${agentId} says was compared with what ${known?.agent} said`);
      }
      written.push({ memoryId: answer.memoryId, agent: agentId, project, word });
      return;
    }
    case "evolve": {
      const old = pickedMemory(written, step.pick);
      if (old === undefined) return;
      const { agent: agentId, project } = old;
      const change = { memoryId: old.memoryId, newContent: said, newTitle: word, agentId };
      const reply = await world.reply(evolve, change);
      const memoryId = reply.body.memoryId as string | undefined;
      if (memoryId !== undefined) written.push({ memoryId, agent: agentId, project, word });
      return;
    }
    case "forget": {
      const old = pickedMemory(written, step.pick);
      if (old !== undefined) await world.reply(forget, { memoryId: old.memoryId, agentId: old.agent });
      return;
    }
    case "observe": {
      const { agent: agentId, project } = step;
      await world.ok(observe, {
        sessionId: sessionOf(agentId, project),
        agentId,
        project,
        cwd: `/w/${project}`,
        timestamp: new Date(http.now()).toISOString(),
        ...events[step.what](said, word, project),
      });
      written.push({ agent: agentId, project, word });
      return;
    }
    case "end":
      await world.reply(endSession, { sessionId: sessionOf(step.agent, step.project) });
      await http.runDueJobs();
      return;
    case "lesson":
      await world.ok(saveLesson, { content: said, project: step.project, agentId: step.agent });
      written.push({ agent: step.agent, project: step.project, word });
      return;
    case "slot": {
      const { agent: agentId, project } = step;
      await world.ok(appendToSlot, { label: "pending_items", text: said, project, agentId });
      written.push({ agent: agentId, project, word });
      return;
    }
    case "consolidate":
      await world.ok(consolidatePipeline, { project: step.project, agentId: step.agent });
      return;
    case "import self": {
      const exportData = await world.ok(exportStore, {});
      await world.ok(importStore, { exportData, strategy: "replace" });
      return;
    }
    case "reopen":
      await world.reopen();
  }
}

function pickedMemory(written: Record, at: number): (Written & { readonly memoryId: string }) | undefined {
  const memories = written.flatMap((one) =>
    one.memoryId === undefined ? [] : [{ ...one, memoryId: one.memoryId }],
  );
  return memories[at % Math.max(1, memories.length)];
}

const events = {
  prompt: (said: string) => ({
    hookType: "prompt_submit" as const,
    data: { prompt: `we always decided: ${said}; next step: ${said}` },
  }),
  edit: (said: string, word: string, project: string) => ({
    hookType: "post_tool_use" as const,
    data: {
      tool_name: "Edit",
      tool_input: { file_path: `/w/${project}/${file}`, new_string: `const ${word} = "${said}"` },
    },
  }),
  failure: (said: string) => ({
    hookType: "post_tool_failure" as const,
    data: { tool_name: "Bash", tool_input: { command: `npm test ${said}` }, error: `Error: ${said}` },
  }),
};
