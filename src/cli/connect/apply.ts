import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { MemsvcError } from "../../operation/errors.ts";
import { sha256 } from "../../system/sha256.ts";
import type { Scope } from "./agent.ts";
import type { PlannedFile, PlanRequest } from "./plan.ts";
import { dropReceipt, keepBackup, keepReceipt, receiptState } from "./receipts.ts";
import { type FoundFile, missingFolders, removeEmpty, writeSettings } from "./safe-file.ts";

export interface WrittenFile {
  readonly path: string;
  readonly label: string;
  readonly action: "created" | "added" | "unchanged" | "restored" | "taken" | "removed";
  /** A copy of the file as it was; undefined if it did not exist or was restored exactly. */
  readonly backup: string | undefined;
}

/** Settings may contain keys, so a new file of the user is for the user only; one of a project is for everybody. */
const newModes: Readonly<Record<Scope, number>> = { user: 0o600, project: 0o644 };

/** Writes the planned files; if one fails, the files before it are restored. */
export async function applyConnection(
  plan: readonly PlannedFile[],
  request: Pick<PlanRequest, "agent" | "scope" | "home">,
): Promise<WrittenFile[]> {
  const { agent, scope, home } = request;
  return applied(plan, request, async (planned) => {
    const { file, after, isChanged, receipt, label } = planned;
    if (!isChanged || after === undefined) return written(planned, "unchanged");
    const backup = file.bytes === undefined ? undefined : await keepBackup(home, file.path, file.bytes);
    const madeFolders = await writeSettings(file, after, newModes[scope]);
    await keepReceipt(
      home,
      {
        agent: agent.name,
        path: file.path,
        hadFile: planned.original !== undefined,
        written: sha256(after),
        madeFolders: madeFolders.length > 0 ? madeFolders : (receipt?.madeFolders ?? []),
      },
      planned.original,
    );
    return { path: file.path, label, action: file.bytes === undefined ? "created" : "added", backup };
  });
}

export async function applyRemoval(
  plan: readonly PlannedFile[],
  request: Pick<PlanRequest, "scope" | "home">,
): Promise<WrittenFile[]> {
  const { scope, home } = request;
  // In reverse order, because folders that were made for the first file may contain the others.
  return applied(plan.toReversed(), request, async (planned) => {
    const { file, after, isChanged, receipt, wasEdited } = planned;
    if (!isChanged || file.bytes === undefined) {
      if (receipt !== undefined) await dropReceipt(home, file.path, false);
      return written(planned, "unchanged");
    }
    const backup = wasEdited ? await keepBackup(home, file.path, file.bytes) : undefined;
    if (after === undefined) {
      await rm(file.path);
      await removeEmpty(receipt?.madeFolders ?? []);
    } else await writeSettings(file, after, newModes[scope]);
    await dropReceipt(home, file.path, wasEdited);
    const action = after === undefined ? "removed" : wasEdited ? "taken" : "restored";
    return { ...written(planned, action), backup };
  });
}

interface Begun {
  readonly file: FoundFile;
  /** Folders that did not exist. */
  readonly missing: readonly string[];
  readonly putReceiptBack: () => Promise<void>;
}

async function applied(
  plan: readonly PlannedFile[],
  { home, scope }: Pick<PlanRequest, "scope" | "home">,
  write: (planned: PlannedFile) => Promise<WrittenFile>,
): Promise<WrittenFile[]> {
  const begun: Begun[] = [];
  const done: WrittenFile[] = [];
  try {
    for (const planned of plan) {
      refuseChanged(planned.file);
      const { file } = planned;
      const putReceiptBack = receiptState(home, file.path);
      begun.push({ file, missing: missingFolders(file.path), putReceiptBack });
      done.push(await write(planned));
    }
    return done;
  } catch (error) {
    for (const { file, missing, putReceiptBack } of begun.toReversed()) {
      await putReceiptBack();
      if (file.bytes === undefined) {
        await rm(file.path, { force: true });
        await removeEmpty(missing);
      } else await writeSettings(file, file.bytes, newModes[scope]);
    }
    throw error;
  }
}

/**
 * Some agents write their settings while they are running: what they wrote since the file was read must not be lost.
 */
function refuseChanged({ path, bytes }: FoundFile): void {
  const now = existsSync(path) ? readFileSync(path) : undefined;
  if (bytes === undefined ? now === undefined : now?.equals(bytes)) return;
  throw new MemsvcError("conflict", `${path} was changed meanwhile`, { hint: "run the command again" });
}

function written({ file, label }: PlannedFile, action: WrittenFile["action"]): WrittenFile {
  return { path: file.path, label, action, backup: undefined };
}
