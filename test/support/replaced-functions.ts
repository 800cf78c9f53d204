import { syncBuiltinESMExports } from "node:module";
import { afterAll, beforeAll } from "vitest";

/**
 * Replaces functions of one of Node's modules while the tests of a file run, for everything in the process. Unlike
 * `vi.mock` it does so in modules that are loaded already, so the file can share a process with others.
 */
export function replaceFunctions<Module extends object>(module: Module, replacements: Partial<Module>): void {
  const names = Object.keys(replacements);
  const real = Object.fromEntries(names.map((name) => [name, Reflect.get(module, name)]));
  const put = (functions: object) => {
    Object.assign(module, functions);
    syncBuiltinESMExports();
  };
  beforeAll(() => put(replacements));
  afterAll(() => put(real));
}
