import type { Observations } from "../../capture/observations/observations.ts";
import { wordsOfUser } from "../../capture/observations/prose/agent-notes.ts";
import { isShortReply } from "../../capture/observations/prose/short-reply.ts";
import { promptsBefore } from "../../capture/observations/reads/history.ts";
import type { Observation } from "../../capture/observations/record.ts";
import type { Projects } from "../../capture/projects/projects.ts";
import type { AgentScopes } from "../../capture/sessions/agent-scope.ts";
import type { Sessions } from "../../capture/sessions/sessions.ts";
import type { View } from "../../capture/sessions/view.ts";
import type { Ground } from "../../ground.ts";
import { knownConcept, type TouchingDocument } from "../../index/documents/touching.ts";
import type { SearchScope } from "../../index/scope.ts";
import { presentTitles } from "../../knowledge/memories/titles/present-titles.ts";
import { compareTexts } from "../../text/compare-texts.ts";
import { untilDeadline } from "../context/until-deadline.ts";
import type { Search } from "../search/search.ts";
import type { Enrichment } from "./answers.ts";
import type { Asked } from "./edit-lines.ts";
import { fencedNotes } from "./fenced-notes.ts";
import { conceptsOf, fileNotes } from "./file-notes.ts";
import { toldOf } from "./file-told.ts";
import { type FileTraces, fileTraces } from "./file-traces.ts";
import { leftToDoByFile } from "./left-to-do.ts";
import { historyLines, noteLines } from "./note-lines.ts";
import { findRelatedMemories } from "./related-memories.ts";
import { type HistoryInput, type Place, placesOf } from "./request-places.ts";
import { bareName } from "./same-file.ts";

const deadlineMs = 900;
const maxContext = 4_000;
const maxHistory = 8_000;
const maxEdits = 30;
const maxConcepts = 15;
const historySessions = 15;
const historyPerFile = 5;
/** Least importance of observations in a file's history, of 10. */
const historyImportance = 4;

interface EnrichInput extends HistoryInput {
  readonly sessionId: string;
  readonly terms: readonly string[];
  readonly toolName?: string | undefined;
}

interface Services {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly sessions: Sessions;
  readonly observations: Observations;
  readonly search: Search;
}

/** Finds what is known about files before an agent touches them. Uses no model, and keeps to a deadline. */
export class FileKnowledge {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /** Edits, issues, memories and tags of files. Error: invalid_input when agents are isolated and none is named. */
  async enrich(input: EnrichInput, countsAsRecall: boolean): Promise<Enrichment> {
    if (input.toolName !== undefined)
      this.#ground.log("debug", "enrich", { tool: input.toolName, files: input.files.length });
    const { place, placeOf } = await placesOf(this.#ground, this.#services, input, ["observation", "memory"]);
    const { sql } = this.#ground.store.read;
    const files = [...new Set(input.files)];
    const found = await untilDeadline(
      files.map((file) => () => fileTraces(sql, file, placeOf(file))),
      deadlineMs,
      this.#ground,
    );
    const traces = files.map((file) => found.find((one) => one.file === file) ?? unseen(file));
    const relatedMemories = await findRelatedMemories(sql, this.#services.search, input, { traces, placeOf });
    const remembered = traces.flatMap((one) => one.traces).filter(({ kind }) => kind === "memory");
    const titles = await presentTitles(sql, [...new Set(remembered.map(({ ref }) => ref))]);
    const noted = traces.map((trace) => ({ trace, note: fileNotes(trace, titles) }));
    const notes = noted.map(({ note }) => note);
    const concepts = await this.#concepts(input, traces, place.scope);
    const editHistory = newestOf(notes.flatMap((note) => note.editHistory)).slice(0, maxEdits);
    const knownIssues = newestOf(notes.flatMap((note) => note.knownIssues));
    if (countsAsRecall) {
      this.#services.search.notes.handedOut(relatedMemories.map(({ kind, obsId }) => ({ kind, ref: obsId })));
    }
    const edits = await this.#observations(editHistory.map(({ obsId }) => obsId));
    const leftIn = onceFor((view: View) => leftToDoByFile(sql, view, input.sessionId));
    const told = await Promise.all(
      noted.map(async ({ trace, note }) => {
        const request = placeOf(trace.file);
        return toldOf(trace, note, { request, leftIn: await leftIn(request.view), edits });
      }),
    );
    const lines = noteLines(
      told.filter((one) => one !== undefined),
      await this.#asked([...edits.values()]),
      relatedMemories,
      concepts,
    );
    const { text, truncated } = fencedNotes("memsvc-file-notes", place.project, lines, maxContext);
    const isCut = truncated || found.length < files.length;
    return {
      context: text,
      truncated: isCut,
      files: notes,
      relatedMemories,
      editHistory,
      knownIssues,
      concepts,
    };
  }

  /** The history of files in earlier sessions, with the full records. */
  async history(
    input: HistoryInput,
  ): Promise<{ context: string; files: { file: string; observations: Observation[] }[] }> {
    if (input.files.length === 0) return { context: "", files: [] };
    const { place, placeOf } = await placesOf(this.#ground, this.#services, input, ["observation"]);
    const sessionsIn = onceFor((one: Place) => this.#newestSessions(input, one));
    const { sql } = this.#ground.store.read;
    const files: { file: string; observations: Observation[] }[] = [];
    for (const file of new Set(input.files)) {
      const { traces } = await fileTraces(sql, file, placeOf(file));
      const sessions = await sessionsIn(placeOf(file));
      const best = mostImportant(
        traces.filter(({ sessionId }) => sessionId !== null && sessions.has(sessionId)),
      );
      const byId = await this.#observations(best.map(({ ref }) => ref));
      const observations = best.flatMap(({ ref }) => byId.get(ref) ?? []);
      if (observations.length > 0) files.push({ file, observations });
    }
    const asked = await this.#asked(files.flatMap(({ observations }) => observations));
    const lines = historyLines(files, asked);
    const { text } = fencedNotes("memsvc-file-history", place.project, lines, maxHistory);
    return { context: text, files };
  }

  /** The newest sessions of a place, without the one that asks. */
  async #newestSessions(input: HistoryInput, { project, cwd }: Place): Promise<ReadonlySet<string>> {
    const { sessions } = await this.#services.sessions.list({
      ...input,
      project,
      cwd,
      limit: historySessions + 1,
      offset: 0,
    });
    const others = sessions.map(({ id }) => id).filter((id) => id !== input.sessionId);
    return new Set(others.slice(0, historySessions));
  }

  async #observations(ids: readonly string[]): Promise<Map<string, Observation>> {
    const records = await this.#services.observations.byIds(ids);
    return new Map(records.map(({ observation }) => [observation.id, observation]));
  }

  /** The prompts that led to observations: the best available hint at why something was done. */
  async #asked(observations: readonly Observation[]): Promise<Asked> {
    const ids = observations.map(({ id }) => id);
    const prompts = await promptsBefore(this.#ground.store.read.sql, ids);
    const telling = (asked: readonly string[]) => asked.map(wordsOfUser).find((one) => !isShortReply(one));
    return new Map([...prompts].map(([id, asked]) => [id, telling(asked) ?? ""]));
  }

  async #concepts(
    { terms, files }: EnrichInput,
    traces: readonly FileTraces[],
    scope: SearchScope,
  ): Promise<string[]> {
    const { sql } = this.#ground.store.read;
    const known: string[] = [];
    for (const word of new Set([...terms, ...files.map(bareName)].map((name) => name.trim().toLowerCase()))) {
      const tag = await knownConcept(sql, word, scope);
      if (tag !== undefined) known.push(tag);
    }
    const frequent = conceptsOf(traces.flatMap((file) => file.traces));
    return [...new Set([...known, ...frequent])].slice(0, maxConcepts);
  }
}

/** The same function, called at most once for each key. */
function onceFor<Key extends object, Value>(
  read: (key: Key) => Promise<Value>,
): (key: Key) => Promise<Value> {
  const made = new Map<Key, Promise<Value>>();
  return (key) => {
    const value = made.get(key) ?? read(key);
    made.set(key, value);
    return value;
  };
}

/** Stands for a file that was not looked up because time ran out. */
function unseen(file: string): FileTraces {
  return { file, formerNames: [], traces: [], isCutOff: true };
}

function mostImportant(traces: readonly TouchingDocument[]): TouchingDocument[] {
  return traces
    .filter(({ importance }) => Math.round(1 + 9 * importance) >= historyImportance)
    .toSorted((a, b) => b.importance - a.importance || b.createdAt - a.createdAt)
    .slice(0, historyPerFile);
}

/**
 * Sorts newest first, entries of the same time in the order of the files. A record that touched several files is in it
 * for each.
 */
function newestOf<Entry extends { readonly timestamp: string }>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => compareTexts(b.timestamp, a.timestamp));
}
