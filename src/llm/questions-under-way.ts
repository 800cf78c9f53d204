import type * as z from "zod";
import type { LlmAnswer, LlmRequest } from "./language-model.ts";

/*
 * Questions that a model is answering right now, so that identical ones share an answer that is paid for once. For
 * example, a request wants the summary that the end of its session is already producing, or a timer and a request
 * distil the same.
 */

interface UnderWay {
  readonly schema: z.ZodType;
  readonly answer: Promise<LlmAnswer<unknown>>;
}

export class QuestionsUnderWay {
  readonly #byText = new Map<string, UnderWay>();

  /** The pending answer to an identical question, if there is one. */
  like<Schema extends z.ZodType>(
    request: LlmRequest<Schema>,
  ): Promise<LlmAnswer<z.output<Schema>>> | undefined {
    const same = this.#byText.get(textOf(request));
    if (same?.schema !== request.schema) return undefined;
    // Safe: the answer was parsed with the very same schema object.
    return same.answer as Promise<LlmAnswer<z.output<Schema>>>;
  }

  /** Registers a question until it is answered. */
  async add<Value>(
    request: LlmRequest<z.ZodType>,
    answer: Promise<LlmAnswer<Value>>,
  ): Promise<LlmAnswer<Value>> {
    const text = textOf(request);
    const entry = { schema: request.schema, answer };
    this.#byText.set(text, entry);
    try {
      return await answer;
    } finally {
      if (this.#byText.get(text) === entry) this.#byText.delete(text);
    }
  }
}

function textOf({ purpose, instructions, prompt }: LlmRequest<z.ZodType>): string {
  return JSON.stringify([purpose, instructions, prompt]);
}
