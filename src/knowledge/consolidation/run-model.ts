import type * as z from "zod";
import type { Ground } from "../../ground.ts";
import type { AnsweredQuestions } from "../../llm/answered-questions.ts";
import { wasInVain } from "../../llm/in-vain.ts";
import type { LlmPurpose } from "../../llm/language-model.ts";
import { Patience } from "../../llm/patience.ts";
import { isMemsvcError } from "../../operation/errors.ts";

interface Question<Schema extends z.ZodType> {
  readonly purpose: LlmPurpose;
  readonly instructions: string;
  readonly prompt: string;
  readonly schema: Schema;
  /** What the answer depends on. If given, later runs can know that the question was asked. */
  readonly about?: readonly string[];
}

interface RunModelOptions {
  readonly isWanted: boolean;
  readonly background: boolean;
  /** Questions that need not be asked again; extended when the run has stored its results. */
  readonly answered?: AnsweredQuestions | undefined;
}

type Asked<Value> =
  | { readonly kind: "answered"; readonly value: Value; readonly provider: string }
  | { readonly kind: "failed"; readonly reason: string };

/** The language model, as one run may use it. */
export class RunModel {
  readonly #ground: Pick<Ground, "llm">;
  readonly #background: boolean;
  readonly #isWanted: boolean;
  readonly #patience: Patience;
  /** Why the model is not asked again in this run. */
  #down: string | undefined;
  readonly #answeredBefore: AnsweredQuestions | undefined;
  readonly #settledNow: (readonly string[])[] = [];

  constructor(ground: Pick<Ground, "llm">, options: RunModelOptions) {
    this.#ground = ground;
    this.#isWanted = options.isWanted && ground.llm.provider !== "noop";
    this.#background = options.background;
    this.#patience = new Patience(ground.llm);
    this.#answeredBefore = options.answered;
  }

  /** Whether a model is used at all; false means rules only. */
  get isUsed(): boolean {
    return this.#isWanted;
  }

  get provider(): string {
    return this.#ground.llm.provider;
  }

  /** Whether an earlier run asked this question, with or without success, and stored the outcome. */
  hasSettled({ about }: { readonly about: readonly string[] }): boolean {
    return this.#answeredBefore?.has(about) ?? false;
  }

  /** At the end of the run: remembers its questions for later runs. */
  noteSettled(): void {
    for (const about of this.#settledNow) this.#answeredBefore?.add(about);
  }

  /**
   * Error: unavailable, with the time to wait, when the run is in the background and waiting is worthwhile.
   */
  async ask<Schema extends z.ZodType>({
    about,
    ...question
  }: Question<Schema>): Promise<Asked<z.output<Schema>>> {
    if (this.#down !== undefined) return { kind: "failed", reason: this.#down };
    try {
      const { value, provider } = await this.#ground.llm.ask({ ...question, background: this.#background });
      if (about !== undefined) this.#settledNow.push(about);
      return { kind: "answered", value, provider };
    } catch (error) {
      if (about !== undefined && wasInVain(error)) this.#settledNow.push(about);
      return { kind: "failed", reason: this.failure(error) };
    }
  }

  /**
   * Why the model gave nothing usable. Rethrows errors that do not come from the model, and in the background
   * those worth waiting for.
   */
  failure(error: unknown): string {
    if (this.#background && this.#patience.isWorthWaiting(error)) throw error;
    if (isMemsvcError(error, "unavailable")) this.#down = error.message;
    else if (!isMemsvcError(error, "provider_failed")) throw error;
    return error.message;
  }
}
