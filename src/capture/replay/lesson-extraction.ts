import type { Lessons } from "../../knowledge/lessons/lessons.ts";
import type { Transaction } from "../../store/store.ts";
import type { PreparedEvent } from "../observations/prepare-event.ts";
import { sentencesOf } from "../observations/rules/sentences.ts";
import type { Projects } from "../projects/projects.ts";
import type { Sessions } from "../sessions/sessions.ts";

const mostLessons = 20;
const confidence = 0.4;

const cue = /\b(?:lessons?|remember to|always|never)\b/iu;
/** A shorter sentence says nothing by itself, a longer one more than one thing. */
const shortest = 12;
const longest = 400;

export interface LessonServices {
  readonly lessons: Lessons;
  readonly sessions: Sessions;
  readonly projects: Projects;
}

/** An event that is new, and the observation that it became. */
type Fresh = readonly [event: PreparedEvent, observationId: string];

/** What was saved of a batch. */
interface Heard {
  readonly sentences: ReadonlySet<string>;
  readonly created: number;
}

/**
 * The lessons of an import: the first sentences with a cue that the user or the assistant said. They are saved with the
 * events that they were said in, since the next import hears nothing of events that are stored.
 */
export class LessonExtraction {
  readonly #saved = new Set<string>();
  #created = 0;

  /** How many are new. */
  get created(): number {
    return this.#created;
  }

  /** Saves what new events tell as lessons of their sessions' projects. */
  async save(tx: Transaction, services: LessonServices, events: readonly Fresh[]): Promise<Heard> {
    const sentences = new Set<string>();
    let created = 0;
    for (const [{ event, picked }, observationId] of events) {
      if (event.hookType !== "prompt_submit" && event.hookType !== "stop") continue;
      for (const sentence of lessonSentences(picked.userPrompt ?? picked.assistantResponse ?? "")) {
        if (this.#saved.size + sentences.size === mostLessons) return { sentences, created };
        if (this.#saved.has(sentence) || sentences.has(sentence)) continue;
        sentences.add(sentence);
        if (await saveOne(tx, services, { sentence, observationId, sessionId: event.sessionId }))
          created += 1;
      }
    }
    return { sentences, created };
  }

  /** Notes what is stored by now. */
  stored({ sentences, created }: Heard): void {
    for (const sentence of sentences) this.#saved.add(sentence);
    this.#created += created;
  }
}

/** Says whether the lesson is new. */
async function saveOne(
  tx: Transaction,
  { lessons, sessions, projects }: LessonServices,
  said: { readonly sentence: string; readonly observationId: string; readonly sessionId: string },
): Promise<boolean> {
  const session = await sessions.find(tx, said.sessionId);
  const { action } = await lessons.save(tx, {
    content: said.sentence,
    confidence,
    source: "consolidation",
    sourceIds: [said.observationId],
    tags: ["auto-import"],
    project: session && (await projects.nameOf(tx.sql, session.projectKey, session.project)),
    agentId: session?.agentId ?? undefined,
  });
  return action === "created";
}

/** The sentences of a text that read like lessons. */
function* lessonSentences(text: string): Generator<string> {
  if (!cue.test(text)) return;
  for (const sentence of sentencesOf(text)) {
    if (sentence.length >= shortest && sentence.length <= longest && cue.test(sentence)) yield sentence;
  }
}
