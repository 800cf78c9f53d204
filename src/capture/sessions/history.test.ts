import { beforeEach, expect, test } from "vitest";
import { openTestCore } from "../../../test/support/core.ts";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import type { Sql } from "../../store/sql.ts";
import type { AgentFilter } from "./agent-scope.ts";
import { newestSessions, sessionStates } from "./history.ts";

const everyone: AgentFilter = { kind: "everyone" };

const t = forEachTest(openTestCore);
beforeEach(async () => {
  await t.writeSql(
    `INSERT INTO sessions (id, project, project_key, cwd, status, started_at, updated_at, observation_count, commit_shas, tags)
     WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 300)
     SELECT 's' || at, 'p', 'p' || (at % 3), '/w', 'completed', at / 2, at, 0, '[]', '[]' FROM n`,
  );
});

test("lists the newest sessions of several keys in one order, without the asking session", async () => {
  const { sql } = t.core.ground.store.read;
  const view = { keys: ["p0", "p1", "p1"], filter: everyone };
  const rows = await newestSessions(sql, view, 5, "s298");
  expect(rows.map(({ id }) => id)).toEqual(["s300", "s297", "s295", "s294", "s292"]);
  const states = await sessionStates(sql, view, 3);
  expect(states.map(({ id }) => id)).toEqual(["s300", "s298", "s297"]);
});

test("no statement sorts all sessions of a project to find its newest", async () => {
  const { sql } = t.core.ground.store.read;
  const asked: Parameters<Sql["values"]>[] = [];
  const watched: Sql = {
    ...sql,
    values: (...given) => {
      asked.push(given);
      return sql.values(...given);
    },
  };
  await newestSessions(watched, { keys: ["p0"], filter: everyone }, 5, undefined);
  await sessionStates(watched, { keys: ["p0"], filter: everyone }, 5);
  expect(asked).toHaveLength(2);
  for (const [text, args] of asked) {
    const plan = await sql.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, args);
    // Only the few rows that the inner statement has found by their time are sorted as a whole.
    const search = plan.findIndex(({ detail }) => detail.includes("sessions_project"));
    expect(plan[search + 1]?.detail).toBe("USE TEMP B-TREE FOR RIGHT PART OF ORDER BY");
  }
});
