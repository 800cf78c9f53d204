import { join } from "node:path";
import { linkTarget, listFile, smallFile } from "../../paths/git-files.ts";

const deepestReference = 5;
const branchPrefix = "refs/heads/";

interface Head {
  /** Null when HEAD is detached. */
  readonly branch: string | null;
  /** The commit; null in a repository without commits. */
  readonly sha: string | null;
}

/** The HEAD of a working tree. */
export function readHead(gitDir: string, commonDir: string): Head {
  const { target, sha } = readReference(join(gitDir, "HEAD"));
  if (target === undefined) return { branch: null, sha: sha ?? null };
  return { branch: branchOf(target), sha: resolveReference(target, gitDir, commonDir) ?? null };
}

/** Repositories with the reftable format have a HEAD that names `.invalid`; their branch is unknown. */
function branchOf(target: string): string | null {
  const name = target.startsWith(branchPrefix)
    ? target.slice(branchPrefix.length)
    : target.replace(/^refs\//u, "");
  return name === "" || name === ".invalid" ? null : name;
}

interface Reference {
  /** The reference that this symbolic one points to. */
  readonly target?: string;
  readonly sha?: string;
}

function readReference(path: string): Reference {
  // Early versions of git made HEAD a symbolic link to the branch's file.
  const link = linkTarget(path);
  if (link?.startsWith("refs/")) return { target: link };
  const text = smallFile(path) ?? "";
  const named = /^ref:\s*(\S.*)$/u.exec(text)?.[1]?.trim();
  if (named !== undefined) return { target: named };
  return /^[0-9a-f]{40,64}$/u.test(text) ? { sha: text } : {};
}

function resolveReference(name: string, gitDir: string, commonDir: string, depth = 0): string | undefined {
  // A reference is a path below the git folder; one that leads out of it is not git's.
  if (depth === deepestReference || !name.startsWith("refs/") || name.split("/").includes(".."))
    return undefined;
  for (const folder of new Set([gitDir, commonDir])) {
    const { target, sha } = readReference(join(folder, name));
    if (sha !== undefined) return sha;
    if (target !== undefined) return resolveReference(target, gitDir, commonDir, depth + 1);
  }
  return packedReference(commonDir, name);
}

/** Finds a reference in packed-refs, whose lines are a sha, a space and a name. */
function packedReference(commonDir: string, name: string): string | undefined {
  const packed = listFile(join(commonDir, "packed-refs"));
  const end = packed === undefined ? -1 : endOfSha(packed, ` ${name}`);
  if (packed === undefined || end < 0) return undefined;
  const sha = packed.toString("latin1", packed.lastIndexOf("\n", end) + 1, end);
  return /^[0-9a-f]{40,64}$/u.test(sha) ? sha : undefined;
}

/** The position of the space in the line that ends with the name; the last line may lack a line feed. */
function endOfSha(packed: Buffer, ending: string): number {
  const at = packed.indexOf(`${ending}\n`);
  if (at >= 0) return at;
  const last = packed.length - Buffer.byteLength(ending);
  return last >= 0 && packed.subarray(last).equals(Buffer.from(ending)) ? last : -1;
}
