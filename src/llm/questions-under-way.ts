import type * as z from "zod";
import type { LlmAnswer, LlmRequest } from "./language-model.ts";

/*
 * What a model is asked at this moment. A request may want the summary that the end of its session is having made, or
 * distil what a timer distils: both need the one answer, which is paid once.
 */

interface UnderWay {
  readonly schema: z.ZodType;
  readonly answer: Promise<LlmAnswer<unknown>>;
}

export class QuestionsUnderWay {
  readonly #byText = new Map<string, UnderWay>();

  /** The answer that somebody waits for who asks the same. */
  like<Schema extends z.ZodType>(
    request: LlmRequest<Schema>,
  ): Promise<LlmAnswer<z.output<Schema>>> | undefined {
    const same = this.#byText.get(textOf(request));
    if (same?.schema !== request.schema) return undefined;
    // It was read by the very schema of this request.
    return same.answer as Promise<LlmAnswer<z.output<Schema>>>;
  }

  /** Lets others find an answer until it is there. */
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
