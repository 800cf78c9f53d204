import type { Lessons } from "../../knowledge/lessons/lessons.ts";
import type { Transaction } from "../../store/store.ts";
import { sentencesOf } from "../../text/sentences.ts";
import type { PreparedEvent } from "../observations/prepare-event.ts";
import { type Speaker, withoutDescriptions } from "../observations/prose/cues.ts";
import type { Projects } from "../projects/projects.ts";
import type { Sessions } from "../sessions/sessions.ts";

const mostLessons = 20;
const confidence = 0.4;

const cue = /\b(?:lessons?|remember to|always|never)\b/iu;
/** Shorter sentences say nothing by themselves, longer ones say several things. */
const shortest = 12;
const longest = 400;

export interface LessonServices {
  readonly lessons: Lessons;
  readonly sessions: Sessions;
  readonly projects: Projects;
}

/** A new event, and the id of its observation. */
type Fresh = readonly [event: PreparedEvent, observationId: string];

/** The lessons that were saved from a batch. */
interface SavedLessons {
  readonly sentences: ReadonlySet<string>;
  readonly created: number;
}

/**
 * Extracts the lessons of an import: the first sentences with a cue from the user or the assistant. They are
 * saved in the transaction of their events, because the next import skips events that are stored.
 */
export class LessonExtraction {
  readonly #saved = new Set<string>();
  #created = 0;

  /** How many lessons are new. */
  get created(): number {
    return this.#created;
  }

  /** Saves lessons from new events, for the projects of their sessions. */
  async save(tx: Transaction, services: LessonServices, events: readonly Fresh[]): Promise<SavedLessons> {
    const sentences = new Set<string>();
    let created = 0;
    for (const [{ event, picked }, observationId] of events) {
      if (event.hookType !== "prompt_submit" && event.hookType !== "stop") continue;
      const speaker = picked.userPrompt === undefined ? "agent" : "user";
      const said = picked.userPrompt ?? picked.assistantResponse ?? "";
      for (const sentence of lessonSentences(said, speaker)) {
        if (this.#saved.size + sentences.size === mostLessons) return { sentences, created };
        if (this.#saved.has(sentence) || sentences.has(sentence)) continue;
        sentences.add(sentence);
        if (await saveOne(tx, services, { sentence, observationId, sessionId: event.sessionId }))
          created += 1;
      }
    }
    return { sentences, created };
  }

  /** Records the lessons of a batch after its transaction has committed. */
  stored({ sentences, created }: SavedLessons): void {
    for (const sentence of sentences) this.#saved.add(sentence);
    this.#created += created;
  }
}

/** Returns whether the lesson is new. */
async function saveOne(
  tx: Transaction,
  { lessons, sessions, projects }: LessonServices,
  statement: { readonly sentence: string; readonly observationId: string; readonly sessionId: string },
): Promise<boolean> {
  const session = await sessions.find(tx, statement.sessionId);
  const { action } = await lessons.save(tx, {
    content: statement.sentence,
    confidence,
    source: "consolidation",
    sourceIds: [statement.observationId],
    tags: ["auto-import"],
    project: session && (await projects.nameOf(tx.sql, session.projectKey, session.project)),
    agentId: session?.agentId ?? undefined,
  });
  return action === "created";
}

/** The sentences of a text that read like lessons. */
function* lessonSentences(text: string, speaker: Speaker): Generator<string> {
  if (!cue.test(text)) return;
  for (const sentence of sentencesOf(text)) {
    if (sentence.length < shortest || sentence.length > longest) continue;
    if (cue.test(withoutDescriptions(sentence, speaker))) yield sentence;
  }
}
