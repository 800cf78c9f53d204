import type { AnsweredQuestions } from "../../llm/answered-questions.ts";
import type { KeyedMutex } from "./keyed-mutex.ts";

/** State that the runs of one process share. */
export interface SharedRunState {
  /** Questions that background runs need not ask a model again. */
  readonly answered: AnsweredQuestions;
  readonly groupsInWork: KeyedMutex;
}
