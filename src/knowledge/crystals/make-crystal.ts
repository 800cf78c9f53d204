import type { Observations } from "../../capture/observations/observations.ts";
import type { Projects } from "../../capture/projects/projects.ts";
import type { AgentScopes } from "../../capture/sessions/agent-scope.ts";
import { actionsNamed } from "../../coordination/actions/find-actions.ts";
import { tieToCrystal } from "../../coordination/actions/finished-actions.ts";
import { type ActionRow, isFinished } from "../../coordination/actions/record.ts";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { putDocument } from "../../index/documents/documents.ts";
import { MemsvcError } from "../../operation/errors.ts";
import type { Sql } from "../../store/sql.ts";
import type { Connection, Transaction } from "../../store/store.ts";
import { redactText } from "../../text/redaction/redact.ts";
import { RunModel } from "../consolidation/run-model.ts";
import type { Lessons } from "../lessons/lessons.ts";
import { actionsForModel, CondensedByModel, condensedOf, crystalInstructions } from "./by-model.ts";
import { type Condensed, condenseByRules } from "./by-rules.ts";
import { crystalDocument } from "./document.ts";
import { gatherMaterial, type Material } from "./material.ts";
import { type Crystal, type CrystalRow, crystalRecord } from "./record.ts";
import { crystals } from "./tables.ts";

const lessonConfidence = 0.6;

export interface CrystalServices {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly observations: Observations;
  readonly lessons: Lessons;
  readonly audit: Audit;
}

/** The actions of a crystal, and its owner. */
interface CrystalRequest {
  readonly actionIds: readonly string[];
  /** By default the project that all actions share, if they do. */
  readonly project?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly functionId: "crystal.create" | "crystal.auto";
  readonly jobId?: string | undefined;
}

export interface MadeCrystal {
  readonly crystal: Crystal;
  /** Why rules were used instead of a model. */
  readonly warning?: string;
}

/**
 * Condenses finished actions into a crystal, with a model if there is one. Errors: not_found, with
 * `notFound`; conflict, with `unfinished` or `crystallized`.
 */
export async function makeCrystal(
  ground: Ground,
  services: CrystalServices,
  wish: CrystalRequest,
  model: RunModel = new RunModel(ground, { isWanted: true, background: false }),
): Promise<MadeCrystal> {
  const { store } = ground;
  const actions = await crystallizableActions(store.read, wish.actionIds);
  const material = await gatherMaterial(services, actions, wish.agentId);
  const { condensed, provider, warning } = await condense(model, material);
  const crystal = await store.write(async (tx) => {
    // Checked again: actions may have been reopened or condensed while the model was asked.
    const now = await crystallizableActions(tx, wish.actionIds);
    return keep(tx, ground, services, { wish, actions: now, condensed, provider });
  });
  return { crystal: crystalRecord(crystal), ...(warning === undefined ? {} : { warning }) };
}

/** The actions, if a crystal may be made of them; else throws the errors of makeCrystal. */
export async function crystallizableActions(
  connection: Connection,
  ids: readonly string[],
): Promise<ActionRow[]> {
  const actions = await actionsNamed(connection, ids);
  const unfinished = actions.filter((action) => !isFinished(action)).map(({ id }) => id);
  if (unfinished.length > 0) {
    throw new MemsvcError("conflict", `not finished yet: ${unfinished.slice(0, 3).join(", ")}`, {
      hint: "finish or cancel the actions first: memsvc action update <actionId> --status done",
      extra: { unfinished },
    });
  }
  const crystallized = actions
    .filter(({ crystallizedInto }) => crystallizedInto !== null)
    .map(({ id }) => id);
  if (crystallized.length > 0) {
    throw new MemsvcError("conflict", `in a crystal already: ${crystallized.slice(0, 3).join(", ")}`, {
      hint: "list the crystals: memsvc crystal list",
      extra: { crystallized },
    });
  }
  return actions;
}

interface Answer {
  readonly condensed: Condensed;
  readonly provider: string;
  readonly warning?: string;
}

async function condense(model: RunModel, material: Material): Promise<Answer> {
  const byRules = { condensed: condenseByRules(material), provider: "extractive" };
  if (!model.isUsed) return byRules;
  const asked = await model.ask({
    purpose: "crystal",
    instructions: crystalInstructions,
    prompt: actionsForModel(material),
    schema: CondensedByModel,
  });
  if (asked.kind === "failed") return { ...byRules, warning: `made by rules: ${asked.reason}` };
  return { condensed: condensedOf(asked.value, material), provider: asked.provider };
}

async function keep(
  tx: Transaction,
  ground: Ground,
  { projects, lessons, audit }: CrystalServices,
  {
    wish,
    actions,
    condensed,
    provider,
  }: { readonly wish: CrystalRequest; readonly actions: readonly ActionRow[] } & Answer,
): Promise<CrystalRow> {
  const project = wish.project ?? (await sharedProject(tx.sql, projects, actions));
  const { agentId, sessionId, jobId } = wish;
  const row: CrystalRow = {
    id: ground.newId("crystal"),
    narrative: redactText(condensed.narrative),
    keyOutcomes: condensed.keyOutcomes.map(redactText),
    filesAffected: condensed.filesAffected,
    lessons: condensed.lessons.map(redactText),
    tags: [...new Set(actions.flatMap(({ tags }) => tags))],
    sourceActionIds: actions.map(({ id }) => id),
    sessionId: sessionId ?? null,
    ...(await projects.fieldsOf(tx.sql, project)),
    agentId: agentId ?? null,
    provider,
    createdAt: ground.now(),
  };
  await tx.orm.insert(crystals).values(row);
  await putDocument(tx.sql, crystalDocument(row));
  await tieToCrystal(tx, ground, row.sourceActionIds, row.id);
  for (const content of row.lessons) {
    await lessons.save(tx, {
      content,
      confidence: lessonConfidence,
      source: "crystal",
      sourceIds: [row.id],
      tags: row.tags,
      project,
      agentId,
    });
  }
  await audit.record(tx, {
    operation: "crystallize",
    functionId: wish.functionId,
    targetIds: [row.id, ...row.sourceActionIds],
    details: { provider, actions: actions.length, lessons: row.lessons.length, jobId },
    agentId,
  });
  return row;
}

/** A name for the project that all actions share. */
export async function sharedProject(
  sql: Sql,
  projects: Projects,
  actions: readonly ActionRow[],
): Promise<string | undefined> {
  const [first] = actions;
  const isShared = actions.every(({ projectKey }) => projectKey === first?.projectKey);
  return first !== undefined && isShared ? projects.nameOfRow(sql, first) : undefined;
}
