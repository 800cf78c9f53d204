import { agentsOfSessions, tagsOfSessions } from "../../capture/sessions/agents-of-sessions.ts";
import type { Sql } from "../../store/sql.ts";
import { lowerCase } from "../../text/lower-case.ts";
import { asksOpenWork, namesOpenWork } from "./asked-open-work.ts";
import { type TimeMeant, timeMeant } from "./time-words.ts";

/* Whether a query asks what a named agent did in a time, or leaves to do: "what did codex do yesterday". */

export interface AskedAgent {
  /** Set if sessions are only known as the agent's by its id. */
  readonly agentId?: string;
  /** Set if sessions are tagged with the agent's name, whatever their agent's id. */
  readonly sessionTag?: string;
  /** The query without the agent. */
  readonly query: string;
}

/** Longer queries say more. */
const longestAsked = 100;

/**
 * The agent whose work is asked for; undefined if none is named, or if the query says more: in "how do we parse the
 * hooks of codex" the name is a word like others. `time`: the time that the query names.
 */
export async function askedAgent(
  sql: Sql,
  query: string,
  time: TimeMeant | undefined,
  now: number,
): Promise<AskedAgent | undefined> {
  if (query.length > longestAsked) return undefined;
  if (time === undefined ? !namesOpenWork(query) : time.isAll) return undefined;
  const tags = await tagsOfSessions(sql);
  const names = new Set([...tags, ...(await agentsOfSessions(sql))]);
  // The longest first: `codex` is a part of `codex-cloud`.
  for (const name of [...names].toSorted((a, b) => b.length - a.length)) {
    const rest = withoutAgent(query, name);
    if (rest === undefined) continue;
    const meant = timeMeant(rest, now);
    const asksWork = meant === undefined ? asksOpenWork(rest) : meant.isAll || meant.asks !== undefined;
    if (asksWork) return { ...(tags.includes(name) ? { sessionTag: name } : { agentId: name }), query: rest };
  }
  return undefined;
}

/** `claude-code` is also called `Claude Code`, and its work `Claude Code's`. */
function withoutAgent(query: string, agent: string): string | undefined {
  const words = agent
    .split(/[\s_-]+/u)
    .filter((word) => word !== "")
    .map((word) => lowerCase(word).replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`));
  if (words.length === 0) return undefined;
  const named = new RegExp(
    String.raw`(?<![\p{L}\p{N}_./-])${words.join(String.raw`[\s_-]?`)}(?:['’]s)?(?![\p{L}\p{N}_/-]|\.[\p{L}\p{N}])`,
    "iu",
  );
  const rest = query.replace(named, " ");
  return rest === query ? undefined : rest;
}
