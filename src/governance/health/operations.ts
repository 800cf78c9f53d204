import * as z from "zod";
import { FeatureFlag } from "../../config/feature-flag.ts";
import { featureFlags } from "../../config/feature-flag-table.ts";
import type { Core } from "../../core.ts";
import { runningJobs } from "../../jobs/running.ts";
import { nothingUsed, usageToday } from "../../llm/usage.ts";
import { defineOperation } from "../../operation/define.ts";
import { TimeText, timeText } from "../../operation/fields.ts";
import { version } from "../../version.ts";
import { HealthSnapshot, HealthStatus, LlmReport } from "./snapshot.ts";

const viewerFields = {
  viewerPort: z.number().int().nullable().describe("port of the viewer, null when it is off"),
  viewerSkipped: z.boolean().describe("true when the viewer's port is off or none was free"),
};

function viewerState({ viewerPort }: Core) {
  return { viewerPort, viewerSkipped: viewerPort === null };
}

export const livez = defineOperation({
  id: "health.livez",
  summary: "Report that the service is alive",
  http: { method: "GET", path: "/livez", success: 200, open: true },
  input: z.object({}),
  output: z.object({
    status: z.literal("ok").describe("ok"),
    service: z.string().describe("name of the service"),
    ...viewerFields,
  }),
  errors: [],
  bare: { field: "viewerPort" },
  run: async (core) => ({
    status: "ok" as const,
    service: core.ground.settings.serviceName,
    ...viewerState(core),
  }),
});

export const health = defineOperation({
  id: "health.show",
  summary: "Show the health of the service",
  http: {
    method: "GET",
    path: "/health",
    success: 200,
    otherwise: { status: 503, when: ({ status }) => status === "critical" },
  },
  cli: { command: "health", examples: ["memsvc health", "memsvc health --json"] },
  input: z.object({}),
  output: z.object({
    status: HealthStatus.describe("healthy, degraded, or critical"),
    service: z.string().describe("name of the service"),
    version: z.string().describe("version of the program"),
    health: HealthSnapshot.describe("the newest sample"),
    functionMetrics: z
      .array(
        z.object({
          functionId: z.string().describe("function or route"),
          totalCalls: z.number().int().describe("since the start"),
          successCount: z.number().int().describe("calls that succeeded, or failed because of the client"),
          failureCount: z.number().int().describe("calls that failed"),
          avgLatencyMs: z.number().describe("mean time of a call"),
          avgQualityScore: z.number().optional().describe("of functions that score"),
        }),
      )
      .describe("calls since the start"),
    runningJobs: z
      .array(
        z.object({
          id: z.string().describe("the job"),
          kind: z.string().describe("what it does"),
          since: TimeText.describe("when it was asked for"),
          done: z.array(z.string()).describe("finished steps, for jobs that have steps"),
        }),
      )
      .describe("current background work, at most 20 jobs"),
    circuitBreaker: z
      .object({
        state: z.enum(["closed", "open", "half-open"]).describe("closed while calls are let through"),
        failures: z.number().int().describe("in a row"),
        lastFailureAt: TimeText.nullable().describe("null when there was none"),
        openedAt: TimeText.nullable().describe("null while it is closed"),
      })
      .describe("guard of the language model"),
    llm: LlmReport.describe("the language model and what it was asked today"),
    ...viewerFields,
  }),
  errors: [],
  bare: { field: "health" },
  run: async (core) => {
    const snapshot = await core.health.snapshot();
    const { llm, settings } = core.ground;
    const { state, failures, lastFailureAt, openedAt } = llm.state();
    const isConnected = snapshot.connectionState === "connected";
    const used = isConnected ? await usageToday(core.ground) : nothingUsed;
    const running = isConnected ? await runningJobs(core.ground) : [];
    return {
      status: snapshot.status,
      service: settings.serviceName,
      version,
      health: snapshot,
      functionMetrics: core.metrics.list(),
      runningJobs: running.map((job) => ({ ...job, since: timeText(job.since), done: [...job.done] })),
      circuitBreaker: {
        state,
        failures,
        lastFailureAt: timeText(lastFailureAt),
        openedAt: timeText(openedAt),
      },
      llm: {
        provider: llm.provider,
        model: llm.model ?? null,
        today: { ...used, budget: settings.llmDailyTokens === 0 ? null : settings.llmDailyTokens },
      },
      ...viewerState(core),
    };
  },
});

export const flags = defineOperation({
  id: "config.flags",
  summary: "Show which features are on, and how to turn on the others",
  http: { method: "GET", path: "/config/flags", success: 200 },
  cli: { command: "flags", examples: ["memsvc flags", "memsvc flags --json"] },
  input: z.object({}),
  output: z.object({
    version: z.string().describe("version of the program"),
    provider: z.string().describe("kind of language-model provider, noop when there is none"),
    embeddingProvider: z.enum(["embeddings", "none"]).describe("whether vectors can be made"),
    flags: z.array(FeatureFlag).describe("the four main switches"),
    features: z.array(FeatureFlag).describe("the other switches"),
  }),
  errors: [],
  bare: { field: "flags" },
  run: async (core) => {
    const has = core.capabilities();
    return {
      version,
      provider: core.ground.llm.provider,
      embeddingProvider: has.embeddings ? ("embeddings" as const) : ("none" as const),
      ...featureFlags(core.ground.settings, has),
    };
  },
});

export const healthOperations = [livez, health, flags];
