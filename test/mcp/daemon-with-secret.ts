import { afterAll, beforeAll } from "vitest";
import { loadSettings } from "../../src/config/load.ts";
import { Daemon } from "../../src/http/daemon.ts";
import { sharedFolder } from "../support/temporary-folder.ts";

/** A daemon in this process that asks for the secret, for all tests of a suite. */
export function daemonWithSecret(secret: string): { readonly url: string } {
  const home = sharedFolder();
  let daemon: Daemon;
  beforeAll(async () => {
    const env = { MEMSVC_PORT: "0", MEMSVC_SECRET: secret, MEMSVC_MODEL_DOWNLOAD: "never" };
    const { settings } = loadSettings({ home, env, fileText: undefined });
    daemon = await Daemon.open({ home, settings, log: () => undefined });
  });
  afterAll(() => daemon.close());
  return {
    get url() {
      return daemon.url;
    },
  };
}
