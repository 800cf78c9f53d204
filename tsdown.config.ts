import { defineConfig, type UserConfig } from "tsdown";

/*
 * Three builds into dist/:
 * - the command line (CommonJS, the format that starts fastest), split so that a command loads only what it needs;
 * - the daemon, apart from it: its HTTP library holds on to the whole schema library, which would otherwise be
 *   loaded by every command;
 * - the library for other programs (ESM, with types).
 * Everything but the native module is bundled: one small package to install, and a start of milliseconds.
 */

/** The schema library brings its messages in fifty languages; ours are written in one. */
const messagesInOneLanguage = {
  name: "messages-in-one-language",
  load: (id: string) =>
    /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.c?js$/.test(id)
      ? 'export { default as en } from "./en.js";'
      : null,
};

/** The command line loads the daemon's own build. */
const daemonApart = {
  name: "daemon-apart",
  resolveId: (id: string) =>
    id.endsWith("/daemon-process.ts") ? { id: "./daemon-process.cjs", external: true } : null,
};

const common: UserConfig = {
  outDir: "dist",
  platform: "node",
  target: "node20",
  noExternal: [/.*/],
  external: [/^libsql/, /^@libsql\//],
  hash: false,
  clean: false,
};

const program: UserConfig = { ...common, format: "cjs", outExtensions: () => ({ js: ".cjs" }), dts: false };

export default defineConfig([
  {
    ...program,
    entry: { main: "src/main.ts", "search-thread": "src/index/search-thread.ts" },
    plugins: [messagesInOneLanguage, daemonApart],
  },
  {
    ...program,
    entry: { "daemon-process": "src/http/daemon-process.ts" },
    plugins: [messagesInOneLanguage],
    outputOptions: { codeSplitting: false },
  },
  {
    ...common,
    entry: { index: "src/index.ts", client: "src/client/client.ts" },
    format: "esm",
    outExtensions: () => ({ js: ".js", dts: ".d.ts" }),
    dts: true,
    plugins: [messagesInOneLanguage],
  },
]);
