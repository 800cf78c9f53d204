import type { Audit } from "../../../governance/audit/audit.ts";
import { renewRow } from "../../../graph/structural/renew.ts";
import type { Ground } from "../../../ground.ts";
import { putDocument } from "../../../index/documents/documents.ts";
import type { JobHandler } from "../../../jobs/worker.ts";
import { wasInVain, wasUnusableAnswer } from "../../../llm/in-vain.ts";
import type { Metrics } from "../../../operation/metrics.ts";
import { partReader, type Read } from "../../../store/row-reader.ts";
import { firstRow } from "../../../store/sql.ts";
import type { Transaction } from "../../../store/store.ts";
import { observationDocument } from "../document.ts";
import { graphRowsOf } from "../reads/graph-rows.ts";
import { compressedColumns, compressedValues } from "../stored-compression.ts";
import { observations } from "../tables.ts";
import type { CompressedByModel, compressByModel } from "./compress-by-model.ts";
import {
  compressionJobKind,
  dropCompressions,
  dropCompressionsOf,
  isCompressedByModel,
  nextToCompress,
  noteUselessAnswer,
  type Pending,
} from "./compression-queue.ts";

export interface CompressionServices {
  readonly audit: Audit;
  readonly metrics: Metrics;
}

const functionId = "observe.compress";

/**
 * Has a model compress the queued observations of a session, a few per call. The outcome of each call is one
 * transaction, so if the job is interrupted, the rest stays queued and nothing is done twice.
 */
export function compressionHandler(ground: Ground, services: CompressionServices): JobHandler {
  return {
    kind: compressionJobKind,
    isSlow: true,
    onlyInDaemon: true,
    run: async ({ key: sessionId }) => {
      const { store } = ground;
      // The setting may have changed since the events were queued.
      if (!isCompressedByModel(ground)) {
        await store.write((tx) => dropCompressionsOf(tx.sql, sessionId));
        return;
      }
      while (await compressSome(ground, services, sessionId));
    },
  };
}

/**
 * Asks a model once about queued observations of a session; false when there are none. Errors: those of the
 * language model.
 */
export async function compressSome(
  ground: Ground,
  services: CompressionServices,
  sessionId: string,
): Promise<boolean> {
  const batch = await nextToCompress(ground.store.read.sql, sessionId);
  if (batch.length === 0) return false;
  await compressBatch(ground, services, batch);
  return true;
}

async function compressBatch(
  ground: Ground,
  services: CompressionServices,
  batch: readonly Pending[],
): Promise<void> {
  const startedAt = performance.now();
  const count = (failed: boolean, qualityScore?: number) =>
    services.metrics.record(functionId, performance.now() - startedAt, failed, qualityScore);
  let answer: Awaited<ReturnType<typeof compressByModel>>;
  try {
    answer = await (await import("./compress-by-model.ts")).compressByModel(ground, batch);
  } catch (error) {
    // A slow model may fail to finish a large batch; then its events are asked about one by one.
    const wasTooMuch = batch.length > 1 && wasInVain(error);
    if (!wasTooMuch && !wasUnusableAnswer(error)) throw error;
    for (const _ of batch) count(true);
    await ground.store.write((tx) => noteUselessAnswer(tx.sql, batch));
    return;
  }
  await ground.store.write(async (tx) => {
    for (const { id, tries } of batch) {
      const result = answer.byId.get(id);
      if (result === undefined) continue;
      const [before] = await graphRowsOf(tx.sql, [id]);
      const stored = await replace(tx, id, result);
      // The observation was forgotten, or compressed by another process, while the model worked.
      if (before === undefined || stored === undefined) continue;
      for (const after of await graphRowsOf(tx.sql, [id])) await renewRow(tx.sql, ground, before, after);
      await services.audit.record(tx, {
        operation: "compress",
        functionId,
        targetIds: [id],
        details: { model: answer.model, attempts: tries + 1 },
        qualityScore: result.qualityScore,
        agentId: stored.agentId,
      });
    }
    await dropCompressions(
      tx.sql,
      batch.map(({ id }) => id),
    );
  });
  for (const { qualityScore } of answer.byId.values()) count(false, qualityScore);
}

const part = partReader(observations, ["agentId", "projectKey", "sessionId", "timestamp", "receivedAt"]);

async function replace(
  tx: Transaction,
  id: string,
  { compressed }: CompressedByModel,
): Promise<Read<typeof part> | undefined> {
  const { sql } = tx;
  const [stored] = await part.rows(
    sql,
    `UPDATE observations SET ${compressedColumns.map((name) => `${name} = ?`).join(", ")}, compression = 'llm'
     WHERE id = ? AND compression = 'synthetic'
     RETURNING ${part.columns}`,
    [...compressedValues(compressed), id],
  );
  if (stored === undefined) return undefined;
  const { agentId, projectKey, sessionId, timestamp, receivedAt } = stored;
  const place = await firstRow<{ project: string }>(
    sql,
    "SELECT project FROM documents WHERE kind = 'observation' AND ref = ?",
    [id],
  );
  // The project name of that time: the session may have moved to another project.
  const event = { project: place?.project ?? projectKey, sessionId, timestamp };
  await putDocument(sql, observationDocument({ id, event, compressed, projectKey, agentId, receivedAt }));
  return stored;
}
