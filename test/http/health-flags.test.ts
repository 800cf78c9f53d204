import { afterEach, describe, expect, test, vi } from "vitest";
import { addToSketch } from "../../src/coordination/sketches/operations.ts";
import { flags, health, livez } from "../../src/governance/health/operations.ts";
import { savePayloadIn } from "../../src/jobs/jobs.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { buildContext } from "../../src/recall/context/operations.ts";
import { teamFeed } from "../../src/sharing/team/operations.ts";
import { version } from "../../src/version.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";

let http: TestHttp;
afterEach(() => http.close());

describe("livez", () => {
  test("reports only that the service is alive, its configured name and its viewer port", async () => {
    http = await openTestHttp({ env: { MEMSVC_SERVICE_NAME: "shop-memory" } });
    const reply = await http.reply(livez, {});
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      status: "ok",
      service: "shop-memory",
      viewerPort: null,
      viewerSkipped: true,
    });
  });
});

describe("health", () => {
  test("answers where the system does not report memory use, as in a sandbox without /proc", async () => {
    http = await openTestHttp();
    const asked = vi.spyOn(process, "memoryUsage").mockImplementation(() => {
      throw new Error("ENOENT: no such file or directory, uv_resident_set_memory");
    });
    const reply = await http.reply(health, {});
    asked.mockRestore();
    expect(reply.status).toBe(200);
    const { memory } = health.output.parse(reply.body).health;
    const { heapUsed, heapTotal, rss } = process.memoryUsage();
    expect(memory.heapUsed / heapUsed).toBeCloseTo(1, 0);
    expect(memory.heapTotal / heapTotal).toBeCloseTo(1, 0);
    expect(memory.rss).toBeGreaterThan(rss / 2);
  });

  test("has every part of the contract, but no success field", async () => {
    http = await openTestHttp();
    const reply = await http.reply(health, {});
    expect(Object.keys(reply.body).sort()).toEqual(
      [
        "circuitBreaker",
        "functionMetrics",
        "health",
        "llm",
        "runningJobs",
        "service",
        "status",
        "version",
        "viewerPort",
        "viewerSkipped",
      ].sort(),
    );
    const { health: snapshot, ...rest } = health.output.parse(reply.body);
    expect(rest).toMatchObject({
      service: "memsvc",
      version,
      circuitBreaker: { state: "closed", failures: 0, lastFailureAt: null, openedAt: null },
    });
    expect(snapshot).toMatchObject({
      connectionState: "connected",
      kvConnectivity: { status: "ok" },
      sampledAt: "2026-03-01T12:00:00.000Z",
      jobs: { queued: 0, running: 0, failed: 0 },
      status: rest.status,
    });
    expect(snapshot.database.sizeBytes).toBeGreaterThan(0);
    expect(snapshot.memory.rss).toBeGreaterThan(0);
  });

  test("tells how long the service has been up when it is asked, not when it was sampled", async () => {
    http = await openTestHttp();
    const uptime = vi.spyOn(process, "uptime").mockReturnValue(0.1);
    const told = async () => health.output.parse((await http.reply(health, {})).body).health;
    const first = await told();
    uptime.mockReturnValue(28.7);
    expect(await told()).toEqual({ ...first, uptimeSeconds: 29 });
    uptime.mockRestore();
  });

  test("is a 503 with the same body only when it is critical", async () => {
    http = await openTestHttp();
    const { output, http: binding } = health;
    const { body } = await http.reply(health, {});
    for (const [status, code] of [
      ["healthy", 200],
      ["degraded", 200],
      ["critical", 503],
    ] as const) {
      const isOther = binding?.otherwise?.when(output.parse({ ...body, status }));
      expect(isOther === true ? binding?.otherwise?.status : binding?.success).toBe(code);
    }
  });

  test("warns of a processor that is busy in two samples running, and is critical after four", async () => {
    http = await openTestHttp();
    const busy = vi.spyOn(process, "cpuUsage").mockReturnValue({ user: 1e15, system: 0 });
    const alerts: unknown[] = [];
    for (let samples = 1; samples <= 4; samples += 1) {
      const { status, alerts: all } = await http.core.health.sample();
      const ofProcessor = all.filter((alert) => alert.startsWith("cpu_")).map((alert) => alert.split("_")[1]);
      alerts.push([...ofProcessor, ...(status === "critical" ? [status] : [])]);
    }
    busy.mockRestore();
    expect(alerts).toEqual([[], ["warn"], ["warn"], ["critical", "critical"]]);
  });

  test("counts calls per function, and a client's mistake as a success", async () => {
    http = await openTestHttp();
    await http.ok(remember, { content: "x" });
    await http.reply(remember, {});
    await http.reply(livez, {});
    const { functionMetrics } = health.output.parse((await http.reply(health, {})).body);
    expect(functionMetrics.find(({ functionId }) => functionId === "memory.remember")).toMatchObject({
      totalCalls: 2,
      successCount: 2,
      failureCount: 0,
    });
    expect(functionMetrics.find(({ functionId }) => functionId === "route:GET /livez")?.totalCalls).toBe(1);
  });

  test("does not count a disabled feature as a failure", async () => {
    http = await openTestHttp();
    expect((await http.reply(teamFeed, {})).status).toBe(503);
    const { functionMetrics } = await http.ok(health, {});
    expect(functionMetrics).toMatchObject([{ totalCalls: 1, successCount: 1, failureCount: 0 }]);
  });

  test("counts calls by function name, not by route", async () => {
    http = await openTestHttp();
    await http.ok(buildContext, { sessionId: "s1", project: "shop" });
    await http.reply(addToSketch, { sketchId: "skt_none", title: "tidy" });
    const { functionMetrics } = health.output.parse((await http.reply(health, {})).body);
    expect(functionMetrics.map(({ functionId }) => functionId)).toEqual(["context.build", "action.create"]);
  });

  test("is critical when the database cannot be written, while livez still answers", async () => {
    http = await openTestHttp();
    await http.writeSql("DROP TABLE jobs");
    const reply = await http.reply(health, {});
    expect(reply.status).toBe(503);
    expect(reply.body).toMatchObject({
      status: "critical",
      health: {
        connectionState: "disconnected",
        kvConnectivity: { status: "error" },
        alerts: expect.arrayContaining(["database_probe_failed"]),
      },
    });
    expect(reply.text).not.toMatch(/DELETE|no such table/u);
    expect((await http.reply(livez, {})).status).toBe(200);
  });
});

describe("flags", () => {
  test("are four main switches and five features, all off by default", async () => {
    http = await openTestHttp();
    const reply = await http.reply(flags, {});
    expect(reply.body).not.toHaveProperty("success");
    const answer = flags.output.parse(reply.body);
    expect(answer).toMatchObject({ version, provider: "noop", embeddingProvider: "none" });
    expect(answer.flags.map(({ key, needsLlm }) => [key, needsLlm])).toEqual([
      ["GRAPH_EXTRACTION_ENABLED", true],
      ["CONSOLIDATION_ENABLED", true],
      ["MEMSVC_AUTO_COMPRESS", true],
      ["MEMSVC_INJECT_CONTEXT", false],
    ]);
    expect(answer.features.map(({ key }) => key)).toEqual([
      "MEMSVC_SLOTS",
      "MEMSVC_REFLECT",
      "MEMSVC_IMAGE_EMBEDDINGS",
      "MEMSVC_TEAM_ID",
      "MEMSVC_BRIDGE_ENABLED",
    ]);
    for (const flag of [...answer.flags, ...answer.features]) {
      expect(flag).toMatchObject({ enabled: false, default: false, effective: false });
      expect(flag.enableHow).not.toBe("");
    }
  });

  test("that need a model are not effective without a provider", async () => {
    http = await openTestHttp({ env: { CONSOLIDATION_ENABLED: "true", MEMSVC_INJECT_CONTEXT: "true" } });
    const answer = flags.output.parse((await http.reply(flags, {})).body);
    const state = Object.fromEntries(
      answer.flags.map(({ key, enabled, effective }) => [key, [enabled, effective]]),
    );
    expect(state).toMatchObject({
      CONSOLIDATION_ENABLED: [true, false],
      MEMSVC_INJECT_CONTEXT: [true, true],
    });
  });

  test("never show an API key or the secret", async () => {
    const key = "sk-ant-0123456789abcdefghij";
    http = await openTestHttp({ env: { ANTHROPIC_API_KEY: key, MEMSVC_SECRET: "a-very-long-secret-value" } });
    const headers = { authorization: "Bearer a-very-long-secret-value" };
    for (const path of ["/config/flags", "/health"]) {
      const reply = await http.send(path, { headers });
      expect(reply.status).toBe(200);
      expect(reply.text).not.toContain(key);
      expect(reply.text).not.toContain("a-very-long-secret-value");
    }
  });
});

test("health shows a running job with the steps that are done", async () => {
  http = await openTestHttp();
  let finish: () => void = () => undefined;
  http.core.longRuns.register("test.steps", async (job) => {
    await http.core.ground.store.write((tx) =>
      savePayloadIn(tx, job, { done: { semantic: {}, reflect: {} } }),
    );
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
  });
  await http.core.longRuns.run({ kind: "test.steps", key: "a", payload: {} }, 200);
  const { runningJobs } = await http.ok(health, {});
  expect(runningJobs).toEqual([
    {
      id: expect.stringMatching(/^job_/u),
      kind: "test.steps",
      since: "2026-03-01T12:00:00.000Z",
      done: ["semantic", "reflect"],
    },
  ]);
  finish();
  await http.core.longRuns.settled();
  expect((await http.ok(health, {})).runningJobs).toEqual([]);
});
