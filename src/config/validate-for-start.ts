import { isLoopback } from "../net/remote-address.ts";
import { MemsvcError } from "../operation/errors.ts";
import type { Settings } from "./load.ts";
import { detectProvider } from "./provider.ts";

/** Refuses settings with which a daemon must not start, as far as the settings alone show. Error: invalid_setting. */
export function validateForStart(settings: Settings): void {
  refuseOpenNetwork(settings);
  // A provider that is named but not configured should fail at the start, not at the first call.
  detectProvider(settings);
}

function refuseOpenNetwork({ host, secret }: Settings): void {
  if (isLoopback(host) || secret !== undefined) return;
  throw new MemsvcError(
    "invalid_setting",
    `listening on ${host} would open the store to the network without a secret`,
    { hint: "set MEMSVC_SECRET in the config file, or listen on 127.0.0.1" },
  );
}
