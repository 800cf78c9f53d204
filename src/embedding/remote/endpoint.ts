import type { EmbeddingModel } from "../provider.ts";

export type VendorName = Exclude<EmbeddingModel["provider"], "local" | "static">;

/** Where and how texts are sent, by the settings. */
export interface RemoteEndpoint {
  readonly vendor: VendorName;
  readonly model: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** Set by the user; undefined for the model's own. */
  readonly dimensions: number | undefined;
  readonly batchSize: number;
  readonly timeoutMs: number;
}

/** The default model of each vendor. */
export const vendorModels: Readonly<Record<VendorName, string>> = {
  openai: "text-embedding-3-small",
  gemini: "gemini-embedding-001",
  voyage: "voyage-3.5",
  cohere: "embed-multilingual-v3.0",
  openrouter: "openai/text-embedding-3-small",
};

/** Shortened from Gemini's own 3,072 dimensions, which find hardly more. */
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

/** Dimensions of the vectors, if they are known without asking the vendor. */
export function declaredDimensions({ model, dimensions }: RemoteEndpoint): number | undefined {
  return dimensions ?? knownDimensions[model.replace(/^openai\//u, "")];
}

export function remoteModel({ vendor, model }: RemoteEndpoint, dimensions: number): EmbeddingModel {
  return { provider: vendor, name: model, dimensions, fingerprint: `${vendor}/${model}/${dimensions}` };
}
