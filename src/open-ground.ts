import { databaseFile } from "./config/home.ts";
import type { CoreOptions } from "./core.ts";
import type { Ground } from "./ground.ts";
import { openLanguageModel } from "./llm/open-language-model.ts";
import type { Metrics } from "./operation/metrics.ts";
import { idSource } from "./store/ids.ts";
import { makeHome } from "./store/make-home.ts";
import { Store } from "./store/store.ts";
import { monotonicMs } from "./time/monotonic-ms.ts";

/** Opens the store of a home, and what all services use besides. Errors: store_damaged, store_newer, disk_full. */
export async function openGround(options: CoreOptions, metrics: Metrics): Promise<Ground> {
  const { home, settings, afterCrash = false, orReadOnly = false } = options;
  const { now = Date.now, monotonic = monotonicMs, log = () => undefined } = options;
  const { dbUrl, dbAuthToken, durability } = settings;
  const path = databaseFile(home);
  const server = dbUrl === undefined ? undefined : { url: dbUrl, authToken: dbAuthToken };
  makeHome(home);
  const troubled = (error: unknown) =>
    log("error", "not everything went over to the store that was put in place", {
      error: String(error),
    });
  const store = await Store.open({ path, server, durability, afterCrash, orReadOnly, troubled });
  return {
    store,
    settings,
    home,
    now,
    monotonic,
    newId: idSource(now),
    log,
    llm: openLanguageModel({ store, settings, now, monotonic, log }, metrics),
    wakeJobs: () => undefined,
  };
}
