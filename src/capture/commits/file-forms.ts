import type { Writing } from "../../governance/transfer/collection.ts";
import type { Sql } from "../../store/sql.ts";
import { lengthenSha } from "./links.ts";
import { likeShas, sameCommit, storedCase } from "./sha.ts";

/** The shas under which the commits of a file are stored. */
interface FileForms {
  /** The stored sha, by the sha in the file, where it is another. */
  readonly forms: ReadonlyMap<string, string>;
  /** Commits that were stored under a shorter sha than the file has: the shorter sha, by the longer one. */
  readonly lengthened: ReadonlyMap<string, string>;
}

/**
 * Finds out which commits the shas of a file mean, among stored ones and others of the file. Long shas come
 * first, so that for a short one it is known whether it begins one commit or several.
 */
export async function storeForms(
  { tx: { sql }, strategy }: Pick<Writing, "tx" | "strategy">,
  shas: ReadonlySet<string>,
): Promise<FileForms> {
  const stored = new Set(await likeShas(sql, shas));
  const known = new Set([...stored, ...shas]);
  const forms = new Map<string, string>();
  const lengthened = new Map<string, string>();
  for (const sha of [...shas].sort((a, b) => b.length - a.length)) {
    if (stored.has(sha)) continue;
    known.delete(sha);
    const same = sameCommit([...known], sha);
    const staysShort = strategy === "skip" && same !== undefined && stored.has(same);
    if (same !== undefined && (same.length > sha.length || staysShort)) {
      forms.set(sha, same);
      continue;
    }
    known.add(sha);
    if (same === undefined) continue;
    known.delete(same);
    if (!stored.delete(same)) continue;
    await lengthenSha(sql, same, sha);
    lengthened.set(sha, same);
  }
  return { forms, lengthened };
}

/** The shas that a session of a file names, in their stored form if the commits are stored. */
export async function knownForms(sql: Sql, shas: readonly string[]): Promise<string[]> {
  if (shas.length === 0) return [];
  const named = shas.map(storedCase);
  const known = await likeShas(sql, named);
  return [...new Set(named.map((sha) => sameCommit(known, sha) ?? sha))];
}
