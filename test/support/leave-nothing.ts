import { afterAll, vi } from "vitest";
import { inPlace, leftReplaced } from "./left-replaced.ts";

/* Vitest runs this before each file of tests, so its hook runs after all hooks of the file. */

const before = inPlace();

afterAll(() => {
  const left = leftReplaced(before);
  // The next file should not fail for this one's fault.
  vi.useRealTimers();
  if (left.length > 0)
    throw new Error(
      `this file leaves replaced what later files of its process use: ${left.join(", ")} (give it back in afterEach: vi.useRealTimers, vi.restoreAllMocks, vi.unstubAllGlobals, vi.unstubAllEnvs)`,
    );
});
