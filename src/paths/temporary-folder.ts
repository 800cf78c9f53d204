import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isCreatorGone } from "../system/process-exists.ts";
import { makeFolder } from "./make-folder.ts";

/*
 * Folders of this process. Others with its process id are leftovers: in a container every process may get the same id.
 */
const inUse = new Set<string>();

/**
 * Runs work with a temporary folder and removes it afterwards. First removes those of the same kind that killed
 * processes have left.
 */
export async function withTemporaryFolder<Result>(
  within: string,
  kind: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  await dropLeft(within, kind);
  const name = `${kind}-${process.pid}-${randomBytes(4).toString("hex")}`;
  const folder = join(within, name);
  inUse.add(name);
  try {
    makeFolder(folder);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    inUse.delete(name);
  }
}

async function dropLeft(within: string, kind: string): Promise<void> {
  for (const name of await readdir(within)) {
    const pid = name.startsWith(`${kind}-`) ? /-(\d+)-[\da-f]+$/u.exec(name)?.[1] : undefined;
    if (pid === undefined || inUse.has(name)) continue;
    if (isCreatorGone(Number(pid))) await rm(join(within, name), { recursive: true, force: true });
  }
}
