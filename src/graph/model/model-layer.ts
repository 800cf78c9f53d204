import { type ObservationText, textsOf } from "../../capture/observations/reads/graph-rows.ts";
import { everyone } from "../../capture/sessions/agent-scope.ts";
import type { Ground } from "../../ground.ts";
import { groupBy } from "../../group-by.ts";
import { retryAfterMs } from "../../jobs/retry-after.ts";
import type { AnsweredQuestions } from "../../llm/answered-questions.ts";
import { wasInVain } from "../../llm/in-vain.ts";
import type { Patience } from "../../llm/patience.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { chunksOf } from "../../store/chunks.ts";
import { firstRow, type Sql } from "../../store/sql.ts";
import { redactValue } from "../../text/redaction/redact.ts";
import { NodeType } from "../record.ts";
import type { NodeDraft, Put } from "../storage/draft.ts";
import { foldedName } from "../storage/names.ts";
import { putLayer } from "../storage/put-layer.ts";
import { sourceKeys } from "../storage/sources.ts";
import { putPending } from "../structural/put-pending.ts";
import { draftOf, GraphAnswer } from "./answer.ts";
import { instructions, promptOf } from "./prompt.ts";

/** Totals over the batches of a run. */
export interface Extracted extends Put {
  batches: number;
  failedBatches: number;
  observations: number;
}

const nothingPut: Put = { nodesAdded: 0, nodesUpdated: 0, edgesAdded: 0, edgesUpdated: 0 };

export function nothingExtracted(): Extracted {
  return { ...nothingPut, batches: 0, failedBatches: 0, observations: 0 };
}

interface BatchOptions {
  readonly size: number;
  /** Set for background work only: decides whether to wait for the provider or to go on without it. */
  readonly patience?: Patience;
  /** Batches that got no usable answer: those in it are skipped, new ones are added. */
  readonly inVain?: AnsweredQuestions;
  /** Ids of stored observations; what is found is linked with these. */
  readonly stored: ReadonlySet<string>;
}

/**
 * Asks a model about observations, batch by batch, and puts what it finds into the graph. Each batch is stored and
 * counted as soon as it is answered. A batch holds rows of one project and one agent, so nothing leaks between them.
 */
export async function extractBatches(
  ground: Ground,
  texts: readonly ObservationText[],
  options: BatchOptions,
  totals: Extracted,
): Promise<void> {
  for (const batch of batchesOf(texts, options.size)) {
    const prompt = promptOf(batch);
    if (options.inVain?.has([prompt])) continue;
    totals.batches += 1;
    const answer = await ask(ground, { prompt, observations: batch.length }, options);
    if (answer === undefined) {
      totals.failedBatches += 1;
      continue;
    }
    const put = await ground.store.write((tx) => keep(tx.sql, ground, batch, answer, options.stored));
    totals.observations += batch.length;
    totals.nodesAdded += put.nodesAdded;
    totals.nodesUpdated += put.nodesUpdated;
    totals.edgesAdded += put.edgesAdded;
    totals.edgesUpdated += put.edgesUpdated;
  }
}

function batchesOf(texts: readonly ObservationText[], size: number): ObservationText[][] {
  const groups = groupBy(texts, ({ projectKey, agentId }) => JSON.stringify([projectKey, agentId]));
  return [...groups.values()].flatMap((group) => [...chunksOf(group, size)]);
}

/** Undefined when the provider gave no usable answer, also at the second attempt. */
async function ask(
  ground: Ground,
  { prompt, observations }: { readonly prompt: string; readonly observations: number },
  { patience, inVain }: Pick<BatchOptions, "patience" | "inVain">,
): Promise<GraphAnswer | undefined> {
  try {
    const { value } = await ground.llm.ask({
      purpose: "graph",
      instructions,
      prompt,
      schema: GraphAnswer,
      background: patience !== undefined,
    });
    return GraphAnswer.parse(redactValue(value));
  } catch (error) {
    // Background work is retried by its job once the provider may be asked again. A wait of 0 means that the daemon is
    // stopping: then all work is retried.
    if (retryAfterMs(error) === 0 || patience?.isWorthWaiting(error)) throw error;
    const hasFailed = isMemsvcError(error, "provider_failed");
    if (!hasFailed && !isMemsvcError(error, "unavailable")) throw error;
    // A passing failure of the provider must not lose a session's batch: the job of the session's stop retries it.
    if (hasFailed && inVain !== undefined && !wasInVain(error)) throw error;
    ground.log("warn", "a batch of the graph was not extracted", {
      observations,
      error: error.message,
    });
    if (wasInVain(error)) inVain?.add([prompt]);
    return undefined;
  }
}

async function keep(
  sql: Sql,
  ground: Ground,
  batch: readonly ObservationText[],
  answer: GraphAnswer,
  stored: ReadonlySet<string>,
): Promise<Put> {
  const { project = null, projectKey = null } = batch[0] ?? {};
  await putPending(sql, ground);
  const { nodes, edges } = await draftOf(answer, (name) => knownThing(sql, projectKey, name));
  // Observations may have been deleted meanwhile; when all of the batch were, its answer is dropped.
  const ids = batch.map(({ id }) => id).filter((id) => stored.has(id));
  const present = new Set((await textsOf(sql, ids, everyone)).map(({ id }) => id));
  if (present.size === 0 && ids.length > 0) return nothingPut;
  const named = batch
    .filter(({ id }) => present.has(id))
    .map(({ id, agentId }) => ({ kind: "observation" as const, ref: id, agentId }));
  const sources = (await sourceKeys(sql, named, "extracted")).map(({ key }) => key);
  return putLayer(sql, ground, { origin: "llm", project, projectKey, nodes, edges, sources, fresh: false });
}

async function knownThing(sql: Sql, projectKey: string | null, name: string): Promise<NodeDraft | undefined> {
  const row = await firstRow<{ type: string; name: string }>(
    sql,
    `SELECT g.type, g.name FROM graph_names AS n JOIN graph_nodes AS g ON g.key = n.node
     WHERE n.folded = ? AND n.project_key = ? ORDER BY g.degree DESC, g.key LIMIT 1`,
    [foldedName(name), projectKey ?? ""],
  );
  return row === undefined ? undefined : { type: NodeType.parse(row.type), name: row.name };
}
