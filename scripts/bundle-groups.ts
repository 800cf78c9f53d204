import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";

/*
 * Decides to which bundle of the command line a module goes. Loading a file takes a third of a millisecond, and
 * functions that are never called cost time too, so modules that are needed together share a bundle. A bundle is loaded
 * when one of its modules is first used, and each module is evaluated when it is first imported. A module belongs to
 * the first bundle that reaches it; a module that none reaches is bundled with its importers.
 */

interface ModuleGraph {
  getModuleInfo(id: string): ModuleImports | null;
}

interface ModuleImports {
  readonly importedIds: readonly string[];
  readonly dynamicallyImportedIds: readonly string[];
}

interface Bundle {
  readonly name: string;
  /** The modules that it starts from; it reaches all that they import, directly or indirectly. */
  readonly from: readonly string[];
}

const families = "src/cli/operations/families.ts";

/** Modules whose imports are evaluated only when they are used, because few commands need them. */
const importingLate = [
  "src/core.ts",
  "src/open-search-indexes.ts",
  "src/capture/services.ts",
  "src/coordination/services.ts",
  "src/governance/services.ts",
  "src/knowledge/services.ts",
  "src/recall/services.ts",
  "src/sharing/services.ts",
  "src/capture/observations/observations.ts",
  "src/capture/sessions/sessions.ts",
  "src/graph/graph.ts",
  "src/knowledge/memories/memories.ts",
  "src/llm/open-language-model.ts",
  "src/recall/search/replaced-hits.ts",
];

/** Paths of these modules, for the plugin that rewrites their imports. */
export const modulesImportingLate: ReadonlySet<string> = new Set(importingLate.map(source));

const bundles: readonly Bundle[] = [
  { name: "observe", from: ["src/cli/observe/observe-fast.ts"] },
  { name: "program", from: ["src/cli/program.ts"] },
  {
    // What it takes to open a store and search it.
    name: "search",
    from: [
      ...importingLate,
      families,
      "src/cli/callers/core-caller.ts",
      "src/cli/observe/observe-local.ts",
      "src/cli/callers/interpret-schemas.ts",
      "src/lazy-properties.ts",
      "src/capture/observations/repetitions.ts",
      "src/capture/projects/projects.ts",
      "src/embedding/embeddings.ts",
      "src/graph/stream/search-graph.ts",
      "src/graph/structural/settled.ts",
      "src/index/keyword/keyword.ts",
      "src/index/passages/read-passages.ts",
      "src/index/vectors/vector-scan.ts",
      "src/jobs/long-runs.ts",
      "src/knowledge/memories/record.ts",
      "src/knowledge/memories/tables.ts",
      "src/open-ground.ts",
      "src/operation/in-process.ts",
      "src/operation/metrics.ts",
      "src/recall/followup/followups.ts",
      "src/recall/search/operations.ts",
      "src/recall/search/smart-search.ts",
      "src/recall/search/search.ts",
      "src/recall/search/snippet.ts",
      "src/capture/observations/rules/fact-labels.ts",
      "src/config/provider.ts",
      "src/knowledge/decisions/replaced-decisions.ts",
      "src/knowledge/decisions/told-decisions.ts",
      "src/llm/no-model.ts",
      "src/text/redaction/redact.ts",
      "src/store/file-work.ts",
    ],
  },
  { name: "core", from: [...importingLate, families] },
];

/** Bundles that contain an entry of the build. */
const entries = new Set(["observe", "program"]);

/** Gives the bundle of a module; null leaves it to the bundler. */
export function bundleGroups(): (id: string, graph: ModuleGraph) => string | null {
  let bundleById: ReadonlyMap<string, string> | undefined;
  return (id, graph) => {
    bundleById ??= readBundles(graph);
    return bundleById.get(id) ?? null;
  };
}

function readBundles(graph: ModuleGraph): Map<string, string> {
  const bundleById = new Map<string, string>();
  const importedLater = new Set<string>();
  const lists = new Set([...importingLate, families].map(source));
  for (const { name, from } of bundles) {
    const waiting = from.map(source);
    const isLast = name === bundles.at(-1)?.name;
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const imports = graph.getModuleInfo(id);
      if (imports === null || isBuiltin(id) || (bundleById.has(id) && !from.map(source).includes(id)))
        continue;
      if (!bundleById.has(id)) bundleById.set(id, name);
      for (const later of imports.dynamicallyImportedIds) importedLater.add(later);
      if (lists.has(id) && !isLast) continue;
      waiting.push(...imports.importedIds);
      if (id === source(families)) waiting.push(...imports.dynamicallyImportedIds);
    }
  }
  for (const id of importedLater) {
    // A dynamic import would get the exports of the entry instead of the module's own.
    if (entries.has(bundleById.get(id) ?? ""))
      throw new Error(`${id} must be imported statically everywhere`);
  }
  return bundleById;
}

function source(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
