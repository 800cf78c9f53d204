import { existsSync, lstatSync, statSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import * as z from "zod";
import { AskedBy, type Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { confinedPath } from "../../paths/confined.ts";
import { replaceKeeping } from "../../paths/durable-file.ts";
import { isStill } from "../../paths/is-still.ts";
import { readUtf8 } from "../../paths/read-utf8.ts";
import { removeUnfinishedOf } from "../../paths/remove-unfinished.ts";
import { unlessRefused } from "../../paths/system-refusal.ts";
import { whileLocked } from "../../paths/while-locked.ts";
import { sha256 } from "../../system/sha256.ts";
import { countCodePoints } from "../../text/code-points.ts";
import { unifiedDiff } from "../../text/unified-diff.ts";
import type { CompressedFile, CompressFileAnswer, SkippedFile } from "./answers.ts";
import { type Rewritten, rewriteByModel } from "./rewrite.ts";
import { shortenMarkdown } from "./shorten.ts";

const mostBytes = 1_048_576;
/** A change that saves less than 5 % is not worth a backup. */
const mostKept = 0.95;

/** A file with a shorter text that is worth writing. */
interface ShortenedFile {
  readonly kind: "shortened";
  readonly text: string;
  readonly sizes: Pick<CompressedFile, "originalChars" | "compressedChars" | "provider">;
  readonly warning: string | undefined;
}

/**
 * The path of the file that a request names, if it may be shortened. Errors: forbidden, not_found;
 * invalid_input for a file that is not Markdown; too_large.
 */
export function markdownFile(
  ground: Ground,
  { filePath, cwd }: { readonly filePath: string; readonly cwd?: string | undefined },
): string {
  const roots = ground.settings.allowedRoots;
  const path = confinedPath(filePath, "write", { roots, cwd, home: ground.home });
  if (!existsSync(path))
    throw new MemsvcError("not_found", `${filePath} does not exist`, { hint: "check the path" });
  const found = statSync(path);
  if (!found.isFile() || !/^\.(?:md|markdown)$/iu.test(extname(path))) {
    throw new MemsvcError("invalid_input", `${filePath} is not a Markdown file`, {
      hint: "only files that end in .md or .markdown can be shortened",
      issues: [{ path: "filePath", message: "must be a .md or .markdown file" }],
    });
  }
  if (found.size > mostBytes) throw new MemsvcError("too_large", `${filePath} is larger than 1 MiB`);
  return path;
}

/** A job that shortens a file, if it still holds the text with this hash. */
interface CompressionJob {
  readonly id: string;
  readonly textHash: string;
}

/** The payload of that job. */
export const CompressionPayload = z.object({
  path: z.string(),
  textHash: z.string(),
  by: AskedBy.optional(),
});

/**
 * A hash of the file's text, by which the job finds out whether the text has changed. Error: invalid_input.
 */
export async function textHash(path: string): Promise<string> {
  return sha256(await withFile(path, () => readUtf8(path)));
}

/**
 * Shortens a file and keeps the original beside it; `job` is set when a job does it. Errors: those of
 * `markdownFile`; forbidden when the operating system refuses; conflict when the file is changed meanwhile.
 */
export async function compressFile(
  ground: Ground,
  audit: Audit,
  filePath: string,
  by?: AskedBy,
  job?: CompressionJob,
): Promise<CompressFileAnswer> {
  const path = markdownFile(ground, { filePath });
  const original = await withFile(path, () => readUtf8(path));
  if (job !== undefined && sha256(original) !== job.textHash) throw changedMeanwhile(path);
  const shorter = await shortened(ground, path, original);
  if ("skipped" in shorter) return shorter;
  const { sizes, warning } = shorter;
  const lock = join(ground.home, `compress-${sha256(path).slice(0, 16)}.lock`);
  const replaced = await whileLocked(lock, () =>
    withFile(path, () => replaceText(path, original, shorter.text)),
  );
  if (replaced.kind === "held") {
    throw new MemsvcError("conflict", `another process is shortening ${path}`, {
      hint: "look at the file when it has finished",
    });
  }
  const backupPath = replaced.result;
  await ground.store.write((tx) =>
    audit.recordUnscoped(tx, by, {
      operation: "compress_file",
      functionId: "file.compress",
      targetIds: [path],
      details: { path, backupPath, ...sizes, jobId: job?.id },
    }),
  );
  return { filePath: path, backupPath, ...sizes, ...(warning === undefined ? {} : { warning }) };
}

/** What `compressFile` would do, with a diff. Errors: those of `markdownFile`. */
export async function tryCompression(ground: Ground, filePath: string): Promise<CompressFileAnswer> {
  const path = markdownFile(ground, { filePath });
  const original = await withFile(path, () => readUtf8(path));
  const shorter = await shortened(ground, path, original);
  if ("skipped" in shorter) return shorter;
  const { text, sizes, warning } = shorter;
  const backupPath = freeBackupPath(path);
  const diff = unifiedDiff(path, original, text);
  return {
    filePath: path,
    backupPath,
    ...sizes,
    ...(warning === undefined ? {} : { warning }),
    ...(diff === undefined ? {} : { diff }),
  };
}

/**
 * Replaces the text of a file and keeps the old text beside it. Returns the path of the backup. Error:
 * conflict.
 */
async function replaceText(path: string, original: string, text: string): Promise<string> {
  // Somebody may have gone on writing while the model worked.
  if ((await readUtf8(path)) !== original) throw changedMeanwhile(path);
  await removeUnfinishedOf(path);
  const keptPath = () => {
    // Checked again, because writing takes time as well.
    if (!isStill(path, original)) throw changedMeanwhile(path);
    return freeBackupPath(path);
  };
  return replaceKeeping(path, { kept: original, next: text }, { mode: statSync(path).mode, keptPath });
}

/** Runs work on the file or its neighbours. Error: forbidden when the operating system refuses. */
function withFile<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  return unlessRefused(
    path,
    "memsvc must be allowed to write the file and, in the same folder, a backup whose name is longer by .original",
    work,
  );
}

function changedMeanwhile(path: string): MemsvcError {
  return new MemsvcError("conflict", `${path} was changed while it was being shortened`, {
    hint: "try again when no other program is changing it",
  });
}

async function shortened(
  ground: Ground,
  path: string,
  original: string,
): Promise<ShortenedFile | SkippedFile> {
  if (await withFile(path, () => hasBackup(path, original)))
    return { skipped: true, reason: "already compressed", filePath: path };
  const { text, provider, warning } = await shorterText(ground, original);
  const [originalChars, compressedChars] = [countCodePoints(original), countCodePoints(text)];
  if (compressedChars === originalChars || compressedChars > originalChars * mostKept) {
    return { skipped: true, reason: "nothing to gain", filePath: path };
  }
  return { kind: "shortened", text, sizes: { originalChars, compressedChars, provider }, warning };
}

/**
 * The model's text if there is one, it was accepted, and it saves enough; else the text shortened by rules.
 */
async function shorterText(ground: Ground, original: string): Promise<Rewritten> {
  const rewritten = await rewriteByModel(ground, original);
  if (
    rewritten?.kind === "rewritten" &&
    countCodePoints(rewritten.text) <= countCodePoints(original) * mostKept
  ) {
    return rewritten;
  }
  const byRules = { kind: "rewritten", text: shortenMarkdown(original), provider: "rules" } as const;
  return rewritten?.kind === "refused" ? { ...byRules, warning: rewritten.reason } : byRules;
}

/** Whether the text equals a backup of an earlier run. */
async function hasBackup(path: string, text: string): Promise<boolean> {
  const name = basename(path, extname(path));
  const folder = dirname(path);
  for (const entry of await readdir(folder)) {
    if (!entry.startsWith(`${name}.original`) || !/^(?:-\d+)?\.md$/u.test(entry.slice(name.length + 9)))
      continue;
    const backup = join(folder, entry);
    const found = statSync(backup, { throwIfNoEntry: false });
    if (found?.isFile() !== true || found.size !== Buffer.byteLength(text)) continue;
    if ((await readFile(backup, "utf8")) === text) return true;
  }
  return false;
}

/** The first free name for a backup beside the file. */
function freeBackupPath(path: string): string {
  const stem = join(dirname(path), `${basename(path, extname(path))}.original`);
  for (let number = 1; ; number += 1) {
    const backup = number === 1 ? `${stem}.md` : `${stem}-${number}.md`;
    // A link takes the name as well, even one whose target does not exist.
    if (lstatSync(backup, { throwIfNoEntry: false }) === undefined) return backup;
  }
}
