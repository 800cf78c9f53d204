import type { ProjectView } from "../../capture/sessions/view.ts";
import { isAbsolute } from "../../paths/path-text.ts";
import { firstRow, type Sql, type SqlValue } from "../../store/sql.ts";
import { compareTexts } from "../../text/compare-texts.ts";
import { hourMs } from "../../time/durations.ts";
import type { ProjectProfile } from "./record.ts";

const freshForMs = hourMs;

interface CachedProfile {
  readonly profile: ProjectProfile;
  readonly computedAt: number;
}

/** The kept profile of a view, unless it is not of the last hour or the project has got other keys since. */
export async function cachedProfile(
  sql: Sql,
  view: ProjectView,
  now: number,
): Promise<CachedProfile | undefined> {
  const row = await firstRow<{ profile: string; computedAt: number }>(
    sql,
    `SELECT profile, computed_at AS computedAt FROM profiles
     WHERE project_key = ? AND agent_id = ? AND include_orphans = ? AND read_keys = ?
       AND computed_at > ? AND computed_at <= ?`,
    [...placeOf(view), now - freshForMs, now],
  );
  // Written by cacheProfile() below.
  return row === undefined
    ? undefined
    : { profile: JSON.parse(row.profile) as ProjectProfile, computedAt: row.computedAt };
}

export async function cacheProfile(
  sql: Sql,
  view: ProjectView,
  profile: ProjectProfile,
  now: number,
): Promise<void> {
  await sql.run(
    `INSERT INTO profiles (project_key, agent_id, include_orphans, read_keys, computed_at, profile)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (project_key, agent_id, include_orphans) DO UPDATE
     SET read_keys = excluded.read_keys, computed_at = excluded.computed_at, profile = excluded.profile`,
    [...placeOf(view), now, JSON.stringify(profile)],
  );
}

/**
 * Drops every kept profile that was made from rows of the project key: when a session of it ends or goes on to another,
 * or when rows of it came or were deleted.
 */
export async function invalidateProfiles(sql: Sql, projectKey: string): Promise<void> {
  await sql.run(
    "DELETE FROM profiles WHERE EXISTS (SELECT 1 FROM json_each(profiles.read_keys) AS covered WHERE covered.value = ?)",
    [projectKey],
  );
}

/**
 * Keys of a project begin with what it was asked for by, but are the same project in any order. Names come before paths,
 * so that one that several folders share has a row beside theirs.
 */
export function canonicalKeys(keys: readonly string[]): string[] {
  return [...keys].sort((a, b) => Number(isAbsolute(a)) - Number(isAbsolute(b)) || compareTexts(a, b));
}

/** The key of a view's row, and the keys of the project that it was made for. */
function placeOf({ keys, filter }: ProjectView): SqlValue[] {
  const readKeys = canonicalKeys(keys);
  const reader = filter.kind === "everyone" ? ["", 0] : [filter.agentId, filter.includeOrphans ? 1 : 0];
  return [readKeys[0] ?? "", ...reader, JSON.stringify(readKeys)];
}
