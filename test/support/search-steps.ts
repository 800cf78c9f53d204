import { observe } from "../../src/capture/observations/operations.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import type { TestHttp } from "./http.ts";

const event = { sessionId: "s1", project: "shop", cwd: "/w/shop", hookType: "prompt_submit" };

/** Steps of search tests: storing and searching over the HTTP face that is open at the time. */
export function searchSteps(http: () => TestHttp) {
  async function observed(prompt: string, given: Readonly<Record<string, unknown>> = {}) {
    const body = { ...event, timestamp: "2026-03-01T11:00:00Z", data: { prompt }, ...given };
    const reply = await http().reply(observe, body);
    return String(reply.body.observationId);
  }

  async function remembered(content: string, given: Readonly<Record<string, unknown>> = {}) {
    return String((await http().reply(remember, { content, ...given })).body.memoryId);
  }

  async function smart(query: string, given: Readonly<Record<string, unknown>> = {}) {
    const { results } = await http().ok(smartSearch, { query, ...given });
    return results;
  }

  async function found(query: string, given: Readonly<Record<string, unknown>> = {}) {
    return (await smart(query, given)).map(({ obsId }) => obsId);
  }

  return { found, observed, remembered, smart };
}
