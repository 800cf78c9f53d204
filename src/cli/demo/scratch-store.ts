import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { z } from "zod";
import { loadSettings, type Settings } from "../../config/load.ts";
import { settingsTable } from "../../config/settings-table.ts";
import { Core } from "../../core.ts";
import type { Answer, Operation } from "../../operation/define.ts";
import { MemsvcError, messageOf } from "../../operation/errors.ts";
import { errorCode } from "../../system/error-code.ts";
import { sampleHome } from "./sample/project.ts";

/** A separate store in the temporary folder, whose clock shows the time of the recorded story. */
export interface ScratchStore {
  /** Folder of the store, as `--home` takes it. */
  readonly home: string;
  /** Sets the store's clock to an ISO time. */
  setTime(at: string): void;
  call<I extends z.ZodType, O extends z.ZodType>(
    operation: Operation<I, O>,
    input: z.input<I>,
  ): Promise<Answer<O>>;
  /** Closes the store; its files stay. */
  close(): Promise<void>;
}

/**
 * Opens a fresh store that is independent of the user's home, the config file, and MEMSVC_ and AGENT_ID variables; only
 * the language model is passed in.
 */
export async function openScratchStore(
  home: string,
  startAt: string,
  model: ModelSettings = {},
): Promise<ScratchStore> {
  let nowMs = Date.parse(startAt);
  const { settings: defaults } = loadSettings({ home, env: {}, fileText: undefined });
  const settings = { ...defaults, ...model };
  const core = await Core.open({ home, settings, now: () => nowMs, userHome: sampleHome });
  return {
    home,
    setTime: (at) => {
      nowMs = Date.parse(at);
    },
    call: (operation, input) => core.call(operation, input, { face: "cli", source: "demo" }),
    close: () => core.close(),
  };
}

/** The settings of the language model. */
export type ModelSettings = Partial<Settings>;

export function modelSettings(settings: Settings): ModelSettings {
  const names = settingsTable.filter(({ group }) => group === "llm").map(({ property }) => property);
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}

/** Error: unavailable if no folder can be created in the one for temporary files. */
export function makeScratchFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), "memsvc-demo-"));
  } catch (error) {
    const variable = process.platform === "win32" ? "TEMP" : "TMPDIR";
    throw new MemsvcError(
      "unavailable",
      `cannot write to ${tmpdir()}, the folder for temporary files (${errorCode(error)})`,
      { hint: `set ${variable} to another folder, or check who may write to it`, cause: error },
    );
  }
}

/** Removes the folder and its contents; returns the reason if something is left. */
export function removeScratchFolder(home: string): string | undefined {
  try {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    return messageOf(error);
  }
  return existsSync(home) ? `${home} is still there` : undefined;
}
