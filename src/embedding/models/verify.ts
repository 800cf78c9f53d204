import { statSync } from "node:fs";
import { join } from "node:path";
import { sha256OfFile } from "../../paths/file-checksum.ts";
import { readRecord } from "./folder.ts";
import { type PinnedFile, pinnedModel } from "./pinned.ts";

interface Verification {
  /** Whether the checksums are known. */
  readonly isKnown: boolean;
  /** One line for each file that is not as it should be. */
  readonly problems: readonly string[];
}

/** Compares a model's files with their known checksums, else with those recorded when it was installed. */
export async function verifyModel(folder: string, name: string): Promise<Verification> {
  const files = pinnedModel(name)?.files ?? readRecord(folder)?.files;
  if (files === undefined) return { isKnown: false, problems: [] };
  const problems: string[] = [];
  for (const file of files) {
    const problem = await problemOf(join(folder, file.path), file);
    if (problem !== undefined) problems.push(problem);
  }
  return { isKnown: true, problems };
}

async function problemOf(path: string, { bytes, sha256 }: PinnedFile): Promise<string | undefined> {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return `${path} is missing`;
  if (size !== bytes) return `${path} has ${size} bytes in place of ${bytes}`;
  return (await sha256OfFile(path)) === sha256 ? undefined : `${path} has another checksum than it should`;
}
