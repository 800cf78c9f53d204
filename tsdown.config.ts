import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type UserConfig } from "tsdown";
import { bundleGroups, modulesImportingLate } from "./scripts/bundle-groups.ts";
import { importsWhenUsed } from "./scripts/imports-when-used.ts";
import { onePage } from "./scripts/one-page.ts";
import { schemasWhenUsed } from "./scripts/schemas-when-used.ts";
import { thirdPartyLicenses } from "./scripts/third-party-licenses.ts";

/*
 * The builds into dist/: - the entry of the command line, which loads the bundles with their code caches
 * (src/cli/startup/bundle-loader.ts); - those bundles (CommonJS, the format that starts fastest), split so that a
 * command loads only what it needs; - the daemon, apart from it: its HTTP library keeps the whole schema library from
 * being tree-shaken, and every command would otherwise load that; - the packages of language-model providers, which the
 * other bundles load at the first call of a model; - the worker threads: three beside the daemon, and the one for
 * embedding models, which alone holds the model library; - the viewer, as one page that the daemon reads when it is
 * asked for it; - the library for other programs (ESM, with types). Everything but the native modules is bundled: one
 * small package to install, and a start of milliseconds.
 */

/** zod brings its messages in fifty languages; we only need English. */
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

/** The providers' packages have a build of their own, so that the other bundles do not each contain a copy. */
const providersApart = {
  name: "providers-apart",
  resolveId: {
    filter: { id: /\/provider-models\.ts$/ },
    handler: () => ({ id: "./provider-models.cjs", external: true }),
  },
};

/** Loads node:crypto when it is first used: that takes 2 ms, and few commands hash anything. */
const cryptographyLater = {
  name: "cryptography-later",
  resolveId: (id: string) => (id === "node:crypto" ? "\0cryptography" : null),
  load: (id: string) =>
    id === "\0cryptography"
      ? ["createHash", "randomBytes"]
          .map(
            (name) =>
              `export const ${name} = (...given) => process.getBuiltinModule("node:crypto").${name}(...given);`,
          )
          .join("\n")
      : null,
};

/** commander can start other programs as subcommands; ours has none, and the module for it takes 6 ms to load. */
const commanderStartsNothing = {
  name: "commander-starts-nothing",
  resolveId: (id: string, importer: string | undefined) =>
    id === "node:child_process" && importer !== undefined && /[\\/]commander[\\/]/.test(importer)
      ? "\0nothing"
      : null,
  load: (id: string) => (id === "\0nothing" ? "module.exports = {};" : null),
};

/** We tell chalk whether to use colours. Its own look at that loads two modules of Node's at each start. */
const coloursAreDecided = {
  name: "colours-are-decided",
  resolveId: (id: string) => (id === "#supports-color" ? "\0no-colours" : null),
  load: (id: string) => (id === "\0no-colours" ? "export default { stdout: false, stderr: false };" : null),
};

/**
 * Bundles libsql's few lines of JavaScript, with a faster way to choose its native package. The native package is
 * resolved from where libsql is installed, because package managers with isolated dependencies only put it there.
 */
const nativePackageByTarget = {
  name: "native-package-by-target",
  resolveId: (id: string, importer: string | undefined) =>
    (id === "@neon-rs/load" || id === "detect-libc") && importer !== undefined && isLibsql(importer)
      ? new URL("./src/store/native-target.ts", import.meta.url).pathname
      : null,
  transform: (code: string, id: string) => {
    if (!isLibsql(id)) return null;
    const asked = /\brequire\(`@libsql\/\$\{target\}`\)/;
    if (!asked.test(code)) throw new Error("libsql loads its native package in another way than before");
    return code.replace(asked, 'require("@neon-rs/load").nativePackage(target)');
  },
};

function isLibsql(file: string): boolean {
  return /[\\/]node_modules[\\/]libsql[\\/](?:index|promise)\.js$/.test(file);
}

/**
 * Leaves `sharp` out of the model library (our own decoders read images), and its runtime for browsers. Its import of
 * the runtime for Node is redirected to our module, which limits it; that runtime itself is native and not bundled.
 */
const modelLibraryWithoutDecoders = {
  name: "model-library-without-decoders",
  resolveId: (id: string, importer: string | undefined) => {
    if (!isModelLibrary(importer)) return null;
    if (id === "sharp" || id === "onnxruntime-web") return "\0nothing-of-it";
    return id === "onnxruntime-node"
      ? fileURLToPath(new URL("./src/embedding/local/runtime.ts", import.meta.url))
      : null;
  },
  load: (id: string) => (id === "\0nothing-of-it" ? "export default () => undefined;" : null),
};

function isModelLibrary(importer: string | undefined): boolean {
  return importer !== undefined && /[\\/]@xenova[\\/]transformers[\\/]/.test(importer);
}

/** WebAssembly of the image decoders, each of which the embedding thread loads at the first image of its format. */
const imageDecoders = [
  "png/codec/pkg/squoosh_png_bg.wasm",
  "jpeg/codec/dec/mozjpeg_dec.wasm",
  "webp/codec/dec/webp_dec.wasm",
];

const licenses = thirdPartyLicenses(
  "dist/third-party-licenses.txt",
  ["png", "jpeg", "webp"].map((codec) => `@jsquash/${codec}/codec/LICENSE.codec.md`),
);

const common: UserConfig = {
  outDir: "dist",
  platform: "node",
  target: "node20",
  deps: { alwaysBundle: [/.*/], neverBundle: [/^@libsql\//, "onnxruntime-node"] },
  checks: { pluginTimings: false },
  // The UMD build requires its parts in a way that a bundler cannot follow.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  hash: false,
  clean: false,
};

const program: UserConfig = {
  ...common,
  format: "cjs",
  outExtensions: () => ({ js: ".cjs" }),
  dts: false,
  // Only whitespace is removed, so that there is less to parse at each start; names stay for the stack traces of
  // --debug.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
};

/** Escapes all other characters: with a single one, V8 keeps the whole text with two bytes per character. */
const asciiOnly = {
  name: "ascii-only",
  generateBundle: (_: unknown, bundle: Record<string, { code?: string }>) => {
    for (const file of Object.values(bundle)) {
      if (file.code !== undefined) file.code = file.code.replace(/(\\*)([^\0-\x7f])/g, escaped);
    }
  },
};

/** The escape of a character. A backslash that escaped the character is dropped, since it would now escape `\\u`. */
function escaped(_: string, backslashes: string, unit: string): string {
  const before = backslashes.slice(backslashes.length % 2);
  return `${before}\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** V8 accepts the code cache of an older bundle if its text has the same length, so old caches must go. */
const withoutOldCodeCaches = {
  name: "without-old-code-caches",
  buildStart: () => rmSync(new URL("./dist/code-cache", import.meta.url), { recursive: true, force: true }),
};

export default defineConfig([
  {
    ...program,
    entry: { main: "src/main.ts" },
    plugins: [licenses],
    outputOptions: { codeSplitting: false },
  },
  {
    ...program,
    entry: { program: "src/cli/program.ts", observe: "src/cli/observe/observe-fast.ts" },
    inputOptions: { preserveEntrySignatures: "allow-extension" },
    // Modules that import them statically are themselves loaded when they are used.
    checks: { ...common.checks, ineffectiveDynamicImport: false },
    plugins: [
      licenses,
      messagesInOneLanguage,
      commanderStartsNothing,
      coloursAreDecided,
      importsWhenUsed(modulesImportingLate),
      cryptographyLater,
      nativePackageByTarget,
      daemonApart,
      providersApart,
      withoutOldCodeCaches,
      asciiOnly,
    ],
    outputOptions: {
      strictExecutionOrder: true,
      // import() of a CommonJS file makes Node scan its whole text for exports; require() does not.
      dynamicImportInCjs: false,
      codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: bundleGroups() }] },
    },
  },
  {
    ...program,
    entry: { "search-thread": "src/recall/threads/search-thread.ts" },
    plugins: [licenses, nativePackageByTarget, asciiOnly],
    outputOptions: { codeSplitting: false },
  },
  {
    ...program,
    entry: { "file-thread": "src/store/file-thread.ts" },
    plugins: [licenses, nativePackageByTarget],
    outputOptions: { codeSplitting: false },
  },
  {
    ...program,
    entry: { "row-thread": "src/governance/transfer/row-thread.ts" },
    plugins: [licenses, messagesInOneLanguage, nativePackageByTarget, asciiOnly],
    outputOptions: { codeSplitting: false, dynamicImportInCjs: false },
  },
  {
    ...program,
    entry: { "daemon-process": "src/http/daemon-process.ts" },
    plugins: [
      licenses,
      messagesInOneLanguage,
      schemasWhenUsed,
      nativePackageByTarget,
      providersApart,
      asciiOnly,
    ],
    outputOptions: { codeSplitting: false, dynamicImportInCjs: false },
  },
  {
    ...program,
    entry: { "provider-models": "src/llm/provider-models.ts" },
    plugins: [licenses, messagesInOneLanguage],
    outputOptions: { codeSplitting: false },
  },
  {
    ...program,
    entry: { "embedding-thread": "src/embedding/local/embedding-thread.ts" },
    deps: {
      ...common.deps,
      // A module that is never bundled is not passed to the plugins, so the model library would bypass our runtime
      // module.
      neverBundle: (id, importer) => id === "onnxruntime-node" && !isModelLibrary(importer),
    },
    plugins: [licenses, modelLibraryWithoutDecoders],
    copy: imageDecoders.map((file) => ({ from: `node_modules/@jsquash/${file}`, to: "dist" })),
    outputOptions: { codeSplitting: false },
  },
  {
    ...common,
    entry: { viewer: "src/viewer/main.ts" },
    platform: "browser",
    target: "es2022",
    format: "iife",
    dts: false,
    minify: true,
    plugins: [licenses, asciiOnly, onePage("src/viewer", "viewer.html")],
  },
  {
    ...common,
    entry: { index: "src/index.ts", client: "src/client/client.ts" },
    format: "esm",
    outExtensions: () => ({ js: ".js", dts: ".d.ts" }),
    dts: true,
    // Types of bundled libraries rely on directive comments that bundling moves, so users who check declarations would
    // be shown errors.
    banner: { dts: "// @ts-nocheck" },
    plugins: [licenses, messagesInOneLanguage, nativePackageByTarget, providersApart],
  },
]);
