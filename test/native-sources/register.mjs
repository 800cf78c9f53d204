import module from "node:module";
import { load, resolve } from "./hooks.mjs";

/*
 * From here on Node itself, instead of Vite, loads the sources of this process, with their types stripped. That takes a
 * third of the processor time, and the code runs as it does in the program.
 */

const registered = Symbol.for("memsvc.native-sources");

// Vitest runs this before each file of tests, also in a process that has run others: more hooks would only take time.
if (!(registered in globalThis)) {
  Object.assign(globalThis, { [registered]: true });
  if (module.registerHooks === undefined) module.register("./hooks.mjs", import.meta.url);
  else module.registerHooks({ resolve, load });
}
