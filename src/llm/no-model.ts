import { MemsvcError } from "../operation/errors.ts";
import type { LanguageModel } from "./language-model.ts";

/** Used without a provider: every question fails. */
export const noModel: LanguageModel = {
  provider: "noop",
  ask: async () => {
    throw new MemsvcError("unavailable", "no language model provider is set", {
      hint: "set the key of one, such as ANTHROPIC_API_KEY or OPENAI_BASE_URL, in the config file",
    });
  },
  state: () => ({ state: "closed", failures: 0, lastFailureAt: null, openedAt: null, problems: [] }),
  close: async () => undefined,
};
