import { randomBytes } from "node:crypto";
import {
  accessSync,
  constants,
  createReadStream,
  createWriteStream,
  existsSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { rename, rm } from "node:fs/promises";
import { basename, dirname, isAbsolute } from "node:path";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { exportText } from "../../governance/transfer/export-text.ts";
import { importStrategies } from "../../governance/transfer/strategies.ts";
import type { ByteStream } from "../../operation/define.ts";
import { errorTable, isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import { removeUnfinished } from "../../paths/remove-unfinished.ts";
import { errorCode } from "../../system/error-code.ts";
import type { CommandRun } from "../command.ts";
import { deletedWorkingDirectory, describeSystemError } from "../errors/describe-system-error.ts";
import { withFlagNames } from "../flags/flag-names.ts";
import { checkChoice } from "../flags/parse-flag-value.ts";
import { workingDirectory } from "../location/working-directory.ts";
import { type InputForm, operationInput } from "../operations/operation-input.ts";
import { operationTable } from "../operations/operations.generated.ts";
import { nothingChanged } from "../render/dry-run.ts";
import { renderAnswer } from "../render/render-answer.ts";
import { jsonLine } from "../render/text.ts";
import { confirmed } from "../terminal/confirm.ts";
import { openProgress, type Progress } from "../terminal/progress.ts";
import { onTerminationSignal } from "../terminal/termination-signals.ts";

const standard = "-";

/** Writes an export to standard output, or to a file that gets its name only when it is complete. */
export const exportRun: CommandRun = async ({ caller, terminal, globals }, [named], flags) => {
  const file = typeof named === "string" ? named : standard;
  if (file === standard && named === undefined && terminal.isForPeople) {
    throw new MemsvcError("invalid_input", "an export is too long for a terminal", {
      hint: "name a file: memsvc export backup.json.gz",
    });
  }
  const target = file === standard ? undefined : targetOf(file);
  const { gzip, ...page } = flags;
  const input = operationInput(pageForm, [], page);
  const { callToText } = await caller();
  const exported = await callToText(operationTable["transfer.export"], input).catch((error: unknown) => {
    throw withFlagNames(error, pageForm);
  });
  const isCompressed = gzip === true || file.endsWith(".gz");
  const progress = openProgress({ terminal, globals }, "exporting", undefined, () =>
    target?.isStream === false ? `${file} was not written` : "the export is not whole",
  );
  try {
    const text = counted(progress, exported);
    if (target === undefined) await write(text, isCompressed, process.stdout);
    else await writeTo(target, text, isCompressed);
  } catch (error) {
    throw target === undefined ? error : fileFault(file, "written", error);
  } finally {
    progress.end();
  }
  if (file !== standard) terminal.say(`exported to ${file}`);
  return 0;
};

/** Imports a file or standard input; compressed ones are recognised. */
export const importRun: CommandRun = async (context, [named], flags) => {
  const { terminal, globals } = context;
  const file = String(named);
  const strategy = typeof flags.strategy === "string" ? flags.strategy : "merge";
  checkChoice("--strategy", importStrategies, strategy);
  const dryRun = flags.dryRun === true;
  if (
    strategy === "replace" &&
    !dryRun &&
    !(await confirmed(context, "Delete what the file's collections hold now?"))
  )
    return errorTable.interrupted.exit;
  const label = `${dryRun ? "trying to import" : "importing"}${file === standard ? "" : ` ${basename(file)}`}`;
  const { callOnBody, where } = await context.caller();
  let isRead = false;
  const progress = openProgress(context, label, file === standard ? undefined : sizeOf(file), () =>
    isRead && where.kind === "daemon" ? "the daemon may still import it" : "nothing was imported",
  );
  const source = file === standard ? process.stdin : bytesOf(file);
  const answer = await callOnBody(
    operationTable["transfer.import"],
    envelope({ strategy, dryRun }, exportText(counted(progress, source)), () => {
      isRead = true;
    }),
  )
    .catch((error: unknown) => {
      throw toldOf(file, error);
    })
    .finally(() => progress.end());
  if (globals.json) terminal.print(jsonLine(answer));
  else {
    terminal.print(renderAnswer("transfer.import", { ...answer }, terminal));
    if (dryRun) terminal.say(nothingChanged);
  }
  return 0;
};

/** The export flags that are input fields of its operation. */
const pageForm: InputForm = {
  positionals: [],
  flags: [
    { field: "maxSessions", name: "max-sessions", kind: "number", choices: [] },
    { field: "offset", name: "offset", kind: "number", choices: [] },
    { field: "includeImages", name: "include-images", kind: "boolean", choices: [] },
  ],
};

interface Target {
  readonly path: string;
  /** A device or named pipe: it is written into, not replaced. */
  readonly isStream: boolean;
}

/** The target of an export; for a symbolic link, the file it points to. */
function targetOf(file: string): Target {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return { path: file, isStream: false };
    const isStream = !found.isFile() && !found.isDirectory();
    return { path: isStream ? file : realpathSync(file), isStream };
  } catch (error) {
    throw fileFault(file, "written", error);
  }
}

/** Writes atomically to a file, directly to a stream. */
async function writeTo({ path, isStream }: Target, text: ByteStream, isCompressed: boolean): Promise<void> {
  if (isStream) return write(text, isCompressed, createWriteStream(path));
  await removeLeft(path);
  const unfinished = `${path}.${randomBytes(4).toString("hex")}.part`;
  const release = onTerminationSignal(() => rmSync(unfinished, { force: true }));
  try {
    await write(text, isCompressed, createWriteStream(unfinished, { mode: 0o600, flags: "wx" }));
    await rename(unfinished, path);
  } catch (error) {
    // If nothing could be written, removing may fail too, but the first error says more.
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    release();
  }
}

/** Removes unfinished exports to the same file that were killed. Failures are ignored. */
async function removeLeft(path: string): Promise<void> {
  const beginning = `${basename(path)}.`;
  const isLeft = (name: string) =>
    name.startsWith(beginning) && /^[0-9a-f]{8}\.part$/u.test(name.slice(beginning.length));
  await removeUnfinished(dirname(path), isLeft).catch(() => undefined);
}

async function write(text: ByteStream, isCompressed: boolean, target: Writable): Promise<void> {
  const end = target !== process.stdout;
  try {
    if (isCompressed) await pipeline(Readable.from(text), createGzip(), target, { end });
    else await pipeline(Readable.from(text), target, { end });
  } catch (error) {
    // A reader that has seen enough (`| head`) is not a failure.
    if (end || errorCode(error) !== "EPIPE") throw error;
  }
}

/** Opened only when it is read: an earlier error event of the stream would have no listener. */
async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file);
  } catch (error) {
    throw fileFault(file, "read", error);
  }
}

/** The same bytes, counted for the progress display. */
async function* counted(progress: Progress, bytes: ByteStream): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const piece of bytes) {
    yield piece;
    done += piece.byteLength;
    progress.at(done);
  }
}

/**
 * The request's body around the file's text. Our own fields come last, so that fields in the file cannot override them.
 */
async function* envelope(
  { strategy, dryRun }: { readonly strategy: string; readonly dryRun: boolean },
  text: ByteStream,
  atEnd: () => void,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"exportData":');
  yield* text;
  atEnd();
  yield Buffer.from(`,"strategy":${JSON.stringify(strategy)},"dryRun":${dryRun}}`);
}

/** The error with the file's name in place of "the body". */
function toldOf(file: string, error: unknown): unknown {
  if (!isMemsvcError(error, "invalid_input")) return error;
  const name = file === standard ? "standard input" : file;
  const message = error.message
    .replace(/^the body(?= is not)/u, name)
    .replace(/^nothing was imported; exportData(?:\.(\S+))?:/u, (_, place: string | undefined) =>
      place === undefined ? `nothing was imported; ${name}` : `nothing was imported; in ${name}, ${place}:`,
    );
  if (message === error.message) return error;
  return new MemsvcError("invalid_input", message, {
    hint: "an import takes what memsvc export wrote",
    cause: error,
  });
}

/** Size in bytes. Error: not_found or invalid_input if the file cannot be read. */
function sizeOf(file: string): number {
  try {
    accessSync(file, constants.R_OK);
    const found = statSync(file);
    if (!found.isDirectory()) return found.size;
  } catch (error) {
    throw fileFault(file, "read", error);
  }
  throw new MemsvcError("invalid_input", `${file} is a folder`, { hint: "name the file of an export in it" });
}

function fileFault(file: string, verb: "read" | "written", error: unknown): unknown {
  const code = errorCode(error);
  if (code === "ENOENT" && !isAbsolute(file) && !existsSync(workingDirectory())) {
    return new MemsvcError("not_found", deletedWorkingDirectory.problem, {
      hint: deletedWorkingDirectory.hint,
      cause: error,
    });
  }
  if (code === "ENOENT") {
    const missing = verb === "read" ? `there is no file ${file}` : `there is no folder ${dirname(file)}`;
    return new MemsvcError("not_found", missing, { hint: "check the path", cause: error });
  }
  const fault = describeSystemError(error, file);
  if (fault === undefined) return error;
  const isFull = code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG";
  return new MemsvcError(isFull ? "disk_full" : "invalid_input", fault.problem, {
    hint: fault.hint,
    cause: error,
  });
}
