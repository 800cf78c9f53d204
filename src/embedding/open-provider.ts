import type { ChosenEmbedding } from "./choice.ts";
import type { EmbeddingProvider } from "./provider.ts";

/**
 * Opens the chosen provider, loading only the code that it needs; the signal aborts requests to a vendor.
 * Errors: unavailable, provider_failed.
 */
export async function openProvider(
  choice: ChosenEmbedding,
  signal?: AbortSignal,
): Promise<EmbeddingProvider> {
  switch (choice.kind) {
    case "local": {
      const { LocalProvider } = await import("./local/local-provider.ts");
      return new LocalProvider({ model: choice.model, folder: choice.files.folder });
    }
    case "static": {
      const { StaticProvider } = await import("./static/static-provider.ts");
      return StaticProvider.open({ model: choice.model, ...choice.files });
    }
    case "remote": {
      const { RemoteProvider } = await import("./remote/remote-provider.ts");
      return RemoteProvider.open(choice.endpoint, { signal });
    }
  }
}
