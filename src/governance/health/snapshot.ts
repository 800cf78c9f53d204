import * as z from "zod";
import { TimeText } from "../../operation/fields.ts";

export const HealthStatus = z.enum(["healthy", "degraded", "critical"]);
export type HealthStatus = z.infer<typeof HealthStatus>;

/** The state of a background worker, reported by its owner. */
const WorkerState = z.object({
  id: z.string().describe("which worker"),
  name: z.string().describe("what it does"),
  status: z.enum(["idle", "busy", "stopped"]).describe("what it is doing now"),
});
export type WorkerState = z.infer<typeof WorkerState>;

export const HealthSnapshot = z
  .object({
    status: HealthStatus.describe("overall state"),
    sampledAt: TimeText.describe("when it was taken"),
    uptimeSeconds: z.number().describe("since the process started"),
    connectionState: z.enum(["connected", "disconnected"]).describe("whether the database answers"),
    workers: z.array(WorkerState).describe("background workers"),
    memory: z
      .object({
        heapUsed: z.number().describe("bytes"),
        heapTotal: z.number().describe("bytes"),
        rss: z.number().describe("bytes"),
        external: z.number().describe("bytes"),
      })
      .describe("memory of the process"),
    cpu: z
      .object({
        userMicros: z.number().describe("since the last sample"),
        systemMicros: z.number().describe("since the last sample"),
        percent: z.number().describe("of one core"),
      })
      .describe("processor time"),
    eventLoopLagMs: z.number().describe("how late the event loop was"),
    kvConnectivity: z
      .object({
        status: z.enum(["ok", "error"]).describe("whether a probe could be written"),
        latencyMs: z.number().describe("how long it took"),
        error: z.string().optional().describe("why it failed"),
      })
      .describe("write probe of the database"),
    database: z
      .object({
        sizeBytes: z.number().describe("database file, on a server its pages"),
        walBytes: z.number().describe("write-ahead log; 0 on a server, which does not show its own"),
        freeDiskBytes: z.number().describe("free on its disk"),
        schemaVersion: z.number().int().describe("applied migrations"),
      })
      .describe("the store"),
    jobs: z
      .object({
        queued: z.number().int().describe("waiting"),
        running: z.number().int().describe("being done"),
        failed: z.number().int().describe("given up"),
        oldestQueuedAt: TimeText.optional().describe("age of the oldest that waits"),
      })
      .describe("the job queue"),
    index: z
      .object({
        documents: z.number().int().describe("searchable records"),
        vectors: z.number().int().describe("embedded records"),
        pendingEmbeddings: z.number().int().describe("records that wait for their vector"),
        model: z.string().describe("embedding model, or none"),
        dimensions: z.number().int().describe("of its vectors"),
      })
      .describe("the search index"),
    alerts: z.array(z.string()).describe("measures above their thresholds"),
    notes: z.array(z.string()).describe("for information"),
  })
  .meta({ id: "HealthSnapshot" });
export type HealthSnapshot = z.infer<typeof HealthSnapshot>;

export const LlmReport = z.object({
  provider: z.string().describe("kind of provider, noop when there is none"),
  model: z.string().nullable().describe("name of the model, null when there is none"),
  today: z
    .object({
      calls: z.number().int().describe("calls, those that failed included"),
      tokens: z.number().int().describe("tokens sent and received"),
      budget: z.number().int().nullable().describe("tokens that may be used in a day, null when unlimited"),
      byPurpose: z
        .record(
          z.string(),
          z.object({
            calls: z.number().int().describe("calls"),
            failures: z.number().int().describe("calls without a usable answer"),
            tokens: z.number().int().describe("tokens sent and received"),
          }),
        )
        .describe("the same by what was asked for"),
    })
    .describe("since midnight, UTC, by all processes of the store"),
});
