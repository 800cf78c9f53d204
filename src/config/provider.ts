import { MemsvcError } from "../operation/errors.ts";
import { llmKinds } from "./llm-settings.ts";
import type { Settings } from "./settings-table.ts";
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

interface KindSettings {
  readonly apiKey: (settings: Settings) => string | undefined;
  readonly keyName: string;
  readonly model: (settings: Settings) => string;
  readonly baseUrl: (settings: Settings) => string | undefined;
  readonly baseUrlName: string;
  /** Whether a base URL without a key suffices for it to be chosen when MEMSVC_PROVIDER is not set. */
  readonly foundByBaseUrl: boolean;
}

const kindSettings: Readonly<Record<LlmKind, KindSettings>> = {
  openai: {
    apiKey: (settings) => (settings.openaiApiKeyForLlm ? settings.openaiApiKey : undefined),
    keyName: "OPENAI_API_KEY",
    model: (settings) => settings.openaiModel,
    baseUrl: (settings) => settings.openaiBaseUrl,
    baseUrlName: "OPENAI_BASE_URL",
    foundByBaseUrl: true,
  },
  minimax: {
    apiKey: (settings) => settings.minimaxApiKey,
    keyName: "MINIMAX_API_KEY",
    model: (settings) => settings.minimaxModel,
    baseUrl: (settings) => settings.minimaxBaseUrl,
    baseUrlName: "MINIMAX_BASE_URL",
    foundByBaseUrl: false,
  },
  anthropic: {
    apiKey: (settings) => settings.anthropicApiKey,
    keyName: "ANTHROPIC_API_KEY",
    model: (settings) => settings.anthropicModel,
    baseUrl: (settings) => settings.anthropicBaseUrl,
    baseUrlName: "ANTHROPIC_BASE_URL",
    foundByBaseUrl: false,
  },
  gemini: {
    apiKey: (settings) => usableKey(settings.geminiApiKey) ?? settings.googleApiKey,
    keyName: "GEMINI_API_KEY",
    model: (settings) => settings.geminiModel,
    baseUrl: (settings) => settings.geminiBaseUrl,
    baseUrlName: "GEMINI_BASE_URL",
    foundByBaseUrl: false,
  },
  openrouter: {
    apiKey: (settings) => settings.openrouterApiKey,
    keyName: "OPENROUTER_API_KEY",
    model: (settings) => settings.openrouterModel,
    baseUrl: (settings) => settings.openrouterBaseUrl,
    baseUrlName: "OPENROUTER_BASE_URL",
    foundByBaseUrl: false,
  },
};

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
    const { keyName, baseUrlName } = kindSettings[named];
    const message = `MEMSVC_PROVIDER is ${named}, but neither ${keyName} nor ${baseUrlName} is set for it`;
    throw new MemsvcError("invalid_setting", message, {
      hint: `Set ${keyName} in the config file, or MEMSVC_PROVIDER=noop to do without a language model.`,
    });
  }
  for (const kind of llmKinds) {
    const provider = configured(kind, settings);
    if (provider && (provider.apiKey !== undefined || kindSettings[kind].foundByBaseUrl)) return provider;
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

/** The key, unless it is a placeholder from an example file. */
export function usableKey(key: string | undefined): string | undefined {
  return key === undefined || /^(?:changeme$|your[-_]|$)/i.test(key.trim()) ? undefined : key;
}

function configured(kind: LlmKind, settings: Settings): LlmProvider | undefined {
  const { apiKey, model, baseUrl } = kindSettings[kind];
  const key = usableKey(apiKey(settings));
  const address = baseUrl(settings);
  if (key === undefined && address === undefined) return undefined;
  return {
    kind,
    model: model(settings),
    baseUrl: withoutEndSlashes(address ?? vendorUrls[kind]),
    apiKey: key,
  };
}

function withoutEndSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === "/") end -= 1;
  return url.slice(0, end);
}
