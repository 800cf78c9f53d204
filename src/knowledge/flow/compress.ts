import { actionsByIds, actionsNamed } from "../../coordination/actions/find-actions.ts";
import { lastFinished } from "../../coordination/actions/finished-actions.ts";
import { type ActionRow, isFinished } from "../../coordination/actions/record.ts";
import { runWithActions } from "../../coordination/routines/run-with-actions.ts";
import type { Ground } from "../../ground.ts";
import type { Connection } from "../../store/store.ts";
import { redactValue } from "../../text/redaction/redact.ts";
import { RunModel } from "../consolidation/run-model.ts";
import { actionsForModel } from "../crystals/by-model.ts";
import { type CrystalServices, sharedProject } from "../crystals/make-crystal.ts";
import { gatherMaterial, type Material } from "../crystals/material.ts";
import { prepareMemory, storeMemory } from "../memories/remember.ts";
import type { CompressedFlow, FlowSummary } from "./answers.ts";
import { FlowByModel, flowInstructions, flowOf } from "./by-model.ts";
import { summarizeFlow } from "./by-rules.ts";

const mostActions = 200;
const mostSources = 200;

export interface FlowRequest {
  readonly runId?: string | undefined;
  readonly actionIds?: readonly string[] | undefined;
  readonly project?: string | undefined;
  readonly agentId?: string | undefined;
  readonly jobId?: string | undefined;
}

/** Remembers how finished work was done, with a model if there is one. Error: not_found, with `notFound`. */
export async function compressFlow(
  ground: Ground,
  services: CrystalServices,
  wish: FlowRequest,
): Promise<CompressedFlow> {
  const { store } = ground;
  const asked = await requestedActions(store.read, services, wish);
  const actions = asked.filter(isFinished);
  if (actions.length === 0) {
    const message =
      asked.length === 0 ? "there are no finished actions" : "none of the actions is finished yet";
    return { compressed: 0, message };
  }
  const material = await gatherMaterial(services, actions, wish.agentId);
  const { summary, provider, warning } = await summarize(
    ground,
    material,
    await wholeOf(store.read, actions),
  );
  const project = wish.project ?? (await sharedProject(store.read.sql, services.projects, actions));
  const prepared = await prepareMemory(ground, services, {
    content: textOf(summary),
    title: summary.goal,
    type: "workflow",
    project,
    agentId: wish.agentId,
    concepts: [...new Set(actions.flatMap(({ tags }) => tags))].slice(0, mostSources),
    files: material.files,
    sourceObservationIds: material.sourceObservationIds.slice(0, mostSources),
  });
  const memoryId = await store.write(async (tx) => {
    const { row, older } = await storeMemory(tx, ground, services, prepared, "consolidation");
    await services.audit.record(tx, {
      operation: "crystallize",
      functionId: "flow.compress",
      targetIds: [row.id, ...(older === undefined ? [] : [older.id]), ...actions.map(({ id }) => id)],
      details: { provider, actions: actions.length, jobId: wish.jobId },
      agentId: row.agentId,
    });
    return row.id;
  });
  return {
    compressed: actions.length,
    memoryId,
    summary,
    provider,
    ...(warning === undefined ? {} : { warning }),
  };
}

/** The actions that a request names, finished or not. Error: not_found. */
export async function requestedActions(
  connection: Connection,
  { projects }: Pick<CrystalServices, "projects">,
  { runId, actionIds, project }: FlowRequest,
): Promise<ActionRow[]> {
  if (runId !== undefined) return (await runWithActions(connection, runId)).actions;
  if (actionIds !== undefined) return actionsNamed(connection, actionIds);
  const projectKeys = (await projects.readKeys(connection.sql, project)) ?? [];
  return lastFinished(connection, { projectKeys, limit: mostActions });
}

interface Summarized {
  readonly summary: FlowSummary;
  readonly provider: string;
  readonly warning?: string;
}

async function summarize(ground: Ground, material: Material, whole: string | undefined): Promise<Summarized> {
  const byRules = () => ({
    // Redacted here, so that the answer shows what is stored.
    summary: redactValue(summarizeFlow(material, whole)) as FlowSummary,
    provider: "extractive",
  });
  const model = new RunModel(ground, { isWanted: true, background: false });
  if (!model.isUsed) return byRules();
  const asked = await model.ask({
    purpose: "crystal",
    instructions: flowInstructions,
    prompt: actionsForModel(material),
    schema: FlowByModel,
  });
  if (asked.kind === "failed") return { ...byRules(), warning: `made by rules: ${asked.reason}` };
  return { summary: flowOf(asked.value), provider: asked.provider };
}

/** The title of the action that all of these are parts of. */
async function wholeOf(connection: Connection, actions: readonly ActionRow[]): Promise<string | undefined> {
  const parents = new Set(actions.map(({ parentId }) => parentId));
  const [parentId] = parents;
  if (parents.size !== 1 || parentId === null || parentId === undefined) return undefined;
  const [parent] = await actionsByIds(connection, [parentId]);
  return parent?.title;
}

function textOf({ goal, outcome, steps, discoveries, lesson }: FlowSummary): string {
  return [
    `Goal: ${goal}`,
    `Outcome: ${outcome}`,
    ...(steps.length === 0 ? [] : ["Steps:", ...steps.map((step, at) => `${at + 1}. ${step}`)]),
    ...(discoveries.length === 0 ? [] : ["Discoveries:", ...discoveries.map((one) => `- ${one}`)]),
    ...(lesson === "" ? [] : [`Lesson: ${lesson}`]),
  ].join("\n");
}
