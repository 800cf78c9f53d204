import { beforeEach, expect, test } from "vitest";
import { openTestCore } from "../../../../test/support/core.ts";
import { forEachTest } from "../../../../test/support/for-each-test.ts";
import type { Sql } from "../../../store/sql.ts";
import { unimportantBefore } from "./unimportant.ts";

const stored = 25_000;
const unimportantEvery = 1_000;
const start = Date.UTC(2026, 0, 1);

const t = forEachTest(openTestCore);
beforeEach(async () => {
  await t.writeSql(
    `INSERT INTO observations (id, session_id, project_key, timestamp, received_at, hook_type, type, title, facts,
       narrative, concepts, files, importance, confidence, compression, channel, content_hash)
     WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ${stored})
     SELECT 'obs_' || at, 'one', 'shop', ${start} + at, ${start} + at, 'notification', 'notification', '', '[]', '', '[]', '[]',
       iif(at % ${unimportantEvery} = 0, 2, 5), 0.5, 'synthetic', 'tool', at FROM n`,
  );
});

test("searches for unimportant observations in batches, up to the given time", async () => {
  const { sql } = t.core.ground.store.read;
  const rowsOf: number[] = [];
  const watched: Sql = {
    ...sql,
    all: (text, args = []) => {
      rowsOf.push(Number(args[1]) - Number(args[0]));
      return sql.all(text, args);
    },
  };
  const found = await unimportantBefore(watched, start + 20_500);
  expect(found).toEqual(Array.from({ length: 20 }, (_, at) => `obs_${(at + 1) * unimportantEvery}`));
  expect(rowsOf.length).toBeGreaterThan(2);
  expect(Math.max(...rowsOf)).toBeLessThan(stored / 2);
});
