import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";

/*
 * Which bundle of the command line a module goes to. Loading a file takes a third of a millisecond, so modules that
 * are needed together stand in one; each is carried out when it is first imported, not when its bundle is loaded.
 * A module belongs to the first bundle that reaches it; what none reaches is bundled by who imports it.
 */

interface ModuleGraph {
  getModuleInfo(id: string): ModuleImports | null;
}

interface ModuleImports {
  readonly importedIds: readonly string[];
  readonly dynamicallyImportedIds: readonly string[];
}

const families = source("src/cli/families.ts");

/** What the bundles begin with; each reaches what its modules import, and the last all families, too. */
const bundles = [
  { name: "observe", from: ["src/cli/observe-fast.ts"].map(source) },
  { name: "program", from: ["src/cli/program.ts"].map(source) },
  {
    name: "core",
    from: ["src/cli/schemas-once.ts", "src/cli/core-caller.ts", "src/cli/observe-local.ts"].map(source),
  },
];

/** Those that contain an entry of the build. */
const entries = new Set(["observe", "program"]);

/** The bundle of a module, null where the bundler decides. */
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
  for (const { name, from } of bundles) {
    const waiting = [...from];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const imports = graph.getModuleInfo(id);
      if (imports === null || isBuiltin(id) || bundleById.has(id)) continue;
      bundleById.set(id, name);
      waiting.push(...imports.importedIds);
      for (const later of imports.dynamicallyImportedIds) importedLater.add(later);
      if (id === families) waiting.push(...imports.dynamicallyImportedIds);
    }
  }
  for (const id of importedLater) {
    // The bundler would give the entry's exports for the module's.
    if (entries.has(bundleById.get(id) ?? ""))
      throw new Error(`${id} must be imported statically everywhere`);
  }
  return bundleById;
}

function source(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
