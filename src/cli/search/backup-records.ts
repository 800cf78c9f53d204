import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { isGzip } from "../../governance/transfer/gzip.ts";
import { maxFileDepth, parseJson } from "../../json/parse-json.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { timeText } from "../../operation/fields.ts";
import { errorCode, isMissing } from "../../system/error-code.ts";
import { firstLine } from "../../text/first-line.ts";
import { quoteWord } from "../../text/quote-word.ts";
import { describeSystemError } from "../errors/describe-system-error.ts";

const titleLength = 80;

const Texts = z.array(z.string()).catch([]);

/** Files of other programs, which imports accept, may contain times as milliseconds since 1970. */
const Time = z.union([
  z.string(),
  z
    .number()
    .refine((time) => !Number.isNaN(new Date(time).getTime()))
    .transform((time) => timeText(time)),
]);

/** The valid rows; an invalid row does not keep a search from the others. */
function rowsOf<Row>(row: z.ZodType<Row>) {
  return z
    .array(z.unknown())
    .transform((rows) =>
      rows.flatMap((given) => {
        const read = row.safeParse(given);
        return read.success ? [read.data] : [];
      }),
    )
    .catch([]);
}

const Found = z.object({
  id: z.string(),
  sessionId: z.string().catch(""),
  type: z.string().catch("other"),
  title: z.string().catch(""),
  concepts: Texts,
  files: Texts,
  project: z.string().optional().catch(undefined),
});

/** The parts of a backup that a search needs. */
const Backup = z.object({
  memories: rowsOf(
    Found.extend({
      content: z.string(),
      createdAt: Time,
      isLatest: z.boolean().catch(true),
      forgetAfter: Time.optional().catch(undefined),
    }),
  ),
  observations: z
    .record(
      z.string(),
      rowsOf(Found.extend({ narrative: z.string().catch(""), facts: Texts, timestamp: Time })),
    )
    .catch({}),
  lessons: rowsOf(
    z.object({
      id: z.string(),
      content: z.string(),
      context: z.string().catch(""),
      tags: Texts,
      project: z.string().optional().catch(undefined),
      createdAt: Time,
      deleted: z.boolean().catch(false),
    }),
  ),
  sessions: rowsOf(z.object({ id: z.string(), project: z.string() })),
});

/** A record that can be found in a backup. */
export interface BackupRecord {
  readonly id: string;
  readonly kind: "memory" | "observation" | "lesson";
  readonly sessionId: string;
  readonly type: string;
  readonly title: string;
  readonly body: string;
  readonly concepts: string[];
  readonly files: string[];
  readonly timestamp: string;
  readonly project: string | undefined;
}

/** Errors: not_found if there is no such file; invalid_input if it cannot be read or is not an export. */
export function readBackupRecords(file: string): BackupRecord[] {
  return recordsOf(readBackup(file));
}

function recordsOf({ memories, observations, lessons, sessions }: z.infer<typeof Backup>): BackupRecord[] {
  const projects = new Map(sessions.map(({ id, project }) => [id, project]));
  return [
    ...memories
      .filter(({ isLatest, forgetAfter }) => isLatest && !(Date.parse(forgetAfter ?? "") <= Date.now()))
      .map((memory) => ({
        ...memory,
        project: memory.project,
        kind: "memory" as const,
        body: memory.content,
        timestamp: memory.createdAt,
      })),
    ...Object.values(observations)
      .flat()
      .map((one) => ({
        ...one,
        project: one.project ?? projects.get(one.sessionId),
        kind: "observation" as const,
        body: [one.narrative, ...one.facts].join("\n"),
      })),
    ...lessons
      .filter(({ deleted }) => !deleted)
      .map(({ id, content, context, tags, project, createdAt }) => ({
        id,
        kind: "lesson" as const,
        sessionId: "",
        type: "lesson",
        title: firstLine(content, titleLength),
        body: context === "" ? content : `${content}\n${context}`,
        concepts: tags,
        files: [],
        timestamp: createdAt,
        project,
      })),
  ];
}

function readBackup(file: string): z.infer<typeof Backup> {
  const bytes = bytesOf(file);
  try {
    // TextDecoder removes a byte order mark.
    const text = new TextDecoder().decode(isGzip(bytes) ? gunzipSync(bytes) : bytes);
    const value = parseJson(text, maxFileDepth);
    const keys = Object.keys(value ?? {});
    if (keys.includes("memories") || keys.includes("observations")) return Backup.parse(value);
  } catch (error) {
    throw isTooLarge(error) ? tooLarge(file, error) : noExport(file, error);
  }
  throw noExport(file);
}

/** Node's errors for more than a buffer or a string can hold. */
function isTooLarge(error: unknown): boolean {
  return /^ERR_(?:FS_FILE|BUFFER|STRING)_TOO_(?:LARGE|LONG)$/u.test(errorCode(error) ?? "");
}

function tooLarge(file: string, cause: unknown): MemsvcError {
  return new MemsvcError("too_large", `${file} is too large to be searched as it is`, {
    hint: `import it into a home of its own, and search there: memsvc import ${quoteWord(file)} --home <dir>`,
    cause,
  });
}

function noExport(file: string, cause?: unknown): MemsvcError {
  return new MemsvcError("invalid_input", `${file} is not an export of memsvc`, {
    hint: "an export is JSON, plain or compressed with gzip, that holds memories or observations",
    cause,
  });
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge(file, error);
    const fault = isMissing(error) ? undefined : describeSystemError(error, file);
    if (fault !== undefined)
      throw new MemsvcError("invalid_input", fault.problem, { hint: fault.hint, cause: error });
    throw new MemsvcError("not_found", `${file} cannot be read`, {
      hint: "check the path given with --in",
      cause: error,
    });
  }
}
