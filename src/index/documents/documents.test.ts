import fc from "fast-check";
import { expect, test } from "vitest";
import { makeDocument, openTestIndex, type TestIndex } from "../index-fixture.ts";
import { putDocument, putDocuments } from "./documents.ts";

const text = fc.oneof(
  fc.constantFrom("the queue drains", "src/queue.ts is broken", "Läden schließen 東京都", ""),
  fc.string({ unit: "grapheme", maxLength: 40 }),
);
const document = fc
  .record({
    ref: fc.constantFrom("a", "b", "c", "d"),
    title: text,
    body: text,
    concepts: fc.array(text, { maxLength: 2 }),
    files: fc.array(text, { maxLength: 2 }),
    agentId: fc.constantFrom(null, "builder"),
  })
  .map(makeDocument);
const batch = fc.uniqueArray(document, { maxLength: 4, selector: ({ ref }) => ref });

test("stores documents written together as if each were written alone", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 4 }), async (batches) => {
      const [together, apart] = [openTestIndex(), openTestIndex()];
      try {
        for (const documents of batches) {
          await putDocuments(together.sql, "observation", documents);
          for (const one of documents) await putDocument(apart.sql, one);
        }
        expect(await byRef(together)).toEqual(await byRef(apart));
      } finally {
        together.close();
        apart.close();
      }
    }),
    { numRuns: 30 },
  );
});

/** Documents and their words by ref, without ids, which depend on the order of writing. */
async function byRef({ sql }: TestIndex): Promise<unknown> {
  const documents = await sql.all<{ id: number; ref: string }>("SELECT * FROM documents ORDER BY ref");
  await sql.run("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, documents_fts, instance)");
  const words = await sql.values(
    "SELECT ref, term, col, offset FROM temp.words JOIN documents ON id = doc ORDER BY 1, 2, 3, 4",
  );
  const pending = await sql.values(
    "SELECT ref FROM pending_vectors JOIN documents ON id = document_id ORDER BY 1",
  );
  return { documents: documents.map(({ id: _id, ...rest }) => rest), words, pending };
}
