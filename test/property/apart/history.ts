import { expect } from "vitest";
import type { Operation } from "../../../src/operation/define.ts";
import { smartSearch } from "../../../src/recall/search/operations.ts";
import { World } from "../world.ts";
import { questions, widerQuestions } from "./asked.ts";
import { agents, carryOut, projects, type Record, type Step, type Written } from "./steps.ts";

/** Plays a history of isolated agents: no answer to one of them may contain a word of the other. */
export async function liveApart(history: readonly Step[]): Promise<void> {
  await live(history, { MEMSVC_AGENT_SCOPE: "isolated" }, async (world, written, at) => {
    for (const agentId of agents) {
      for (const of of lookedFor(written, at)) {
        for (const [operation, input] of widerQuestions(of))
          await expectOwn(world, written, operation, { ...input, agentId });
        const project = projects[at % projects.length] ?? projects[0];
        for (const [operation, input] of questions(project, of))
          await expectOwn(world, written, operation, { ...input, agentId });
      }
    }
  });
}

/** Plays a history of agents that share: each finds what the other wrote, and can ask for one agent's records only. */
export async function liveTogether(history: readonly Step[]): Promise<void> {
  await live(history, {}, async (world, written, at) => {
    const [of] = lookedFor(written, at);
    if (of?.memoryId === undefined) return;
    const { memoryId, word: query, agent, project } = of;
    const isThere = (await world.reply(smartSearch, { query })).text.includes(memoryId);
    const other = agents.find((one) => one !== agent);
    const own = (await world.reply(smartSearch, { query, project, agentId: agent })).text;
    const others = (await world.reply(smartSearch, { query, project, agentId: other })).text;
    expect([own.includes(memoryId), others.includes(memoryId)]).toEqual([isThere, false]);
    if (at === written.length - 1) expect(isThere, `what ${agent} wrote last`).toBe(true);
  });
}

async function live(
  history: readonly Step[],
  env: Readonly<{ [name: string]: string }>,
  check: (world: World, written: Record, at: number) => Promise<void>,
): Promise<void> {
  const world = await World.open(env);
  const written: Record = [];
  try {
    for (const [at, one] of history.entries()) {
      await carryOut(world, written, one);
      await check(world, written, at);
    }
  } finally {
    await world.close();
  }
}

/** The newest record, and another one that differs from step to step. */
function lookedFor(written: Record, at: number): Written[] {
  return [
    ...written.slice(-1),
    ...written
      .slice(0, -1)
      .slice(at % Math.max(1, written.length - 1))
      .slice(0, 1),
  ];
}

/**
 * Expects that the answer to an agent holds nothing that another agent wrote, nor that was written in another project.
 */
async function expectOwn(
  world: World,
  written: Record,
  operation: Operation,
  input: Readonly<{ [name: string]: unknown }>,
): Promise<void> {
  const { query, anchor, terms = [] } = input;
  // An answer may repeat the question itself.
  const text = [`"query":"${query}"`, `"anchor":"${anchor}"`].reduce(
    (left, echo) => left.replaceAll(echo, ""),
    (await world.reply(operation, input)).text,
  );
  for (const { word, agent, project } of written) {
    const isOwn = agent === input.agentId && (input.project === undefined || project === input.project);
    if (isOwn || (terms as readonly string[]).includes(word) || !text.includes(word)) continue;
    throw new Error(
      `${operation.id} ${JSON.stringify(input)} shows what ${agent} wrote in ${project}: ${text}`,
    );
  }
}
