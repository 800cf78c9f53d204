import { basename, isAbsolute } from "node:path";
import type { Settings } from "../config/load.ts";
import { vendorKey, vendorSetting } from "../config/vendor-settings.ts";
import { vendorUrls } from "../config/vendor-urls.ts";
import { withoutEndSlashes } from "../net/without-end-slashes.ts";
import { runtimeProblem } from "./local/platform.ts";
import { findModel, type ModelFiles, weightsVersion } from "./models/folder.ts";
import type { EmbeddingModel } from "./provider.ts";
import {
  declaredDimensions,
  type RemoteEndpoint,
  remoteModel,
  type VendorName,
  vendorModels,
} from "./remote/endpoint.ts";

/** The embedding provider that results from the settings and the installed files. */
export type EmbeddingChoice =
  /** No vectors. `reason` is undefined when the user chose that. */
  | { readonly kind: "none"; readonly reason: string | undefined }
  | { readonly kind: "local" | "static"; readonly files: ModelFiles; readonly model: EmbeddingModel }
  /** A remote model's dimensions may be known only after the first answer. */
  | {
      readonly kind: "remote";
      readonly endpoint: RemoteEndpoint;
      readonly model: EmbeddingModel | undefined;
    };

/** A model that can be opened. */
export type ChosenEmbedding = Exclude<EmbeddingChoice, { kind: "none" }>;

const defaultModels = { local: "all-MiniLM-L6-v2", static: "potion-base-8M" } as const;

/** The name or folder of the model that runs on this machine; undefined when another provider is set. */
export function localModelName({ embeddingProvider, embeddingModel }: Settings): string | undefined {
  if (embeddingProvider !== "local" && embeddingProvider !== "static") return undefined;
  return embeddingModel ?? defaultModels[embeddingProvider];
}

/** A vendor's key alone never chooses the vendor: the setting must name it. */
export function chooseEmbedding(home: string, settings: Settings): EmbeddingChoice {
  const provider = settings.embeddingProvider;
  if (provider === "none") return { kind: "none", reason: undefined };
  if (provider === "local" || provider === "static")
    return chooseFiles(home, provider, settings.embeddingModel ?? defaultModels[provider]);
  return chooseVendor(provider, settings);
}

function chooseFiles(home: string, provider: "local" | "static", given: string): EmbeddingChoice {
  const none = (reason: string): EmbeddingChoice => ({ kind: "none", reason });
  const problem = provider === "local" ? runtimeProblem() : undefined;
  if (problem !== undefined) return none(problem);
  const files = findModel(home, given);
  if (files === undefined) {
    if (isAbsolute(given)) return none(`there is no embedding model in ${given}`);
    return none(`the embedding model ${given} is not installed (memsvc models pull ${given})`);
  }
  const name = basename(given);
  if (files.runtime === "image") return none(`${name} is a model for images, not for texts alone`);
  if (files.runtime !== provider)
    return none(`${name} is a model for MEMSVC_EMBEDDING_PROVIDER=${files.runtime}, not ${provider}`);
  const { dimensions } = files;
  const fingerprint = `${provider}/${name}/${dimensions}/${weightsVersion(files)}`;
  return { kind: provider, files, model: { provider, name, dimensions, fingerprint } };
}

function chooseVendor(vendor: VendorName, settings: Settings): EmbeddingChoice {
  const apiKey = vendorKey(vendor, settings);
  const address = settings.embeddingBaseUrl ?? ownAddress(vendor, settings);
  if (apiKey === undefined && address === undefined) {
    const reason = `MEMSVC_EMBEDDING_PROVIDER is ${vendor}, but neither ${vendorSetting(vendor, "API_KEY")} nor MEMSVC_EMBEDDING_BASE_URL is set`;
    return { kind: "none", reason };
  }
  const endpoint: RemoteEndpoint = {
    vendor,
    model: settings.embeddingModel ?? vendorModels[vendor],
    baseUrl: withoutEndSlashes(address ?? vendorUrls[vendor]),
    apiKey,
    dimensions: settings.embeddingDimensions,
    batchSize: settings.embeddingBatchSize,
    timeoutMs: settings.llmTimeoutMs,
  };
  const dimensions = declaredDimensions(endpoint);
  return {
    kind: "remote",
    endpoint,
    model: dimensions === undefined ? undefined : remoteModel(endpoint, dimensions),
  };
}

/** The address that is set for all uses of a vendor, which is possible for those that also have language models. */
function ownAddress(vendor: VendorName, settings: Settings): string | undefined {
  return vendor === "voyage" || vendor === "cohere" ? undefined : settings[`${vendor}BaseUrl` as const];
}
