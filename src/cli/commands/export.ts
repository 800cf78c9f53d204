import { randomBytes } from "node:crypto";
import { createWriteStream, realpathSync, rmSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { ByteStream } from "../../operation/define.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { fsyncFolder } from "../../paths/fsync.ts";
import { removeUnfinished } from "../../paths/remove-unfinished.ts";
import { renameOver } from "../../paths/rename-over.ts";
import { errorCode } from "../../system/error-code.ts";
import type { CommandRun } from "../command.ts";
import { fileFault } from "../errors/file-fault.ts";
import { withFlagNames } from "../flags/flag-names.ts";
import { type InputForm, operationInput } from "../operations/operation-input.ts";
import { operationTable } from "../operations/operations.generated.ts";
import { countedBytes, openProgress } from "../terminal/progress.ts";
import { standardStream } from "../terminal/standard-stream.ts";
import { onTerminationSignal } from "../terminal/termination-signals.ts";

/** Writes an export to standard output, or to a file that gets its name only when it is complete. */
export const run: CommandRun = async ({ caller, terminal, globals }, [named], flags) => {
  const file = typeof named === "string" ? named : standardStream;
  if (file === standardStream && named === undefined && terminal.isForPeople) {
    throw new MemsvcError("invalid_input", "an export is too long for a terminal", {
      hint: "name a file: memsvc export backup.json.gz",
    });
  }
  const target = file === standardStream ? undefined : targetOf(file);
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
    const text = countedBytes(progress, exported);
    if (target === undefined) await write(text, isCompressed, process.stdout);
    else await writeTo(target, text, isCompressed);
  } catch (error) {
    throw target === undefined ? error : fileFault(file, "written", error);
  } finally {
    progress.end();
  }
  if (file !== standardStream) terminal.say(`exported to ${file}`);
  return 0;
};

/** The export flags that are input fields of its operation. */
const pageForm: InputForm = {
  positionals: [],
  flags: [
    { field: "maxSessions", name: "max-sessions", kind: "number" },
    { field: "offset", name: "offset", kind: "number" },
    { field: "includeImages", name: "include-images", kind: "boolean" },
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

/** No other program gives such names, so leftovers are recognised whatever file they were to become. */
const unfinishedName = /\.memsvc-[0-9a-f]{8}\.part$/u;

/**
 * Writes directly to a stream; to a file atomically and durably, after removing what killed exports left in its folder,
 * whose names mostly contain another date.
 */
async function writeTo({ path, isStream }: Target, text: ByteStream, isCompressed: boolean): Promise<void> {
  if (isStream) return write(text, isCompressed, createWriteStream(path));
  await removeUnfinished(dirname(path), (name) => unfinishedName.test(name)).catch(() => undefined);
  const unfinished = `${path}.memsvc-${randomBytes(4).toString("hex")}.part`;
  const release = onTerminationSignal(() => rmSync(unfinished, { force: true }));
  try {
    await write(text, isCompressed, createWriteStream(unfinished, { mode: 0o600, flags: "wx", flush: true }));
    await renameOver(unfinished, path);
    await fsyncFolder(dirname(path));
  } catch (error) {
    // If nothing could be written, removing may fail too, but the first error says more.
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    release();
  }
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
