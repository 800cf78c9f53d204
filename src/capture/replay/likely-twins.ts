import { groupBy } from "../../group-by.ts";
import { parseJson } from "../../json/parse-json.ts";
import type { Sql } from "../../store/sql.ts";
import { isFileChange } from "../observations/calls/tool-kind.ts";
import { largestTimeGapMs } from "../observations/event-identity.ts";
import type { PreparedEvent } from "../observations/prepare-event.ts";

/*
 * Cursor's hooks and its database may name the same call by other ids and tools, and tell its output in other words.
 * What it did, and to which files, is the same.
 */

interface Done {
  readonly hookType: string;
  readonly type: string;
  readonly title: string;
  readonly files: readonly string[];
}

const exitAtEnd = / \(exit -?\d{1,10}\)$/;
const ofCalls: ReadonlySet<string> = new Set(["post_tool_use", "post_tool_failure"]);

/** What a call did; undefined if neither a command nor files tell it. */
function doneBy({ hookType, type, title, files }: Done): string | undefined {
  if (!ofCalls.has(hookType)) return undefined;
  if (type === "command_run") return JSON.stringify([type, title.replace(exitAtEnd, "")]);
  if (files.length === 0) return undefined;
  return JSON.stringify([isFileChange({ type }) ? "change" : type, ...files.toSorted()]);
}

/** For each event that did the same as one of these observations, at nearly the same time, that observation. */
export async function likelyTwins(
  sql: Sql,
  events: readonly PreparedEvent[],
  observations: readonly string[],
): Promise<ReadonlyMap<PreparedEvent, string>> {
  const rows = await sql.values(
    `SELECT id, timestamp, hook_type, type, title, files FROM observations
     WHERE id IN (SELECT value FROM json_each(?)) ORDER BY timestamp, seq`,
    [JSON.stringify(observations)],
  );
  const told = rows.map(([id, timestamp, hookType, type, title, files]) => ({
    id: String(id),
    timestamp: Number(timestamp),
    done: doneBy({
      ...{ hookType: String(hookType), type: String(type), title: String(title) },
      files: parseJson(String(files)) as string[],
    }),
  }));
  const free = groupBy(told, ({ done }) => done);
  const twins = new Map<PreparedEvent, string>();
  for (const one of events) {
    const { event, compressed } = one;
    const done = doneBy({ ...compressed, hookType: event.hookType });
    const alike = done === undefined ? [] : (free.get(done) ?? []);
    const at = alike.findIndex(({ timestamp }) => Math.abs(timestamp - event.timestamp) <= largestTimeGapMs);
    const [twin] = at < 0 ? [] : alike.splice(at, 1);
    if (twin !== undefined) twins.set(one, twin.id);
  }
  return twins;
}
