import type { ReadResourceResult } from "@modelcontextprotocol/sdk/types.js";
import { listSessions } from "../capture/sessions/operations.ts";
import type { Core } from "../core.ts";
import { health } from "../governance/health/operations.ts";
import { graphStats } from "../graph/operations.ts";
import { listMemories } from "../knowledge/memories/operations.ts";
import { getProfile } from "../knowledge/profiles/operations.ts";
import { summaryRecord } from "../knowledge/summaries/record.ts";
import type { Caller } from "../operation/define.ts";
import { MemsvcError } from "../operation/errors.ts";
import { scopeOfCaller } from "../operation/for-agent.ts";
import { teamFeed } from "../sharing/team/operations.ts";
import { percentDecoded } from "../text/percent-decoded.ts";
import { listResources, type ResourceUri } from "./resource-list.ts";

const newestSummaries = 5;
const latestMemories = 10;

/** Reads a resource; `name` is the value given for the braces in its URI. */
type Reading = (core: Core, caller: Caller, name: string) => Promise<unknown>;

const readings: Readonly<Record<ResourceUri, Reading>> = {
  "memsvc://status": async (core, caller) => {
    const sessions = await core.call(listSessions, { limit: 1 }, caller);
    const memories = await core.call(listMemories, { limit: 1, latest: true }, caller);
    const { status } = await core.call(health, {}, caller);
    return { sessionCount: sessions.total, memoryCount: memories.total, healthStatus: status };
  },
  "memsvc://project/{name}/profile": async (core, caller, project) =>
    (await core.call(getProfile, { project }, caller)).profile,
  "memsvc://project/{name}/recent": async (core, caller, project) => {
    const { sql } = core.ground.store.read;
    const filter = await core.agents.reader(sql, scopeOfCaller(caller));
    const folder = await core.projects.folderMeant(sql, project, caller.cwd);
    const keys = await core.projects.readKeys(sql, folder ?? project);
    return (await core.summaries.newest({ keys, filter }, newestSummaries)).map(summaryRecord);
  },
  "memsvc://memories/latest": async (core, caller) => {
    const answer = await core.call(listMemories, { limit: latestMemories, latest: true }, caller);
    const memories = "memories" in answer ? answer.memories : [];
    return memories.map(({ id, title, presentTitle = title, type, strength }) => {
      return { id, title: presentTitle, type, strength };
    });
  },
  "memsvc://graph/stats": (core, caller) => core.call(graphStats, {}, caller),
  "memsvc://team/{id}/profile": async (core, caller, teamId) => {
    if (core.ground.settings.teamId !== teamId)
      throw new MemsvcError("not_found", `the team of this service is not ${teamId}`, {
        hint: "MEMSVC_TEAM_ID names it",
      });
    const { total } = await core.call(teamFeed, { limit: 1 }, caller);
    return { teamId, sharedItems: total };
  },
};

/** Reads a resource by its URI. Errors: invalid_input for a URI that is none of ours, not_found. */
export async function readResource(core: Core, uri: string, caller: Caller): Promise<ReadResourceResult> {
  const asked = addressIn(uri);
  for (const { uri: pattern, mimeType } of listResources()) {
    const name = nameIn(uri, asked, addressIn(pattern));
    if (name === undefined) continue;
    const content = await readings[pattern as ResourceUri](core, { ...caller, face: "mcp" }, name);
    return { contents: [{ uri, mimeType: mimeType ?? "", text: JSON.stringify(content) }] };
  }
  throw new MemsvcError("not_found", `there is no resource ${uri}`, {
    hint: "see the list of resources",
  });
}

/** Clients of agentmemory use the second scheme. */
const scheme = /^(?:memsvc|agentmemory):\/\/(.+)$/u;

function addressIn(uri: string): string {
  const address = scheme.exec(uri)?.[1];
  if (address === undefined) throw notAnAddress(uri);
  return address;
}

/**
 * The decoded value for the braces of the pattern; "" for a pattern without braces; undefined if the address does not
 * match. A value may contain slashes: models write the path of a project without encoding it.
 */
function nameIn(uri: string, asked: string, pattern: string): string | undefined {
  const [before = "", braces, after = ""] = pattern.split(/(\{\w+\})/u);
  if (braces === undefined) return asked === pattern ? "" : undefined;
  const fits = asked.startsWith(before) && asked.endsWith(after);
  if (!fits || asked.length < before.length + after.length) return undefined;
  const given = asked.slice(before.length, asked.length - after.length);
  // The template was used unchanged. (A real name with braces has them percent-encoded.)
  if (given === braces) throw notAnAddress(uri, `put what is meant in place of ${given}`);
  const name = percentDecoded(given);
  if (name === undefined || name.trim() === "")
    throw notAnAddress(uri, `${braces} is a percent-encoded name`);
  return name;
}

function notAnAddress(uri: string, hint = "addresses look like memsvc://memories/latest"): MemsvcError {
  return new MemsvcError("invalid_input", `${uri} is not the address of a resource`, {
    hint,
    issues: [{ path: "uri", message: `is not the address of a resource; ${hint}` }],
  });
}
