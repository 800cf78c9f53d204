import { putDocument } from "../../src/index/documents/documents.ts";
import { pendingDocuments, storeVectors } from "../../src/index/vectors/vectors.ts";
import type { openCore } from "../../src/open-core.ts";
import { makeCorpus } from "../corpus.ts";

const atOnce = 500;

type OpenedCore = Awaited<ReturnType<typeof openCore>>;

/**
 * Puts more documents straight into the index of a seeded home: half an hour of operations for a million becomes
 * minutes. They have no observation, no session and no part in the graph; the graph is that of the seeded ones.
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

/** Gives every document that waits for one its vector. */
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

/** Writes so many at a time, and waits for them before the next. */
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
    // The native module frees what statements took when the event loop turns.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(batch);
}
