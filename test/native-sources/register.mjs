import module from "node:module";
import { load, resolve } from "./hooks.mjs";

/*
 * From here on Node itself loads the sources of this process, without their types, in place of Vite: that takes a
 * third of the processor time, and what is loaded runs as it does in the program.
 */

if (module.registerHooks === undefined) module.register("./hooks.mjs", import.meta.url);
else module.registerHooks({ resolve, load });
