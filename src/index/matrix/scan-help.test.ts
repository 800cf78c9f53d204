import { BroadcastChannel } from "node:worker_threads";
import { afterEach, expect, test, vi } from "vitest";
import { makeVectors, seededRandom } from "../vectors/vector-fixture.ts";
import { axisOf } from "./axis.ts";
import { blockRows } from "./layout.ts";
import { VectorMatrix } from "./matrix.ts";
import { helpWithScans, ScanHelp } from "./scan-help.ts";

afterEach(() => vi.useRealTimers());

const dimensions = 768;
const [vector = new Float32Array(dimensions), ...vectors] = makeVectors(
  3 * blockRows,
  dimensions,
  seededRandom(5),
  3,
);

const question = { vector, scope: { now: 0 }, limit: 20, minSimilarity: -1 };

function filledMatrix(): VectorMatrix {
  const matrix = new VectorMatrix(axisOf(vectors, dimensions));
  const fields = { kind: "observation", projectKey: null, agentId: null, createdAt: 0, hiddenAfter: null };
  // Each document has two rows, the second in another block than the first.
  vectors.forEach((vector, row) => {
    matrix.add({ ...fields, documentId: 1 + (row % (vectors.length / 2)) }, vector);
  });
  return matrix;
}

/** Leaves the first rows to the helper, which would otherwise be too late here, and the others to the asking thread. */
function leavingRows(help: ScanHelp, rows: number): Pick<ScanHelp, "ask"> {
  return {
    ask: (memory, scan) => {
      Atomics.store(scan.next, 0, rows);
      return help.ask(memory, { ...scan, rows, next: new Int32Array(new SharedArrayBuffer(4)) });
    },
  };
}

test("a scan with a helper finds the same as a scan alone", async () => {
  const matrix = filledMatrix();
  const alone = await matrix.nearest(question);
  helpWithScans("scans of this test");
  const help = new ScanHelp("scans of this test");
  for (const blocks of [0, 1, 2, 3]) {
    const together = leavingRows(help, Math.min(blocks * blockRows, vectors.length));
    expect(await matrix.nearest(question, together)).toEqual(alone);
  }
  expect(await matrix.nearest(question, help)).toEqual(alone);
  expect(alone).toHaveLength(20);
});

test("a scan ignores a helper that never answers, and fails if one took rows and died", async () => {
  const matrix = filledMatrix();
  const help = new ScanHelp("nobody listens");
  const alone = await matrix.nearest(question);
  expect(await matrix.nearest(question, help)).toEqual(alone);
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const abandoned = matrix.nearest(question, leavingRows(help, blockRows));
  const outcome = expect(abandoned).rejects.toThrow("not helped to its end");
  await vi.advanceTimersByTimeAsync(1_000);
  await outcome;
});

test("a reply that arrived while the asking thread was blocked counts, however late", async () => {
  const matrix = filledMatrix();
  const help = new ScanHelp("held up");
  const helper = new BroadcastChannel("held up");
  const later = setTimeout;
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  helper.onmessage = (event) => {
    const { id } = (event as { data: { id: number } }).data;
    later(() => {
      helper.postMessage({ kind: "found", id, rows: blockRows, found: [] });
      vi.advanceTimersByTime(10_000);
    });
  };
  const found = matrix.nearest(question, leavingRows(help, blockRows));
  await expect(found).resolves.toHaveLength(20);
  helper.close();
});
