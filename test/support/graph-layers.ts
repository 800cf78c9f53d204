import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { queryGraph } from "../../src/graph/operations.ts";
import type { Operation } from "../../src/operation/define.ts";
import { openTestHttp, type TestHttp } from "./http.ts";
import { type ModelServer, openModelServer } from "./model-server.ts";
import { happen } from "./workdays.ts";

export interface GraphPlace {
  readonly folder: string;
  readonly http: TestHttp;
  readonly model: ModelServer;
}

/** Opens a store with a language model for its graph, and a folder that graph files may be imported from. */
export async function openGraphPlace(): Promise<GraphPlace> {
  const folder = mkdtempSync(join(tmpdir(), "memsvc-graph-"));
  const model = await openModelServer();
  const http = await openTestHttp({
    env: {
      GRAPH_EXTRACTION_ENABLED: "true",
      MEMSVC_ALLOWED_ROOTS: folder,
      MEMSVC_GRAPH_BATCH_SIZE: "2",
      ...model.env("openai", "test-key"),
    },
  });
  return { folder, http, model };
}

export async function closeGraphPlace({ folder, http, model }: GraphPlace): Promise<void> {
  await http.close();
  await model.close();
  rmSync(folder, { recursive: true });
}

export const entity = (name: string, more: Readonly<Record<string, unknown>> = {}) => ({
  type: "library",
  name,
  properties: {},
  aliases: [],
  ...more,
});

export const relation = (source: string, target: string, more: Readonly<Record<string, unknown>> = {}) => ({
  type: "depends_on",
  source,
  target,
  weight: 0.9,
  context: "said so",
  ...more,
});

export const found = (entities: unknown[], relations: unknown[] = []) =>
  ({ kind: "json", value: { entities, relations } }) as const;

/** Steps of graph tests, carried out over the HTTP face that is open at the time. */
export function graphSteps(http: () => TestHttp) {
  const prompt = (text: string, sessionId = "s1", agentId?: string) =>
    happen(http(), sessionId, "prompt_submit", { prompt: text }, { cwd: "/w/shop", agentId });

  async function modelNodes() {
    const { nodes } = await http().ok(queryGraph, { limit: 5_000 });
    return nodes.filter(({ origin }) => origin === "llm");
  }

  async function audits(operation: string) {
    return (await http().ok(listAudit, { operation })).entries;
  }

  /** The answer of a long operation, which must come before it is queued. */
  async function inTime(operation: Operation, input: Readonly<Record<string, unknown>>) {
    const reply = await http().reply(operation, input);
    expect(reply.status, reply.text).toBe(200);
    return reply.body;
  }

  return { audits, inTime, modelNodes, prompt };
}
