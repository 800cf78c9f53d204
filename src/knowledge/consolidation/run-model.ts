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
  /** What the answer goes by. Where it is told, a later run can know that it was asked. */
  readonly about?: readonly string[];
}

interface RunModelOptions {
  readonly isWanted: boolean;
  readonly background: boolean;
  /** What need not be asked, and where it is noted once the run has kept what came of it. */
  readonly answered?: AnsweredQuestions | undefined;
}

type Asked<Value> =
  | { readonly kind: "answered"; readonly value: Value; readonly provider: string }
  | { readonly kind: "failed"; readonly reason: string };

/** The language model as one run may use it. */
export class RunModel {
  readonly #ground: Pick<Ground, "llm">;
  readonly #background: boolean;
  readonly #isWanted: boolean;
  readonly #patience: Patience;
  /** Why it is not asked again in this run. */
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

  /** Whether rules have to do without it from the start. */
  get isUsed(): boolean {
    return this.#isWanted;
  }

  get provider(): string {
    return this.#ground.llm.provider;
  }

  /** Whether an earlier run asked this, in vain or not, and has kept what came of it. */
  hasSettled({ about }: { readonly about: readonly string[] }): boolean {
    return this.#answeredBefore?.has(about) ?? false;
  }

  /** Notes for later runs what was answered or asked in vain, at the end of the run. */
  noteSettled(): void {
    for (const about of this.#settledNow) this.#answeredBefore?.add(about);
  }

  /** Error: unavailable, with the time to wait, when nobody waits for the answer and it is worth waiting. */
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

  /** Why the model gave nothing of use; what is no matter of the model, or to be waited for, is thrown again. */
  failure(error: unknown): string {
    if (this.#background && this.#patience.isWorthWaiting(error)) throw error;
    if (isMemsvcError(error, "unavailable")) this.#down = error.message;
    else if (!isMemsvcError(error, "provider_failed")) throw error;
    return error.message;
  }
}
