import { detectProvider, fallbackProviders, type Provider } from "../config/provider.ts";
import { isMemsvcError } from "../operation/errors.ts";
import { ConfiguredModel, type ConfiguredModelOptions } from "./configured-model.ts";
import type { LanguageModel } from "./language-model.ts";
import { noModel } from "./no-model.ts";

type ModelGround = ConstructorParameters<typeof ConfiguredModel>[0];

/**
 * The language model that the settings name. The provider's code is loaded at the first question. In a daemon a
 * provider that is named but not configured is an error at the start; a hook that captures an event continues without a
 * model.
 */
export function openLanguageModel(
  ground: ModelGround,
  metrics: ConfiguredModelOptions["metrics"],
): LanguageModel {
  const provider = providerOf(ground);
  if (provider.kind === "noop") return noModel;
  return new ConfiguredModel(ground, {
    providers: [provider, ...fallbackProviders(ground.settings)],
    open: async (named) => (await import("./provider-models.ts")).openModel(named),
    metrics,
  });
}

function providerOf({ settings, log }: Pick<ModelGround, "settings" | "log">): Provider {
  try {
    return detectProvider(settings);
  } catch (error) {
    if (!isMemsvcError(error, "invalid_setting")) throw error;
    log("warn", error.message);
    return { kind: "noop" };
  }
}
