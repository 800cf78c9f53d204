import { dirname } from "node:path";
import { homeFolder } from "../../config/home.ts";
import { isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import { isInside } from "../../paths/is-inside.ts";
import { sha256 } from "../../system/sha256.ts";
import { quoteWord } from "../../text/quote-word.ts";
import type { Agent, Scope, SettingsFile } from "./agent.ts";
import { holdsOurs } from "./connection-state.ts";
import { invocationOf, namingFor } from "./invocation.ts";
import { homesOf } from "./parse-command.ts";
import type { Places } from "./places.ts";
import { type KeptReceipt, readReceipt } from "./receipts.ts";
import { type FoundFile, readSettings } from "./safe-file.ts";
import type { SettingsContent } from "./settings-content.ts";

/*
 * Plans what connecting or disconnecting does to each file of an agent, before anything is written: if one file cannot
 * be read, all are left alone.
 */

export interface PlannedFile {
  readonly file: FoundFile;
  readonly label: string;
  /** The new contents; undefined if the file is to be deleted. A Buffer if the original is restored exactly. */
  readonly after: string | Buffer | undefined;
  readonly isChanged: boolean;
  readonly receipt: KeptReceipt | undefined;
  /** What `disconnect` will restore after this connection. */
  readonly original?: string | Buffer | undefined;
  /**
   * Whether the file was edited since it was connected, so that our entries were removed from it instead of restoring
   * it.
   */
  readonly wasEdited: boolean;
}

export interface PlanRequest {
  readonly agent: Agent;
  readonly scope: Scope;
  readonly places: Places;
  readonly home: string;
  /** Flags for every command of the entries. */
  readonly flags: readonly string[];
}

export function plannedConnection(request: PlanRequest): PlannedFile[] {
  return plannedFiles(request, filesOf(request), (content, file, receipt) => {
    const isUnedited = isAsWritten(file, receipt);
    // Not the original, even if nothing was edited since: the last update kept the user's additions to our entry.
    const after = content.connected(file.text);
    const holdsOurs = file.text !== undefined && content.holds(file.text);
    const original = isUnedited
      ? receipt?.original
      : holdsOurs
        ? content.disconnected(file.text, originalOf(receipt))
        : file.bytes;
    return { after, original, isChanged: after !== file.text, wasEdited: !isUnedited && holdsOurs };
  });
}

export function plannedRemoval(request: PlanRequest): PlannedFile[] {
  const chosen = filesOf(request);
  const others = request.agent.files.filter((file) => file.scope === request.scope && !chosen.includes(file));
  // Files that were written under a name that is no longer the chosen one, or in a folder that is gone.
  const remembered = plannedRemovals(request, others).filter(({ receipt }) => receipt !== undefined);
  return [...plannedRemovals(request, chosen), ...remembered];
}

function plannedRemovals(request: PlanRequest, files: readonly SettingsFile[]): PlannedFile[] {
  return plannedFiles(request, files, (content, file, receipt) => {
    if (file.text === undefined) return { after: undefined, isChanged: false, wasEdited: false };
    if (isAsWritten(file, receipt)) return { after: receipt?.original, isChanged: true, wasEdited: false };
    const isChanged = content.holds(file.text);
    if (isChanged) refuseOthers(content.commands(file.text), request);
    const after = isChanged ? content.disconnected(file.text, originalOf(receipt)) : file.text;
    return { after, isChanged, wasEdited: isChanged };
  });
}

/** Refuses entries of another home. Error: conflict, with the command that removes them. */
function refuseOthers(
  commands: readonly (readonly string[])[],
  { agent, scope, places, home, flags }: PlanRequest,
): void {
  const usual = homeFolder({ env: {}, userHome: places.home });
  // In a project, entries that name no home use the home of whoever works on it.
  const isEverybodys = scope === "project" || home === usual || !flags.includes("--home");
  const other = homesOf(commands)
    .map((named) => named ?? (isEverybodys ? home : usual))
    .find((named) => named !== home);
  if (other === undefined) return;
  const where = scope === "project" ? " --scope project" : "";
  throw new MemsvcError("conflict", `its memsvc entries belong to another home, ${other}`, {
    hint: `memsvc disconnect ${agent.name}${where} --home ${quoteWord(other)}`,
  });
}

type Outcome = Pick<PlannedFile, "after" | "original" | "isChanged" | "wasEdited">;

function plannedFiles(
  { agent, scope, places, home, flags }: PlanRequest,
  files: readonly SettingsFile[],
  work: (content: SettingsContent, file: FoundFile, receipt: KeptReceipt | undefined) => Outcome,
): PlannedFile[] {
  const invocation = invocationOf(places, namingFor(scope, agent.isDesktop === true), flags);
  return files.map((settings) => {
    const named = settings.path(places);
    const content = settings.content(invocation);
    try {
      const file = readSettings(named, rootOf(named, scope, places));
      const receipt = readReceipt(home, file.path);
      return { file, label: content.label, receipt, ...work(content, file, receipt) };
    } catch (error) {
      throw told(named, error);
    }
  });
}

/**
 * The files of a scope to write, and those that contain our entries although another file is chosen by now. Error:
 * invalid_input if the agent has no files in the scope.
 */
export function filesOf({
  agent,
  scope,
  places,
}: Pick<PlanRequest, "agent" | "scope" | "places">): readonly SettingsFile[] {
  const files = agent.files.filter((file) => file.scope === scope);
  if (files.length === 0) {
    throw new MemsvcError("invalid_input", `${agent.title} has no ${scope} settings`, {
      hint: `use --scope ${scope === "user" ? "project" : "user"}`,
    });
  }
  return files.filter(
    (file) => file.isChosen === undefined || file.isChosen(places) || holdsOurs(file, places),
  );
}

/** The folder in which a file's symbolic links must stay: the project, the user's home, or the file's own folder. */
function rootOf(path: string, scope: Scope, { project, home }: Places): string {
  if (scope === "project") return project;
  return isInside(path, home) ? home : dirname(path);
}

function isAsWritten({ bytes }: FoundFile, receipt: KeptReceipt | undefined): boolean {
  return bytes !== undefined && receipt !== undefined && sha256(bytes) === receipt.written;
}

function originalOf(receipt: KeptReceipt | undefined): { text: string | undefined } | undefined {
  return receipt === undefined ? undefined : { text: receipt.original?.toString("utf8") };
}

/** Adds the file's name to an error. */
function told(path: string, error: unknown): unknown {
  if (!isMemsvcError(error)) return error;
  const message = error.message.includes(path) ? error.message : `${path}: ${error.message}`;
  const hint = error.hint ?? "fix the file, then run the command again; nothing was changed";
  return new MemsvcError(error.code, message, { hint, cause: error });
}
