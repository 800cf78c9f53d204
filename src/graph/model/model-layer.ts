import { type ObservationText, textsOf } from "../../capture/observations/reads/graph-rows.ts";
import type { Ground } from "../../ground.ts";
import { retryAfterMs } from "../../jobs/retry-after.ts";
import type { AnsweredQuestions } from "../../llm/answered-questions.ts";
import { wasInVain } from "../../llm/in-vain.ts";
import type { Patience } from "../../llm/patience.ts";
import { isMemsvcError } from "../../operation/errors.ts";
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

/** What became of some batches. */
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
  /** Of work that nobody waits for. */
  readonly patience?: Patience;
  /** Batches that a model was asked about in vain, which are passed over, and where such are noted. */
  readonly inVain?: AnsweredQuestions;
  /** Ids whose rows are stored, so that what is found is linked with them. */
  readonly stored: ReadonlySet<string>;
}

/**
 * Asks a model about observations, batch by batch, and puts what it finds into the graph; each batch is kept as soon
 * as it is there, and counted. A batch holds rows of one project and one agent, so nothing is told to one of another.
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
  const groups = new Map<string, ObservationText[]>();
  for (const text of texts) {
    const key = JSON.stringify([text.projectKey, text.agentId]);
    groups.set(key, [...(groups.get(key) ?? []), text]);
  }
  return [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / size) }, (_, at) =>
      group.slice(at * size, (at + 1) * size),
    ),
  );
}

/** Undefined when the provider gives no usable answer; it has been asked twice then. */
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
    // Work that nobody waits for comes back when the provider may be asked again; all work does after the service's stop.
    if (retryAfterMs(error) === 0 || patience?.isWorthWaiting(error)) throw error;
    const hasFailed = isMemsvcError(error, "provider_failed");
    if (!hasFailed && !isMemsvcError(error, "unavailable")) throw error;
    // A server that is unwell for a moment costs a session nothing: the job of its stop comes back for the batch.
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
  // Some may have been deleted while the model was thinking; what only they told is not kept.
  const ids = batch.map(({ id }) => id).filter((id) => stored.has(id));
  const present = new Set((await textsOf(sql, ids, { kind: "everyone" })).map(({ id }) => id));
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
