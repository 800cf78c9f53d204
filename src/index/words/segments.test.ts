import { expect, test } from "vitest";
import { openTestCore } from "../../../test/support/core.ts";
import { forAllTests } from "../../../test/support/for-each-test.ts";
import { observe } from "../../capture/observations/operations.ts";
import { smartSearch } from "../../recall/search/operations.ts";

const opened = forAllTests(openTestCore);

/** The number of segments of the inverted index. */
async function segments(): Promise<number> {
  const sql = opened.core.ground.store.read.sql;
  const [row] = await sql.all<{ n: number }>("SELECT count(DISTINCT segid) AS n FROM documents_fts_idx");
  return row?.n ?? 0;
}

test("events written one by one are merged into few segments and all are found", async () => {
  const events = 150;
  let most = 0;
  for (let number = 0; number < events; number += 1) {
    const data = { userPrompt: `Ledger entry ledger${number} is to be checked against invoice${number}` };
    const context = { sessionId: `ses_${number}`, project: "books", cwd: "/srv/books" };
    const timestamp = new Date(opened.now()).toISOString();
    await opened.call(observe, { hookType: "prompt_submit", ...context, timestamp, data });
    most = Math.max(most, await segments());
  }
  // Ten would be two levels of segments that wait to be merged. With FTS5's defaults there would be more than twenty.
  expect(most).toBeLessThan(14);
  for (const number of [0, 7, 8, 63, 64, events - 1]) {
    const { results } = await opened.call(smartSearch, { query: `invoice${number}`, project: "books" });
    expect(results, `invoice${number}`).toHaveLength(1);
  }
});
