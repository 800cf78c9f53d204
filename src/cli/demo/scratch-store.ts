import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { z } from "zod";
import { loadSettings } from "../../config/load.ts";
import { Core } from "../../core.ts";
import type { Answer, Operation } from "../../operation/define.ts";
import { sampleHome } from "./sample/project.ts";

/** A store of its own in the temporary folder, whose clock shows the time of the recorded story. */
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
 * Opens a fresh store that takes nothing from its surroundings: neither the user's home, nor the config file,
 * nor any MEMSVC_ or AGENT_ID variable.
 */
export async function openScratchStore(home: string, startAt: string): Promise<ScratchStore> {
  let nowMs = Date.parse(startAt);
  const { settings } = loadSettings({ home, env: {}, fileText: undefined });
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

export function makeScratchFolder(): string {
  return mkdtempSync(join(tmpdir(), "memsvc-demo-"));
}

/** Removes the folder with everything in it; the reason when something is left. */
export function removeScratchFolder(home: string): string | undefined {
  try {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return existsSync(home) ? `${home} is still there` : undefined;
}
