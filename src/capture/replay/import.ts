import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import type { Lessons } from "../../knowledge/lessons/lessons.ts";
import { invalidateProfiles } from "../../knowledge/profiles/cache.ts";
import type { StoringServices } from "../observations/capture.ts";
import { widenImported } from "../sessions/activity.ts";
import type { Writer } from "../sessions/agent-scope.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { enqueueStop } from "../sessions/stop-pipeline.ts";
import { type Imported, mostFiles } from "./answers.ts";
import { type ImportedFile, importFile } from "./import-file.ts";
import { type AskedPaths, importPaths } from "./import-paths.ts";
import { LessonExtraction } from "./lesson-extraction.ts";
import type { Transcript } from "./transcript.ts";
import { type FoundTranscripts, findTranscripts, unreadableTranscript } from "./transcript-files.ts";
import { surveyTranscript } from "./transcript-survey.ts";

export interface ImportInput extends Writer, AskedPaths {
  readonly maxFiles: number;
  readonly project?: string | undefined;
  /** What a relative path starts from; the server's folder unless given. */
  readonly cwd?: string | undefined;
}

export interface ImportServices extends StoringServices {
  readonly sessions: Sessions;
  readonly lessons: Lessons;
  readonly audit: Audit;
}

/**
 * Imports the transcripts at a path. Everything is stored when it returns, except what models and embedders
 * add later. Errors: forbidden, not_found, invalid_input.
 */
export async function importTranscripts(
  ground: Ground,
  services: ImportServices,
  userHome: string,
  input: ImportInput,
): Promise<Imported> {
  const confinement = { roots: ground.settings.allowedRoots, cwd: input.cwd, home: ground.home };
  const place = { home: userHome, platform: process.platform, env: process.env };
  const { paths, problems } = importPaths(input, place, confinement);
  const found = await findTranscripts(paths, input.maxFiles, problems);
  try {
    return await importFound(ground, services, found, input);
  } finally {
    found.close();
  }
}

async function importFound(
  ground: Ground,
  services: ImportServices,
  found: FoundTranscripts,
  input: ImportInput,
): Promise<Imported> {
  const errors = [...found.problems];
  const sessionIds = new Set<string>();
  const lessonExtraction = new LessonExtraction();
  const sessionsBeside = new Set(found.transcripts.map(({ session }) => session));
  const sums = { imported: 0, observations: 0, skippedDuplicates: 0 };
  let leftDeleted = 0;
  for (const transcript of found.transcripts) {
    const { path } = transcript;
    try {
      const one = { ...input, transcript, lessonExtraction, sessionsBeside };
      const file = await importOne(ground, services, one);
      if (file.brokenLines > 0) errors.push({ path, error: brokenLines(file) });
      leftDeleted += file.leftDeleted;
      sums.skippedDuplicates += file.skippedDuplicates;
      if (file.times === undefined) continue;
      sessionIds.add(file.sessionId);
      sums.imported += 1;
      sums.observations += file.observations;
    } catch (error) {
      errors.push(unreadableTranscript(path, error));
    }
  }
  const lessons = lessonExtraction.created;
  await conclude(ground, services, input, { ...sums, sessionIds: [...sessionIds], lessons });
  ground.wakeJobs();
  return {
    ...sums,
    ...(leftDeleted === 0 ? {} : { leftDeleted }),
    sessionIds: [...sessionIds],
    lessons,
    discovered: found.discovered,
    truncated: found.truncated,
    traversalCapped: found.traversalCapped,
    maxFiles: input.maxFiles,
    maxFilesUpperBound: mostFiles,
    errors,
  };
}

function brokenLines({ brokenLines: broken, lines }: ImportedFile): string {
  return `${broken} of ${lines} lines are no JSON objects and were passed over`;
}

interface OneTranscript extends ImportInput {
  readonly transcript: Transcript;
  readonly lessonExtraction: LessonExtraction;
  /** The sessions that the transcripts of this import are named after. */
  readonly sessionsBeside: ReadonlySet<string>;
}

async function importOne(
  ground: Ground,
  services: ImportServices,
  { transcript, project, agentId, defaultAgentId, lessonExtraction, sessionsBeside }: OneTranscript,
): Promise<ImportedFile & { sessionId: string }> {
  const told = await surveyTranscript(transcript);
  const survey = { ...told, project: project ?? told.project };
  const { sessionId } = survey;
  const file = await importFile(ground, services, {
    transcript,
    survey,
    writer: { agentId, defaultAgentId },
    lessonExtraction,
    sessionsBeside,
  });
  const { times, observations } = file;
  if (times !== undefined) {
    await ground.store.write(async (tx) => {
      // An import that was interrupted has stored events, but neither ended their session nor queued the work
      // after its end.
      const wasOpen = await widenImported(tx.sql, sessionId, times);
      if (!wasOpen && observations === 0) return;
      const session = await services.sessions.find(tx, sessionId);
      if (session === undefined) return;
      await invalidateProfiles(tx.sql, session.projectKey);
      await enqueueStop(tx, ground, session, "import");
    });
  }
  return { ...file, sessionId };
}

interface Sums {
  readonly imported: number;
  readonly observations: number;
  readonly skippedDuplicates: number;
  readonly sessionIds: readonly string[];
  readonly lessons: number;
}

/** Writes one audit entry for the whole import; none if nothing was new. */
async function conclude(
  ground: Ground,
  services: ImportServices,
  writer: Writer,
  { sessionIds, imported, observations, skippedDuplicates, lessons }: Sums,
): Promise<void> {
  if (observations === 0) return;
  await ground.store.write(async (tx) => {
    await services.audit.record(tx, {
      operation: "import",
      functionId: "store.import",
      targetIds: sessionIds,
      details: { strategy: "transcripts", files: imported, observations, skippedDuplicates, lessons },
      agentId: await services.agents.writer(tx.sql, writer),
    });
  });
}
