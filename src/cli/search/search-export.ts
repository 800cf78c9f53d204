import { projectNaming } from "../../capture/projects/project-name.ts";
import { rankSet } from "../../index/keyword/ranked-set.ts";
import { passageByQuery } from "../../index/passages/passage-by-query.ts";
import { plainWords } from "../../index/passages/plain-words.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { parseEndTime, parseTime, timeProblem } from "../../operation/fields.ts";
import { lastSegment } from "../../paths/path-text.ts";
import { projectNameOf } from "../../paths/project-folder.ts";
import { mostHits } from "../../recall/search/search-limits.ts";
import { snippetLength } from "../../recall/search/snippet.ts";
import { homeOfUser } from "../../system/home-of-user.ts";
import { cutCodePoints } from "../../text/code-points.ts";
import type { CommandContext } from "../command.ts";
import { exitCodeOf } from "../operations/exit-code.ts";
import { operations } from "../operations/operations.ts";
import { printAnswer } from "../render/print-answer.ts";
import { type BackupRecord, readBackupRecords } from "./backup-records.ts";

const usualLimit = 10;

/** Ranks the records of an exported backup in memory, without a store. */
export async function searchExport(
  context: CommandContext,
  file: string,
  input: Readonly<Record<string, unknown>>,
): Promise<number> {
  const records = readBackupRecords(file).filter(wanted(input));
  const limit = limitOf(input.limit);
  const query = String(input.query);
  const ranked = rankSet(records, query, records.length);
  const passageOf = passageByQuery(query, plainWords(query));
  const byId = new Map(records.map((record) => [record.id, record]));
  const results = ranked.slice(0, limit).flatMap(({ id, score }) => {
    const record = byId.get(id);
    if (record === undefined) return [];
    const { kind, sessionId, title, type, body, timestamp, files, project } = record;
    const narrative = cutCodePoints(body, snippetLength);
    const passage = passageOf(record);
    const shown = { narrative, ...(passage === undefined ? {} : { passage }) };
    const found = { obsId: id, sessionId, title, type, score, timestamp, ...shown, kind, files };
    return [project === undefined ? found : { ...found, project }];
  });
  const answer = {
    success: true,
    mode: "compact" as const,
    results,
    totalCount: ranked.length,
    streams: ["keyword"],
  };
  await printAnswer(context, "search.smart", answer, { query });
  return exitCodeOf(operations.smartSearch, answer);
}

function limitOf(limit: unknown): number {
  if (limit === undefined) return usualLimit;
  if (typeof limit === "number" && Number.isInteger(limit) && limit >= 1) return Math.min(limit, mostHits);
  throw new MemsvcError("invalid_input", "--limit must be a whole number of at least 1");
}

/**
 * A test for the records that the filters ask for. Memories and lessons without a project match every project; lessons
 * are only included on request.
 */
function wanted(input: Readonly<Record<string, unknown>>): (record: BackupRecord) => boolean {
  const { project } = input;
  const kinds = Array.isArray(input.kinds) ? input.kinds : usualKinds(input.includeLessons === true);
  const isOfProject = typeof project === "string" ? projectTest(project) : () => true;
  const since = timeOf("since", input.since, parseTime) ?? Number.NEGATIVE_INFINITY;
  const until = timeOf("until", input.until, parseEndTime) ?? Number.POSITIVE_INFINITY;
  return ({ kind, timestamp, project: own }) => {
    const at = Date.parse(timestamp);
    const isInTime = Number.isNaN(at) ? input.since === undefined : at >= since && at <= until;
    return (
      kinds.includes(kind) &&
      (own === undefined ? project === undefined || kind !== "observation" : isOfProject(own)) &&
      isInTime
    );
  };
}

function usualKinds(includesLessons: boolean): readonly string[] {
  return includesLessons ? ["observation", "memory", "lesson"] : ["observation", "memory"];
}

/** A test for records of the wanted project; a folder and its name count as the same project. */
function projectTest(project: string): (own: string) => boolean {
  const formOf = (text: string) => projectNaming(text, undefined, homeOfUser()).form;
  const asked = formOf(project);
  const named = asked.kind === "path" ? formOf(projectNameOf(asked.path)) : asked;
  const name = named.kind === "path" ? lastSegment(named.path) : named.name;
  const paths = [asked, named].flatMap((form) => (form.kind === "path" ? [form.path] : []));
  return (own) => {
    const form = formOf(own);
    if (form.kind === "name") return form.name === name;
    return paths.length > 0 ? paths.includes(form.path) : lastSegment(form.path) === name;
  };
}

function timeOf(name: string, text: unknown, read: (text: string) => number | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = read(String(text));
  if (time === undefined) throw new MemsvcError("invalid_input", `--${name} ${timeProblem(String(text))}`);
  return time;
}
