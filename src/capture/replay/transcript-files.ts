import type { Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { MemsvcError } from "../../operation/errors.ts";
import { isSensitive } from "../../paths/sensitive.ts";
import { isSystemError } from "../../system/is-system-error.ts";
import { compareTexts } from "../../text/compare-texts.ts";

const mostEntries = 10_000;
const mostBytes = 268_435_456;
const ending = ".jsonl";

interface FileProblem {
  readonly path: string;
  readonly error: string;
}

interface FoundTranscripts {
  /** The files to import, last changed first. */
  readonly paths: readonly string[];
  readonly discovered: number;
  readonly truncated: boolean;
  readonly traversalCapped: boolean;
  readonly problems: readonly FileProblem[];
}

/**
 * The transcripts at a path: the file itself, or those in the folder, searched recursively without following
 * links. Error: invalid_input.
 */
export async function findTranscripts(path: string, maxFiles: number): Promise<FoundTranscripts> {
  const named = await stat(path);
  const walk = named.isDirectory() ? await walkFolder(path) : onlyFile(path, named);
  const problems = [...walk.problems];
  const sized: { path: string; changedAt: number }[] = [];
  for (const file of walk.files) {
    const found = await stat(file).catch((error: unknown) => unreadableFile(file, error));
    if ("error" in found) problems.push(found);
    else if (found.size > mostBytes) problems.push({ path: file, error: "the file is larger than 256 MiB" });
    else sized.push({ path: file, changedAt: found.mtimeMs });
  }
  sized.sort((left, right) => right.changedAt - left.changedAt || compareTexts(left.path, right.path));
  return {
    paths: sized.slice(0, maxFiles).map((file) => file.path),
    discovered: walk.files.length,
    truncated: sized.length > maxFiles,
    traversalCapped: walk.capped,
    problems,
  };
}

const uuidAtEnd = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The session that a transcript's file is named after: its name, or, as with Codex, the UUID at the end of it. */
export function sessionInName(path: string): string {
  const name = basename(path, ending);
  return uuidAtEnd.exec(name)?.[0] ?? name;
}

/**
 * The problem of a file that cannot be read, for instance because it was deleted meanwhile. Other errors,
 * such as a store that cannot be written, concern the whole import and are thrown.
 */
export function unreadableFile(path: string, error: unknown): FileProblem {
  if (!isSystemError(error)) throw error;
  return { path, error: `it cannot be read: ${error.message}` };
}

interface Walk {
  readonly files: readonly string[];
  readonly problems: readonly FileProblem[];
  readonly capped: boolean;
}

/** Only ordinary files: reading from a pipe or a device would block. */
function onlyFile(path: string, named: Stats): Walk {
  if (named.isFile() && path.toLowerCase().endsWith(ending))
    return { files: [path], problems: [], capped: false };
  throw new MemsvcError("invalid_input", `${path} is neither a .jsonl file nor a folder`, {
    issues: [{ path: "path", message: "must be a .jsonl file or a folder" }],
  });
}

async function walkFolder(top: string): Promise<Walk> {
  const files: string[] = [];
  const problems: FileProblem[] = [];
  const folders = [top];
  let seen = 0;
  for (const folder of folders) {
    for (const entry of await entriesOf(folder, problems)) {
      seen += 1;
      if (seen > mostEntries) return { files, problems, capped: true };
      const path = join(folder, entry.name);
      const isTranscript = entry.isFile() && entry.name.toLowerCase().endsWith(ending);
      if (!isTranscript && !entry.isDirectory()) continue;
      if (isSensitive(entry.name))
        problems.push({ path, error: "it has a name that secrets are kept under" });
      else if (isTranscript) files.push(path);
      else folders.push(path);
    }
  }
  return { files, problems, capped: false };
}

async function entriesOf(folder: string, problems: FileProblem[]) {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((left, right) => compareTexts(left.name, right.name));
  } catch (error) {
    problems.push({ path: folder, error: `the folder cannot be read: ${String(error)}` });
    return [];
  }
}
