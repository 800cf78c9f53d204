import * as z from "zod";
import type { LanguageModel, LlmRequest } from "../../src/llm/language-model.ts";
import { openTestCore, type TestCore } from "./core.ts";
import { type ModelServer, openModelServer } from "./model-server.ts";

const Answer = z.object({ colour: z.string() });
type Question = LlmRequest<typeof Answer>;

export const question: Question = {
  purpose: "summary",
  instructions: "Name the colour.",
  prompt: "The sky.",
  schema: Answer,
  background: false,
};

/** A good answer of the server, and a failure. */
export const blue = { kind: "json", value: { colour: "blue" } } as const;
export const broken = { kind: "status", status: 500 } as const;

/** A server of language models, and a store whose model asks it. */
export interface AskedModel {
  readonly server: ModelServer;
  /** Opens the store, with its clock at noon. */
  open(env?: Record<string, string>): Promise<TestCore>;
  model(): LanguageModel;
  /** Asks the question, which must fail; returns the code and the extra fields of its error. */
  failed(request?: Partial<Question>): Promise<unknown>;
  close(): Promise<void>;
}

export async function openAskedModel(): Promise<AskedModel> {
  const server = await openModelServer();
  let store: TestCore | undefined;
  const model = (): LanguageModel => {
    if (store === undefined) throw new Error("no store is open");
    return store.core.ground.llm;
  };
  return {
    server,
    model,
    open: async (env = {}) => {
      store = await openTestCore({
        env: { ...server.env("openai"), ...env },
        startAt: "2026-03-01T12:00:00.000Z",
      });
      return store;
    },
    failed: (request = {}) =>
      model()
        .ask({ ...question, ...request })
        .then(
          () => {
            throw new Error("the question was answered");
          },
          ({ code, extra }: { code: string; extra: Record<string, unknown> }) => ({ code, ...extra }),
        ),
    close: async () => {
      await store?.close();
      await server.close();
    },
  };
}
