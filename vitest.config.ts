import { defineConfig } from "vitest/config";

const tests = ["scripts/**/*.test.ts", "src/**/*.test.ts", "test/**/*.test.ts", "bench/**/*.test.ts"];

/** These load the model runtime, which only one thread of a process may do, so each has a process of its own. */
const withModelRuntime = [
  "src/embedding/**/*.test.ts",
  "test/embedding/**/*.test.ts",
  "test/http/{embeddings,fuzz,search,vision}.test.ts",
];

export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
    projects: [
      // Loading the modules anew for each file would take a third of all the time.
      {
        extends: true,
        test: { name: "together", include: tests, exclude: withModelRuntime, isolate: false },
      },
      { extends: true, test: { name: "apart", include: withModelRuntime } },
    ],
  },
});
