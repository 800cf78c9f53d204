import { withoutEndSlashes } from "../net/without-end-slashes.ts";
import { MemsvcError } from "../operation/errors.ts";
import { llmKinds } from "./llm-settings.ts";
import type { Settings } from "./settings-table.ts";
import { vendorKey, vendorSetting } from "./vendor-settings.ts";
import { vendorUrls } from "./vendor-urls.ts";

export type LlmKind = (typeof llmKinds)[number];

export interface LlmProvider {
  readonly kind: LlmKind;
  readonly model: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Undefined: requests carry no credentials. */
  readonly apiKey: string | undefined;
}

export type Provider = LlmProvider | { readonly kind: "noop" };

/**
 * The language model provider in use: the one that MEMSVC_PROVIDER names, else the first configured one, else `noop`.
 * Throws `invalid_setting` if the named one has neither a key nor a base URL.
 */
export function detectProvider(settings: Settings): Provider {
  const named = settings.provider;
  if (named === "noop") return { kind: "noop" };
  if (named !== undefined) {
    const provider = configured(named, settings);
    if (provider) return provider;
    const keyName = vendorSetting(named, "API_KEY");
    const names = `neither ${keyName} nor ${vendorSetting(named, "BASE_URL")}`;
    throw new MemsvcError("invalid_setting", `MEMSVC_PROVIDER is ${named}, but ${names} is set for it`, {
      hint: `Set ${keyName} in the config file, or MEMSVC_PROVIDER=noop to do without a language model.`,
    });
  }
  for (const kind of llmKinds) {
    const provider = configured(kind, settings);
    // Local servers that speak OpenAI's interface need no key.
    if (provider && (provider.apiKey !== undefined || kind === "openai")) return provider;
  }
  return { kind: "noop" };
}

/** The configured providers of MEMSVC_FALLBACK_PROVIDERS in order, without the one in use. */
export function fallbackProviders(settings: Settings): LlmProvider[] {
  const inUse = detectProvider(settings);
  // If language models are switched off, fallbacks are off too.
  if (inUse.kind === "noop") return [];
  return settings.fallbackProviders
    .filter((kind) => kind !== inUse.kind)
    .flatMap((kind) => configured(kind, settings) ?? []);
}

function configured(kind: LlmKind, settings: Settings): LlmProvider | undefined {
  const isKeyMeant = kind !== "openai" || settings.openaiApiKeyForLlm;
  const apiKey = isKeyMeant ? vendorKey(kind, settings) : undefined;
  const address = settings[`${kind}BaseUrl` as const];
  if (apiKey === undefined && address === undefined) return undefined;
  return {
    kind,
    model: settings[`${kind}Model` as const],
    baseUrl: withoutEndSlashes(address ?? vendorUrls[kind]),
    apiKey,
  };
}
