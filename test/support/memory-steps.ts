import { observe } from "../../src/capture/observations/operations.ts";
import { getMemory, remember } from "../../src/knowledge/memories/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import type { TestHttp } from "./http.ts";

/** Steps of memory tests: storing, reading and searching over HTTP. */
export function memorySteps(http: TestHttp) {
  async function remembered(content: string) {
    return (await http.ok(remember, { content })).memoryId;
  }

  async function memory(id: string) {
    return (await http.ok(getMemory, { id })).memory;
  }

  async function found(query: string) {
    return (await http.ok(smartSearch, { query })).results.map(({ obsId }) => obsId);
  }

  async function observed(sessionId: string, ...texts: string[]) {
    const ids: string[] = [];
    for (const prompt of texts) {
      const event = {
        sessionId,
        project: "shop",
        cwd: "/w/shop",
        hookType: "prompt_submit",
        timestamp: "2026-03-01",
      };
      ids.push((await http.ok(observe, { ...event, data: { prompt } })).observationId);
    }
    return ids;
  }

  return { found, memory, observed, remembered };
}
