import { expect, test } from "vitest";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { putDocument, removeDocuments } from "../documents/documents.ts";
import { makeDocument, openTestIndex } from "../index-fixture.ts";
import { countVectors, pendingDocuments, requeueOthers, storeVectors } from "./vectors.ts";

const index = forEachTest(openTestIndex);

const vector = Float32Array.of(0.6, 0.8);

async function pendingIds(): Promise<number[]> {
  return (await pendingDocuments(index.sql, 10)).map(({ id }) => id);
}

test("a document awaits its vectors from its first write until they are stored", async () => {
  await putDocument(
    index.sql,
    makeDocument({ ref: "a", title: "Retry", body: "with jitter", concepts: ["queue"] }),
  );
  const [waiting] = await pendingDocuments(index.sql, 10);
  expect(waiting?.text).toBe("Retry\nwith jitter\nqueue");
  expect(await countVectors(index.sql, "m1")).toEqual({ embedded: 0, pending: 1 });
  await storeVectors(index.sql, "m1", [{ id: waiting?.id ?? 0, chunks: [vector, vector] }]);
  expect(await countVectors(index.sql, "m1")).toEqual({ embedded: 1, pending: 0 });
});

test("a changed text discards the vectors and is queued again, a changed date is not", async () => {
  const document = makeDocument({ ref: "a", body: "one" });
  await putDocument(index.sql, document);
  const [id = 0] = await pendingIds();
  await storeVectors(index.sql, "m1", [{ id, chunks: [vector] }]);
  await putDocument(index.sql, { ...document, updatedAt: 9_999 });
  expect(await pendingIds()).toEqual([]);
  await putDocument(index.sql, { ...document, body: "two" });
  expect(await pendingIds()).toEqual([id]);
  expect(await countVectors(index.sql, "m1")).toEqual({ embedded: 0, pending: 1 });
});

test("a deleted document leaves no vectors and no queue entry, and gets no vectors later", async () => {
  await putDocument(index.sql, makeDocument({ ref: "a" }));
  await putDocument(index.sql, makeDocument({ ref: "b" }));
  const [first = 0, second = 0] = await pendingIds();
  await storeVectors(index.sql, "m1", [{ id: first, chunks: [vector] }]);
  await removeDocuments(index, "observation", ["a", "b"]);
  await storeVectors(index.sql, "m1", [{ id: second, chunks: [vector] }]);
  expect(await countVectors(index.sql, "m1")).toEqual({ embedded: 0, pending: 0 });
});

test("a new model queues all documents again and does not count the old vectors", async () => {
  await putDocument(index.sql, makeDocument({ ref: "a" }));
  const [id = 0] = await pendingIds();
  await storeVectors(index.sql, "m1", [{ id, chunks: [vector] }]);
  expect(await requeueOthers(index.sql, "m1")).toBe(0);
  expect(await countVectors(index.sql, "m2")).toEqual({ embedded: 0, pending: 1 });
  expect(await requeueOthers(index.sql, "m2")).toBe(1);
  expect(await countVectors(index.sql, "m2")).toEqual({ embedded: 0, pending: 1 });
  await storeVectors(index.sql, "m2", [{ id, chunks: [vector] }]);
  expect(await countVectors(index.sql, "m2")).toEqual({ embedded: 1, pending: 0 });
});
