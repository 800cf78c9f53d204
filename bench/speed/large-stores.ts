import { putDocument } from "../../src/index/documents/documents.ts";
import { pendingDocuments, storeVectors } from "../../src/index/vectors/vectors.ts";
import type { openCore } from "../../src/open-core.ts";
import { makeCorpus } from "../corpus.ts";

const atOnce = 500;

type OpenedCore = Awaited<ReturnType<typeof openCore>>;

/**
 * Adds documents straight to the index of a seeded home: a million takes minutes, where operations would take half an
 * hour. They have no observations, no sessions and no nodes in the graph; the graph is that of the seeded documents.
 */
export async function addDocuments({ ground }: OpenedCore, count: number): Promise<void> {
  const { documents } = makeCorpus({ documents: count, seed: 9 });
  let number = 0;
  await inBatches(documents(), atOnce, (document) => {
    number += 1;
    const further = { ...document, ref: `further_${number}`, sessionId: `further-${document.sessionId}` };
    return ground.store.write((tx) => putDocument(tx.sql, further));
  });
}

/** Embeds every document that has no vector yet. */
export async function addVectors({ ground, embeddings }: OpenedCore): Promise<void> {
  const { fingerprint } = await embeddings.ready();
  for (;;) {
    const waiting = await pendingDocuments(ground.store.read.sql, atOnce);
    if (waiting.length === 0) return;
    const chunks = await embeddings.embedDocuments(waiting.map(({ text }) => text));
    const embedded = waiting.map(({ id }, at) => ({ id, chunks: chunks[at] ?? [] }));
    await ground.store.write((tx) => storeVectors(tx.sql, fingerprint, embedded));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Starts `together` writes at once, and waits for them before starting the next ones. */
export async function inBatches<Body>(
  bodies: Iterable<Body>,
  together: number,
  write: (body: Body) => Promise<unknown>,
): Promise<void> {
  let batch: Promise<unknown>[] = [];
  for (const body of bodies) {
    batch.push(write(body));
    if (batch.length < together) continue;
    await Promise.all(batch);
    batch = [];
    // The native module only frees the memory of finished statements in a turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(batch);
}
