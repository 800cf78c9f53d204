import type { Settings } from "./settings-table.ts";
import type { vendorUrls } from "./vendor-urls.ts";

type Vendor = keyof typeof vendorUrls;

/** The key of a vendor, for language models and embeddings; undefined if none is set. */
export function vendorKey(vendor: Vendor, settings: Settings): string | undefined {
  const key = usableKey(settings[`${vendor}ApiKey` as const]);
  return vendor === "gemini" ? (key ?? usableKey(settings.googleApiKey)) : key;
}

/** The key, unless it is a placeholder from an example file. */
export function usableKey(key: string | undefined): string | undefined {
  return key === undefined || /^(?:changeme$|your[-_]|$)/i.test(key.trim()) ? undefined : key;
}

/** The name of a vendor's setting: `OPENAI_API_KEY`. */
export function vendorSetting(vendor: Vendor, setting: "API_KEY" | "BASE_URL" | "MODEL"): string {
  return `${vendor.toUpperCase()}_${setting}`;
}
