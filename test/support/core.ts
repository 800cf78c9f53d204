import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { z } from "zod";
import { databaseFile } from "../../src/config/home.ts";
import { loadSettings } from "../../src/config/load.ts";
import { Core, type CoreOptions } from "../../src/core.ts";
import { JobWorker } from "../../src/jobs/worker.ts";
import type { Answer, Caller, Operation } from "../../src/operation/define.ts";
import type { SqlValue } from "../../src/store/sql.ts";
import { putEmptyStore } from "./empty-store.ts";
import { refuseReadsBeside } from "./reads-beside.ts";

export interface TestCore {
  readonly core: Core;
  readonly home: string;
  /** Calls an operation as a library would, and checks that the answer fits the declared output. */
  call<I extends z.ZodType, O extends z.ZodType>(
    operation: Operation<I, O>,
    input: z.input<I>,
  ): Promise<Answer<O>>;
  /** Writes to the store behind memsvc's back. */
  writeSql(text: string, args?: readonly SqlValue[]): Promise<void>;
  /** Runs the jobs that are due by the clock, and those that these enqueue. */
  runDueJobs(): Promise<void>;
  /** Moves the clock forward. A negative number sets the clock back, while the monotonic clock stays. */
  advance(milliseconds: number): void;
  now(): number;
  close(): Promise<void>;
}

interface TestCoreOptions {
  /** Settings as in the environment, such as MEMSVC_AGENT_SCOPE. */
  readonly env?: Readonly<Record<string, string>>;
  readonly startAt?: string;
  readonly caller?: Caller;
  /** An existing home to open; it is not removed at the end. */
  readonly home?: string;
  readonly searchIndexes?: CoreOptions["searchIndexes"];
}

/** A core over a fresh home in a temporary folder, with a clock that moves only when it is told to. */
export async function openTestCore(options: TestCoreOptions = {}): Promise<TestCore> {
  const home = options.home ?? mkdtempSync(join(tmpdir(), "memsvc-test-"));
  if (options.home === undefined) putEmptyStore(databaseFile(home));
  let time = Date.parse(options.startAt ?? "2026-03-01T12:00:00.000Z");
  let passed = 0;
  // Another suite tests power loss; without flushes to the disk these tests take half the time.
  const env = { MEMSVC_DURABILITY: "relaxed", ...options.env };
  const { settings } = loadSettings({ home, env, fileText: undefined });
  const { searchIndexes } = options;
  const core = await Core.open({
    home,
    settings,
    now: () => time,
    monotonic: () => passed,
    userHome: "/home/dev",
    ...(searchIndexes === undefined ? {} : { searchIndexes }),
  });
  refuseReadsBeside(core.ground.store);
  const caller = options.caller ?? { face: "library" };
  return {
    core,
    home,
    call: async (operation, input) => {
      const answer = await core.call(operation, input, caller);
      operation.output.parse(answer);
      return answer;
    },
    writeSql: async (text, args) => {
      await core.ground.store.write((tx) => tx.sql.run(text, args));
    },
    runDueJobs: () => JobWorker.runDue(core.ground, core.jobHandlers()),
    advance: (milliseconds) => {
      time += milliseconds;
      passed += Math.max(0, milliseconds);
    },
    now: () => time,
    close: async () => {
      await core.close();
      if (options.home === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}
