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

/**
 * The cached profile of a view; undefined if it is older than an hour or the keys of the project have
 * changed.
 */
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
 * Drops every cached profile that includes rows of the project key: when one of its sessions ends or moves to
 * another project, or when its rows arrive or are deleted.
 */
export async function invalidateProfiles(sql: Sql, projectKey: string): Promise<void> {
  await sql.run(
    "DELETE FROM profiles WHERE EXISTS (SELECT 1 FROM json_each(profiles.read_keys) AS covered WHERE covered.value = ?)",
    [projectKey],
  );
}

/**
 * The keys of a project in a fixed order: they come with the requested one first, but identify the same
 * project in any order. Names come before paths, so that a name that several folders share has a row of its
 * own.
 */
export function canonicalKeys(keys: readonly string[]): string[] {
  return [...keys].sort((a, b) => Number(isAbsolute(a)) - Number(isAbsolute(b)) || compareTexts(a, b));
}

/** The primary key of a view's row, and the project keys that it covers. */
function placeOf({ keys, filter }: ProjectView): SqlValue[] {
  const readKeys = canonicalKeys(keys);
  const reader = filter.kind === "everyone" ? ["", 0] : [filter.agentId, filter.includeOrphans ? 1 : 0];
  return [readKeys[0] ?? "", ...reader, JSON.stringify(readKeys)];
}
