/** The rest of the sample project as it is before the first session, by path. */
export const serviceFiles: Readonly<Record<string, string>> = {
  "package.json": `{
  "name": "parcel-tracker",
  "version": "1.8.0",
  "private": true,
  "type": "module",
  "scripts": {
    "build": "tsc -p .",
    "lint": "eslint .",
    "test": "vitest run",
    "migrate": "tsx scripts/migrate.ts"
  },
  "dependencies": {
    "fastify": "^5.6.1",
    "pg": "^8.16.3",
    "pino": "^9.9.0",
    "zod": "^3.25.76"
  },
  "devDependencies": {
    "eslint": "^9.35.0",
    "tsx": "^4.20.5",
    "typescript": "^5.9.2",
    "typescript-eslint": "^8.43.0",
    "vitest": "^3.2.4"
  }
}
`,
  "migrations/003_carrier_events.sql": `CREATE TABLE carrier_events (
  shipment_id bigint NOT NULL REFERENCES shipments (id),
  status      text NOT NULL,
  occurred_at timestamptz NOT NULL
);
`,
  "migrations/004_webhook_deliveries.sql": `CREATE TABLE webhook_deliveries (
  id           bigserial PRIMARY KEY,
  shipment_id  bigint NOT NULL REFERENCES shipments (id),
  status       text NOT NULL,
  delivered_at timestamptz NOT NULL DEFAULT now()
);
`,
  "scripts/migrate.ts": `import { readdir, readFile } from "node:fs/promises";
import pg from "pg";

const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
await client.query("CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY)");
const { rows } = await client.query<{ name: string }>("SELECT name FROM migrations");
const applied = new Set(rows.map((row) => row.name));

for (const name of (await readdir("migrations")).sort()) {
  if (applied.has(name)) continue;
  const sql = await readFile("migrations/" + name, "utf8");
  await client.query("BEGIN");
  await client.query(sql);
  await client.query("INSERT INTO migrations (name) VALUES ($1)", [name]);
  await client.query("COMMIT");
  console.log("applied " + name);
}
await client.end();
`,
  "src/webhooks/deliver.ts": `import type { Pool } from "pg";
import { logger } from "../logger.ts";

interface Delivery {
  shipment_id: string;
  status: string;
  webhook_url: string;
}

/** Tells the customer about a shipment's new status and records that it was told. */
export async function deliverWebhook(pool: Pool, payload: Record<string, string>): Promise<void> {
  const { rows } = await pool.query<Delivery>(
    "SELECT id AS shipment_id, status, webhook_url FROM shipments WHERE parcel = $1 AND webhook_url IS NOT NULL",
    [payload.parcel],
  );
  for (const delivery of rows) {
    await fetch(delivery.webhook_url, { method: "POST", body: JSON.stringify(delivery) });
    await pool.query("INSERT INTO webhook_deliveries (shipment_id, status) VALUES ($1, $2)", [
      delivery.shipment_id,
      delivery.status,
    ]);
    logger.info({ parcel: payload.parcel, status: delivery.status }, "webhook delivered");
  }
}
`,
  "src/carriers/client.ts": `import { setTimeout as sleep } from "node:timers/promises";
import { logger } from "../logger.ts";

export interface Carrier {
  name: "nordpost" | "swiftline";
  baseUrl: string;
  apiKey: string;
}

/** The carrier's answer about one parcel; waits while the carrier limits our rate. */
export async function fetchTracking(carrier: Carrier, parcel: string): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(carrier.baseUrl + "/v2/track/" + parcel, {
      headers: { authorization: "Bearer " + carrier.apiKey },
    });
    if (response.status !== 429) return response.json();
    const retryInMs = Number(response.headers.get("retry-after")) * 1_000;
    logger.warn({ carrier: carrier.name, parcel, attempt, retryInMs }, "carrier rate limit, waiting");
    await sleep(retryInMs);
  }
}
`,
  "src/carriers/poll.ts": `import type { Pool } from "pg";
import { carrierOf } from "../config.ts";
import { enqueue } from "../queue/jobs.ts";
import { fetchTracking } from "./client.ts";
import { statusFrom } from "./status.ts";

export async function pollCarrier(pool: Pool, payload: Record<string, string>): Promise<void> {
  const parcel = payload.parcel ?? "";
  const carrier = carrierOf(payload.carrier);
  const status = statusFrom(await fetchTracking(carrier, parcel));
  const { rowCount } = await pool.query(
    "UPDATE shipments SET status = $2 WHERE parcel = $1 AND status <> $2",
    [parcel, status],
  );
  if (rowCount === 1) await enqueue(pool, "deliver_webhook", { parcel });
}
`,
  "src/schemas.ts": `import * as z from "zod";

export const NewShipment = z.object({
  parcel: z.string().min(6),
  carrier: z.enum(["nordpost", "swiftline"]),
  labels: z.record(z.string()).default({}),
});

export type NewShipment = z.infer<typeof NewShipment>;
`,
  "src/errors.ts": `import { ZodError } from "zod";

/** Status and body of the answer to a request that failed. */
export function toHttpError(error: unknown): { status: number; body: unknown } {
  if (error instanceof ZodError) {
    return {
      status: 400,
      body: {
        error: "invalid request",
        issues: error.errors.map((issue) => ({ path: issue.path.join("."), message: issue.message })),
      },
    };
  }
  return { status: 500, body: { error: "internal error" } };
}
`,
  "src/routes/shipments.test.ts": `import { describe, expect, test } from "vitest";
import { buildServer } from "../server.ts";
import { testPool } from "../../test/database.ts";

const server = buildServer(testPool());

describe("POST /shipments", () => {
  test("answers 201 with the new shipment", async () => {
    const answer = await server.inject({
      method: "POST",
      url: "/shipments",
      payload: { parcel: "SL204418", carrier: "swiftline" },
    });
    expect(answer.statusCode).toBe(201);
  });

  test("says which field is missing", async () => {
    const answer = await server.inject({ method: "POST", url: "/shipments", payload: { carrier: "nordpost" } });
    expect(answer.json().issues).toEqual([{ path: "parcel", message: "Required" }]);
  });
});
`,
};
