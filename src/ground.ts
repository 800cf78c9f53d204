import type { Settings } from "./config/load.ts";
import type { LanguageModel } from "./llm/language-model.ts";
import type { IdSource } from "./store/ids.ts";
import type { Store } from "./store/store.ts";

export type LogLevel = "error" | "warn" | "info" | "debug";

/** Writes a line to the log; it must not contain bodies or secrets. */
export type Log = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void;

/** What every service needs. Clock and ids are injected, so that tests can replay anything. */
export interface Ground {
  readonly store: Store;
  readonly settings: Settings;
  readonly home: string;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock: for durations within this process. */
  readonly monotonic: () => number;
  readonly newId: IdSource;
  readonly log: Log;
  readonly llm: LanguageModel;
  /** To be called after a job was queued, so that it starts without waiting for the next poll; set by the daemon. */
  wakeJobs: () => void;
}
