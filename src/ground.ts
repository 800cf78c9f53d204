import type { Settings } from "./config/load.ts";
import type { LanguageModel } from "./llm/language-model.ts";
import type { IdSource } from "./store/ids.ts";
import type { Store } from "./store/store.ts";

export type LogLevel = "error" | "warn" | "info" | "debug";

/** One line of the log: never bodies, never secrets. */
export type Log = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void;

/** What every service stands on. Clock and ids come in from outside, so that a test can replay anything. */
export interface Ground {
  readonly store: Store;
  readonly settings: Settings;
  readonly home: string;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  /** Milliseconds of a clock that nobody sets: what has to last so long in this process goes by it. */
  readonly monotonic: () => number;
  readonly newId: IdSource;
  readonly log: Log;
  readonly llm: LanguageModel;
  /** Told after a job was put into the queue, so that it need not wait for the next look; the daemon sets it. */
  wakeJobs: () => void;
}
