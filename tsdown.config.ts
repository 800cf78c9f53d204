import { defineConfig, type UserConfig } from "tsdown";

/** The schema library brings its messages in fifty languages; ours are written in one. */
const withoutLocales = {
  name: "schema-messages-in-english-only",
  load: (id: string) => (/[\\/]zod[\\/]v4[\\/]locales[\\/]index\.c?js$/.test(id) ? 'export { default as en } from "./en.js";' : null),
};

const common: UserConfig = {
  plugins: [withoutLocales],
  outDir: "dist",
  platform: "node",
  target: "node20",
  fixedExtension: false,
  // Everything but the native module is bundled: one small package to install, and a start of a few milliseconds.
  noExternal: [/.*/],
  external: [/^libsql/, /^@libsql\//],
  minify: false,
  sourcemap: false,
  hash: false,
  clean: false,
};

export default defineConfig([
  {
    ...common,
    entry: { main: "src/main.ts", "search-thread": "src/index/search-thread.ts" },
    format: "cjs",
    outExtensions: () => ({ js: ".cjs" }),
    dts: false,
  },
  {
    ...common,
    entry: { index: "src/index.ts", client: "src/client/client.ts" },
    format: "esm",
    outExtensions: () => ({ js: ".js", dts: ".d.ts" }),
    dts: true,
  },
]);
