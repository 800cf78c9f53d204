import type { EmbeddingModel } from "../provider.ts";

export type VendorName = Exclude<EmbeddingModel["provider"], "local" | "static">;

/** Where texts go, as the settings say. */
export interface RemoteEndpoint {
  readonly vendor: VendorName;
  readonly model: string;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** Asked for by the user. */
  readonly dimensions: number | undefined;
  readonly batchSize: number;
  readonly timeoutMs: number;
}

/** The models of vendors where the user names none. */
export const vendorModels: Readonly<Record<VendorName, string>> = {
  openai: "text-embedding-3-small",
  gemini: "gemini-embedding-001",
  voyage: "voyage-3.5",
  cohere: "embed-multilingual-v3.0",
  openrouter: "openai/text-embedding-3-small",
};

/** Gemini's own 3,072 numbers find hardly more than their first 768. */
export const geminiDimensions = 768;

const knownDimensions: Readonly<Record<string, number>> = {
  "text-embedding-3-small": 1536,
  "text-embedding-3-large": 3072,
  "text-embedding-ada-002": 1536,
  "gemini-embedding-001": geminiDimensions,
  "voyage-3.5": 1024,
  "voyage-3.5-lite": 1024,
  "voyage-3-large": 1024,
  "voyage-code-3": 1024,
  "embed-multilingual-v3.0": 1024,
  "embed-english-v3.0": 1024,
  "embed-multilingual-light-v3.0": 384,
  "embed-english-light-v3.0": 384,
  "embed-v4.0": 1536,
};

/** Length of the vectors as far as it is known without asking. */
export function declaredDimensions({ model, dimensions }: RemoteEndpoint): number | undefined {
  return dimensions ?? knownDimensions[model.replace(/^openai\//u, "")];
}

export function remoteModel({ vendor, model }: RemoteEndpoint, dimensions: number): EmbeddingModel {
  return { provider: vendor, name: model, dimensions, fingerprint: `${vendor}/${model}/${dimensions}` };
}
