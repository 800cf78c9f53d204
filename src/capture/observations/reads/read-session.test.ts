import { expect, test } from "vitest";
import { openTestCore } from "../../../../test/support/core.ts";
import { forEachTest } from "../../../../test/support/for-each-test.ts";
import type { Sql } from "../../../store/sql.ts";
import { observe } from "../operations.ts";
import { readSession } from "./read-session.ts";

const core = forEachTest(openTestCore);

const observed = (at: number, second: number) =>
  core.call(observe, {
    sessionId: "s",
    hookType: "prompt_submit",
    project: "shop",
    cwd: "/w/shop",
    timestamp: new Date(core.now() + second * 1_000).toISOString(),
    data: { prompt: `plant ginkgo number ${at}` },
  });

test("reads a long session in chronological pages and ignores later additions", async () => {
  for (let at = 0; at < 1_100; at += 1) await observed(at, Math.floor(at / 3));
  const { sql } = core.core.ground.store.read;
  const parts: number[] = [];
  const watched: Sql = {
    run: (...given) => sql.run(...given),
    all: (...given) => sql.all(...given),
    values: async (...given) => {
      const rows = await sql.values(...given);
      if (rows.length > 1) parts.push(rows.length);
      if (parts.length === 1 && rows.length > 1) await observed(2_000, 3_000);
      return rows;
    },
  };
  const reading = await readSession(watched, "s");
  expect(parts).toEqual([500, 500, 100]);
  expect(reading.stored).toBe(1_100);
  const numbers = reading.observations.map(({ narrative, title }) =>
    Number(/\d+$/u.exec(narrative || title)?.[0]),
  );
  expect(numbers).toEqual(Array.from({ length: 1_100 }, (_, at) => at));
  expect((await readSession(sql, "s")).observations).toHaveLength(1_101);
});
