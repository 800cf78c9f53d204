import type { AnsweredQuestions } from "../../llm/answered-questions.ts";
import type { KeyedMutex } from "./keyed-mutex.ts";

/** What the runs of one process know of each other. */
export interface SharedRunState {
  /** What runs that nobody asked for need not ask a model again. */
  readonly answered: AnsweredQuestions;
  readonly groupsInWork: KeyedMutex;
}
