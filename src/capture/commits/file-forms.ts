import type { Writing } from "../../governance/transfer/collection.ts";
import type { Sql } from "../../store/sql.ts";
import { lengthen } from "./links.ts";
import { likeShas, sameCommit, storedCase } from "./sha.ts";

/** Under which shas the commits of a file are stored. */
interface FileForms {
  /** By the sha that the file has. */
  readonly forms: ReadonlyMap<string, string>;
  /** Under which shorter forms commits were stored that got a longer one from the file, by that. */
  readonly lengthened: ReadonlyMap<string, string>;
}

/**
 * Finds for shas of a file which commits they are, known ones and others of the file alike. The longest come first, so
 * that it shows of a short one whether it begins one commit or several.
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
    forms.set(sha, sha);
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
    await lengthen(sql, same, sha);
    lengthened.set(sha, same);
  }
  return { forms, lengthened };
}

/** Shas that a session in a file names, those of stored commits in the form in which they are stored. */
export async function knownForms(sql: Sql, shas: readonly string[]): Promise<string[]> {
  if (shas.length === 0) return [];
  const named = shas.map(storedCase);
  const known = await likeShas(sql, named);
  return [...new Set(named.map((sha) => sameCommit(known, sha) ?? sha))];
}
