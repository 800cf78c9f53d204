import { recordSession, type SampleSession } from "./recording.ts";
import { vitestReport } from "./terminal-output.ts";
import type { Worktree } from "./worktree.ts";

const DEDUPE = `DELETE FROM webhook_deliveries b
  USING webhook_deliveries a
  WHERE a.idempotency_key = b.idempotency_key AND a.id < b.id;
`;

const DELIVER_TEST = `import { beforeEach, expect, test } from "vitest";
import { testPool } from "../../test/database.ts";
import { receiver } from "../../test/receiver.ts";
import { deliverWebhook } from "./deliver.ts";

const pool = testPool();

beforeEach(() => pool.query("TRUNCATE shipments CASCADE"));

test("a delivery that is run twice posts once", async () => {
  const hook = await receiver();
  await pool.query("INSERT INTO shipments (parcel, carrier, status, webhook_url) VALUES ($1, $2, $3, $4)", [
    "NP100200",
    "nordpost",
    "delivered",
    hook.url,
  ]);
  await deliverWebhook(pool, { parcel: "NP100200" });
  await deliverWebhook(pool, { parcel: "NP100200" });
  expect(hook.received).toHaveLength(1);
});
`;

/** Friday: the migration is taken up where the evening left it, finished and released. */
export function recordMigrationFinished(worktree: Worktree): SampleSession {
  const s = recordSession("9d3a6f17-e2c4-4b85-a0f1-6c8b7e52d941", "2026-11-06T08:03:27Z", worktree);
  s.start();
  s.prompt("picking up from last night: where were we with the idempotency migration?");
  s.bash(
    "git status --short",
    ` M scripts/migrate.ts
?? migrations/005_webhook_idempotency_column.sql
?? migrations/006_webhook_idempotency_index.sql`,
  );
  s.read("migrations/006_webhook_idempotency_index.sql");
  s.bash(
    `psql parcels -c "\\d webhook_deliveries" | tail -5`,
    `Indexes:
    "webhook_deliveries_pkey" PRIMARY KEY, btree (id)
    "webhook_deliveries_idempotency_key" UNIQUE, btree (idempotency_key) INVALID
Foreign-key constraints:
    "webhook_deliveries_shipment_id_fkey" FOREIGN KEY (shipment_id) REFERENCES shipments(id)`,
  );
  s.stop(
    "005 (the column) is applied, 006 (the index) stopped at duplicates. A failed CREATE INDEX CONCURRENTLY leaves its index behind as INVALID: it answers no query, yet every write still maintains it and the name is taken. It has to be dropped before the next try, and the duplicates have to go first.",
  );
  s.prompt("drop it, delete the duplicates and keep the oldest row. then rerun");
  s.bash(`psql parcels -c "DROP INDEX CONCURRENTLY webhook_deliveries_idempotency_key"`, "DROP INDEX");
  s.bash("mv migrations/006_webhook_idempotency_index.sql migrations/007_webhook_idempotency_index.sql", "");
  worktree.move(
    "migrations/006_webhook_idempotency_index.sql",
    "migrations/007_webhook_idempotency_index.sql",
  );
  s.write("migrations/006_webhook_dedupe.sql", DEDUPE);
  s.bash(
    "set -a; . ./.env.local; set +a; npm run migrate",
    `> tsx scripts/migrate.ts

applied 006_webhook_dedupe.sql
applied 007_webhook_idempotency_index.sql`,
    { tookSeconds: 5 },
  );
  s.read("src/webhooks/deliver.ts");
  s.edit(
    "src/webhooks/deliver.ts",
    `    await fetch(delivery.webhook_url, { method: "POST", body: JSON.stringify(delivery) });
    await pool.query("INSERT INTO webhook_deliveries (shipment_id, status) VALUES ($1, $2)", [
      delivery.shipment_id,
      delivery.status,
    ]);
`,
    `    // Claimed before the POST: a worker that dies in between loses one webhook instead of sending two.
    const { rowCount } = await pool.query(
      "INSERT INTO webhook_deliveries (shipment_id, status, idempotency_key) VALUES ($1, $2, $3) ON CONFLICT (idempotency_key) DO NOTHING",
      [delivery.shipment_id, delivery.status, delivery.shipment_id + ":" + delivery.status],
    );
    if (rowCount === 0) continue;
    await fetch(delivery.webhook_url, { method: "POST", body: JSON.stringify(delivery) });
`,
  );
  s.write("src/webhooks/deliver.test.ts", DELIVER_TEST);
  s.bash(
    "npm test",
    vitestReport([
      { path: "src/queue/jobs.test.ts", tests: 3, tookMs: 190 },
      { path: "src/routes/shipments.test.ts", tests: 2, tookMs: 94 },
      { path: "src/webhooks/deliver.test.ts", tests: 1, tookMs: 142 },
    ]),
    { tookSeconds: 4 },
  );
  s.commit(
    `feat(webhooks): deliver each status at most once

A unique idempotency key per shipment and status, claimed before the POST.
migrate.ts runs files that begin with "-- no-transaction" outside of one.`,
  );
  s.stop(
    "Finished: 005 adds the column, 006 deletes the duplicates, 007 builds the index without a lock. Note the trade: a webhook is now sent at most once.",
  );
  s.prompt(
    "the trade is fine, customers poll anyway. one more thing: in production run 005 and 006 at night, 007 any time",
  );
  s.stop(
    "Understood: 005 and 006 rewrite rows and go at night; 007 is CONCURRENTLY and can run at any time.",
  );
  s.end("prompt_input_exit");
  return s.session();
}
