import { expect, test } from "vitest";
import { putDocuments } from "../documents/documents.ts";
import { foundIn, makeDocument, openTestIndex, type TestIndex } from "../index-fixture.ts";
import { withLargeWordBuffer } from "./word-buffer.ts";

const documents = Array.from({ length: 400 }, (_, at) =>
  makeDocument({
    ref: `r${at}`,
    body: Array.from({ length: 200 }, (_, word) => `w${(at * 7_919 + word * 104_729) % 50_000}`).join(" "),
  }),
);

async function segmentsOf({ sql }: TestIndex): Promise<number> {
  const [row] = await sql.all<{ n: number }>("SELECT count(DISTINCT segid) AS n FROM documents_fts_idx");
  return row?.n ?? 0;
}

test("a large buffer makes fewer segments, finds the same and restores the usual settings", async () => {
  const [usual, large] = [openTestIndex(), openTestIndex()];
  try {
    for (const index of [usual, large]) await index.sql.run("BEGIN");
    await putDocuments(usual.sql, "observation", documents);
    await withLargeWordBuffer(large.sql, () => putDocuments(large.sql, "observation", documents));
    for (const index of [usual, large]) await index.sql.run("COMMIT");
    expect(await segmentsOf(large)).toBeLessThan(await segmentsOf(usual));
    expect(await foundIn(large, "w0")).toEqual(await foundIn(usual, "w0"));
    expect(
      await large.sql.values(
        "SELECT k, v FROM documents_fts_config WHERE k IN ('automerge', 'hashsize') ORDER BY k",
      ),
    ).toEqual([
      ["automerge", 0],
      ["hashsize", 1024 * 1024],
    ]);
  } finally {
    usual.close();
    large.close();
  }
});
