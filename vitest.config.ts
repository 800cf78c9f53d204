import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const tests = ["scripts/**/*.test.ts", "src/**/*.test.ts", "test/**/*.test.ts"];

/**
 * These start many processes. Starting one takes ten times as long from a large process, so they run apart from the
 * others.
 */
const starting = [
  "test/cli/*.test.ts",
  "test/crash/*.test.ts",
  "test/mcp/stdio.test.ts",
  "test/upgrade/{full-disk,refusals}.test.ts",
];

/** Each of these files runs in a process of its own. */
const apart = [
  // Only one thread of a process may load the model runtime.
  "src/embedding/{choice,images/image-embeddings,local/local-provider,models/models,static/word-piece}.test.ts",
  "test/conformance/embedding.test.ts",
  "test/http/{embeddings,fuzz,search-vectors,vision}.test.ts",
  // Flags of V8 hold for a whole process, and code caches only for the flags that they were made with.
  "src/jobs/heaps.test.ts",
  "test/cli/code-cache.test.ts",
];

/**
 * These use `vi.mock` or `vi.resetModules`. They too run in processes of their own, because a mocked module must not
 * have been loaded before, and Vite loads their sources. To replace functions of Node's modules, `replaceFunctions`
 * (test/support/) takes a fraction of the time.
 */
const replacing = ["src/store/native-package.test.ts"];

/** Node itself, not Vite, loads these tests and what they import, with the hooks of `register.mjs`. */
const natively = {
  setupFiles: ["./test/native-sources/register.mjs", "./test/support/leave-nothing.ts"],
  experimental: { viteModuleRunner: false, nodeLoader: false },
};

/** A fresh checkout has no durations of earlier runs to sort by, and its longest file would run alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification) => moduleId.endsWith("/test/crash/crash.test.ts");
    const sorted = await super.sort(files);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Only tests that hang should reach these limits: on a slow or busy machine everything takes several times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    pool: "forks",
    // More than the usual two cores, because many tests wait for processes that they started.
    maxWorkers: 3,
    projects: [
      // Not isolated: loading the modules anew for each file would take a third of the whole time.
      {
        extends: true,
        test: {
          ...natively,
          name: "together",
          include: tests,
          exclude: [...starting, ...apart, ...replacing],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { ...natively, name: "starting", include: starting, exclude: apart, isolate: false },
      },
      { extends: true, test: { ...natively, name: "apart", include: apart } },
      { extends: true, test: { name: "replacing", include: replacing } },
    ],
  },
});
