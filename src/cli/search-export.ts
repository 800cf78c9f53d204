import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { lastSegment, projectNaming } from "../capture/projects/project-name.ts";
import { rankSet } from "../index/ranked-set.ts";
import { MemsvcError } from "../operation/errors.ts";
import { timeText } from "../operation/fields.ts";
import { parseJson } from "../operation/json.ts";
import { cutCodePoints } from "../text/estimate.ts";
import type { CommandContext } from "./command.ts";
import { printJson } from "./print-json.ts";
import { projectOf } from "./project-of.ts";
import { rendered } from "./render/render.ts";

const Texts = z.array(z.string()).catch([]);

/** Programs that an import takes files of may write times as milliseconds since 1970. */
const Time = z.union([
  z.string(),
  z
    .number()
    .refine((time) => !Number.isNaN(new Date(time).getTime()))
    .transform(timeText),
]);

/** The rows that can be read: one that cannot costs a search no other. */
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

/** What is read of a backup; the rest of it does not matter to a search. */
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
  sessions: rowsOf(z.object({ id: z.string(), project: z.string() })),
});

const snippetLength = 300;
const usualLimit = 10;
const mostResults = 100;

/** Ranks the records of an exported backup in memory, without a store. */
export async function searchExport(
  { terminal, globals }: CommandContext,
  file: string,
  input: Readonly<Record<string, unknown>>,
): Promise<number> {
  const records = recordsOf(readBackup(file)).filter(wanted(input));
  const limit = limitOf(input.limit);
  const ranked = rankSet(records, String(input.query), records.length);
  const byId = new Map(records.map((record) => [record.id, record]));
  const results = ranked.slice(0, limit).flatMap(({ id, score }) => {
    const record = byId.get(id);
    if (record === undefined) return [];
    const { kind, sessionId, title, type, body, timestamp, files, project } = record;
    const narrative = cutCodePoints(body, snippetLength);
    const found = { obsId: id, sessionId, title, type, score, timestamp, narrative, kind, files };
    return [project === undefined ? found : { ...found, project }];
  });
  const answer = {
    success: true,
    mode: "compact" as const,
    results,
    totalCount: ranked.length,
    streams: ["keyword"],
  };
  if (globals.json) printJson({ terminal, globals }, answer);
  else terminal.print(rendered("search.smart", answer, terminal));
  return results.length === 0 ? 3 : 0;
}

interface BackupRecord {
  readonly id: string;
  readonly kind: "memory" | "observation";
  readonly sessionId: string;
  readonly type: string;
  readonly title: string;
  readonly body: string;
  readonly concepts: string[];
  readonly files: string[];
  readonly timestamp: string;
  readonly project: string | undefined;
}

function limitOf(limit: unknown): number {
  if (limit === undefined) return usualLimit;
  if (typeof limit === "number" && Number.isInteger(limit) && limit >= 1) return Math.min(limit, mostResults);
  throw new MemsvcError("invalid_input", "--limit must be a whole number of at least 1");
}

/** Whether a record is among those that the filters ask for. A memory without a project is everybody's. */
function wanted(input: Readonly<Record<string, unknown>>): (record: BackupRecord) => boolean {
  const { kinds, project } = input;
  const isOfProject = typeof project === "string" ? projectTest(project) : () => true;
  const since = timeOf("since", input.since) ?? Number.NEGATIVE_INFINITY;
  const until = timeOf("until", input.until) ?? Number.POSITIVE_INFINITY;
  return ({ kind, timestamp, project: own }) => {
    const at = Date.parse(timestamp);
    const isInTime = Number.isNaN(at) ? input.since === undefined : at >= since && at <= until;
    return (
      (!Array.isArray(kinds) || kinds.includes(kind)) &&
      (own === undefined ? project === undefined || kind === "memory" : isOfProject(own)) &&
      isInTime
    );
  };
}

/** Whether a project is the one that is asked for: a folder and its name mean the same. */
function projectTest(project: string): (own: string) => boolean {
  const formOf = (text: string) => projectNaming(text, undefined, homedir()).form;
  const asked = formOf(project);
  const name = asked.kind === "path" ? projectOf(asked.path, undefined) : asked.name;
  return (own) => {
    const form = formOf(own);
    if (form.kind === "name") return form.name === name;
    return asked.kind === "path" ? form.path === asked.path : lastSegment(form.path) === name;
  };
}

function timeOf(name: string, text: unknown): number | undefined {
  if (text === undefined) return undefined;
  // A time without an offset is one in UTC, as everywhere; a date alone is read so by the runtime itself.
  const written = String(text);
  const isLocal = /T[\d:.]+$/u.test(written);
  const at = Date.parse(isLocal ? `${written}Z` : written);
  if (!Number.isNaN(at)) return at;
  throw new MemsvcError("invalid_input", `--${name} must be an ISO 8601 time such as 2025-01-31T09:08:07Z`);
}

function recordsOf({ memories, observations, sessions }: z.infer<typeof Backup>): BackupRecord[] {
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
  ];
}

function readBackup(file: string): z.infer<typeof Backup> {
  const bytes = bytesOf(file);
  try {
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    // Takes the mark off that editors put before UTF-8.
    const value = parseJson(new TextDecoder().decode(isGzip ? gunzipSync(bytes) : bytes));
    const keys = Object.keys(value ?? {});
    if (keys.includes("memories") || keys.includes("observations")) return Backup.parse(value);
  } catch (error) {
    throw noExport(file, error);
  }
  throw noExport(file);
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
    throw new MemsvcError("not_found", `${file} cannot be read`, {
      hint: "look at the path that --in names",
      cause: error,
    });
  }
}
