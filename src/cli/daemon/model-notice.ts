import type { Settings } from "../../config/load.ts";
import { detectProvider } from "../../config/provider.ts";

/** Notice for users whose daemon will use a language model only because its key happens to be set. */
export function modelNotice(settings: Settings): string | undefined {
  if (settings.provider !== undefined) return undefined;
  const provider = detectProvider(settings);
  if (provider.kind === "noop") return undefined;
  return `${provider.kind} (${provider.model}) writes session summaries, because it is configured; to use no language model: memsvc config set MEMSVC_PROVIDER noop`;
}
