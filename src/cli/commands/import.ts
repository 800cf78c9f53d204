import { accessSync, constants, createReadStream, statSync } from "node:fs";
import { basename, extname } from "node:path";
import { exportText } from "../../governance/transfer/export-text.ts";
import { importStrategies } from "../../governance/transfer/strategies.ts";
import type { ByteStream } from "../../operation/define.ts";
import { errorTable, isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import { quoteWord } from "../../text/quote-word.ts";
import type { CommandRun } from "../command.ts";
import { fileFault } from "../errors/file-fault.ts";
import { checkChoice } from "../flags/parse-flag-value.ts";
import { operationTable } from "../operations/operations.generated.ts";
import { nothingChanged } from "../render/dry-run.ts";
import { renderAnswer } from "../render/render-answer.ts";
import { jsonLine } from "../render/text.ts";
import { confirmed } from "../terminal/confirm.ts";
import { countedBytes, openProgress } from "../terminal/progress.ts";
import { standardStream } from "../terminal/standard-stream.ts";

/** Imports a file or standard input; compressed ones are recognised. */
export const run: CommandRun = async (context, [named], flags) => {
  const { terminal, globals } = context;
  const file = String(named);
  const strategy = typeof flags.strategy === "string" ? flags.strategy : "merge";
  checkChoice("--strategy", importStrategies, strategy);
  const dryRun = flags.dryRun === true;
  // Nobody should be asked about a file that cannot be read.
  const totalBytes = file === standardStream ? undefined : sizeOf(file);
  if (
    strategy === "replace" &&
    !dryRun &&
    !(await confirmed(context, "Delete what the file's collections hold now?"))
  )
    return errorTable.interrupted.exit;
  const label = `${dryRun ? "trying to import" : "importing"}${file === standardStream ? "" : ` ${basename(file)}`}`;
  const { callOnBody, where } = await context.caller();
  let isRead = false;
  const progress = openProgress(context, label, totalBytes, () =>
    isRead && where.kind === "daemon" ? "the daemon may still import it" : "nothing was imported",
  );
  const source = file === standardStream ? process.stdin : bytesOf(file);
  const answer = await callOnBody(
    operationTable["transfer.import"],
    envelope({ strategy, dryRun }, exportText(countedBytes(progress, source)), () => {
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

/** Opened only when it is read: an earlier error event of the stream would have no listener. */
async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file);
  } catch (error) {
    throw fileFault(file, "read", error);
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
  const name = file === standardStream ? "standard input" : file;
  const message = error.message
    .replace(/^the body(?= is not)/u, name)
    .replace(/^nothing was imported; exportData(?:\.(\S+))?:/u, (_, place: string | undefined) =>
      place === undefined ? `nothing was imported; ${name}` : `nothing was imported; in ${name}, ${place}:`,
    );
  if (message === error.message) return error;
  return new MemsvcError("invalid_input", message, {
    hint: wayToImport(file),
    cause: error,
  });
}

/** How a file that is no export is imported, as far as its name tells what it is. */
function wayToImport(file: string): string {
  switch (extname(file)) {
    case ".jsonl":
      return `a transcript of an agent is imported with memsvc replay import ${quoteWord(file)}`;
    case ".db":
      return `if it is a store or a snapshot of one, it is merged in with memsvc migrate --db-path ${quoteWord(file)}`;
    default:
      return "an import takes what memsvc export wrote";
  }
}

/** Size in bytes; undefined for a pipe. Error: not_found or invalid_input if the file cannot be read. */
function sizeOf(file: string): number | undefined {
  try {
    accessSync(file, constants.R_OK);
    const found = statSync(file);
    if (!found.isDirectory()) return found.isFile() ? found.size : undefined;
  } catch (error) {
    throw fileFault(file, "read", error);
  }
  throw new MemsvcError("invalid_input", `${file} is a folder`, { hint: "name the file of an export in it" });
}
