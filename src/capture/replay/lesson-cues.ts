import type { Lessons } from "../../knowledge/lessons/lessons.ts";
import type { Transaction } from "../../store/store.ts";
import type { Arrival } from "../observations/arrival.ts";
import { sentencesOf } from "../observations/sentences.ts";
import type { Projects } from "../projects/projects.ts";
import type { Sessions } from "../sessions/sessions.ts";

const mostLessons = 20;
const confidence = 0.4;

const cue = /\b(?:lessons?|remember to|always|never)\b/iu;
/** A shorter sentence says nothing by itself, a longer one more than one thing. */
const shortest = 12;
const longest = 400;

interface Services {
  readonly lessons: Lessons;
  readonly sessions: Sessions;
  readonly projects: Projects;
}

/** What an import hears of lessons: the first sentences with a cue that the user or the assistant said. */
export class HeardLessons {
  readonly #heard = new Map<string, { readonly observationId: string; readonly sessionId: string }>();

  /** Listens to an event that is new. */
  hear({ event, picked }: Arrival, observationId: string): void {
    if (event.hookType !== "prompt_submit" && event.hookType !== "stop") return;
    for (const sentence of lessonSentences(picked.userPrompt ?? picked.assistantResponse ?? "")) {
      if (this.#heard.size === mostLessons) return;
      if (!this.#heard.has(sentence))
        this.#heard.set(sentence, { observationId, sessionId: event.sessionId });
    }
  }

  /** Saves them as lessons of their sessions' projects. Returns how many are new. */
  async save(tx: Transaction, { lessons, sessions, projects }: Services): Promise<number> {
    let created = 0;
    for (const [content, { observationId, sessionId }] of this.#heard) {
      const session = await sessions.find(tx, sessionId);
      const project = session && (await projects.nameOf(tx.sql, session.projectKey, session.project));
      const { action } = await lessons.save(tx, {
        content,
        confidence,
        source: "consolidation",
        sourceIds: [observationId],
        tags: ["auto-import"],
        project,
        agentId: session?.agentId ?? undefined,
      });
      if (action === "created") created += 1;
    }
    return created;
  }
}

/** The sentences of a text that read like lessons. */
function* lessonSentences(text: string): Generator<string> {
  if (!cue.test(text)) return;
  for (const sentence of sentencesOf(text)) {
    if (sentence.length >= shortest && sentence.length <= longest && cue.test(sentence)) yield sentence;
  }
}
