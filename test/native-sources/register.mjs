import module from "node:module";
import { load, resolve } from "./hooks.mjs";

/*
 * From here on Node loads the tests of this process and their sources with their types stripped. Compared with Vite,
 * which would transform each file, that takes a third of the processor time, and the code runs as it does in the
 * program.
 */

const registered = Symbol.for("memsvc.native-sources");

// Vitest runs this before each file of tests, also in a process that has run others: more hooks would only take time.
if (!(registered in globalThis)) {
  Object.assign(globalThis, { [registered]: true });
  if (module.registerHooks === undefined) module.register("./hooks.mjs", import.meta.url);
  else module.registerHooks({ resolve, load });
  // Vitest switches them on. Types are replaced with blanks, so nothing needs them.
  process.setSourceMapsEnabled(false);
}
