import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type UserConfig } from "tsdown";
import { bundleGroups, modulesImportingLate } from "./scripts/bundle-groups.ts";
import { importsWhenUsed } from "./scripts/imports-when-used.ts";
import { onePage } from "./scripts/one-page.ts";
import { thirdPartyLicenses } from "./scripts/third-party-licenses.ts";

/*
 * The builds into dist/:
 * - the entry of the command line, which loads the bundles with their code caches (src/cli/startup/bundle-loader.ts);
 * - those bundles (CommonJS, the format that starts fastest), split so that a command loads only what it needs;
 * - the daemon, apart from it: its HTTP library holds on to the whole schema library, which would otherwise be
 *   loaded by every command;
 * - the packages of language-model providers, loaded by all of the others at the first call of a model;
 * - the threads: three beside the daemon, and that of embedding models, which alone holds the model library;
 * - the viewer, as one page that the daemon reads when it is asked for it;
 * - the library for other programs (ESM, with types).
 * Everything but the native modules is bundled: one small package to install, and a start of milliseconds.
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

/** All others load one build of the providers' packages, which would otherwise stand in each of them. */
const providersApart = {
  name: "providers-apart",
  resolveId: {
    filter: { id: /\/provider-models\.ts$/ },
    handler: () => ({ id: "./provider-models.cjs", external: true }),
  },
};

/** To load cryptography takes 2 ms, and few commands hash anything. */
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

/**
 * libsql's few lines of JavaScript come into the bundle, with a quicker way to choose its native package. That
 * one is looked for where libsql lies: package managers that keep packages apart put it there and nowhere else.
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
 * Of the model library what reads images stays away (`sharp`; ours decodes them), and so does the browser's runtime.
 * The runtime for Node comes by way of ours, which bounds it, and stays outside, being native.
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

/** The code of the image decoders, which the thread for models loads when it meets an image of the kind. */
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
  // Its other build asks for its parts by names that a bundler does not see.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  hash: false,
  clean: false,
};

const program: UserConfig = {
  ...common,
  format: "cjs",
  outExtensions: () => ({ js: ".cjs" }),
  dts: false,
  // What is compiled at each start is short, and names stay for the stacks of --debug.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
};

/** A text with one other character takes two bytes for each, in the file's reading and in V8's heap. */
const asciiOnly = {
  name: "ascii-only",
  generateBundle: (_: unknown, bundle: Record<string, { code?: string }>) => {
    for (const file of Object.values(bundle)) {
      if (file.code !== undefined) file.code = file.code.replace(/(\\*)([^\0-\x7f])/g, escaped);
    }
  },
};

/** A backslash before the character says nothing that `\\u` does not say; kept, it would stand for itself. */
function escaped(_: string, backslashes: string, unit: string): string {
  const before = backslashes.slice(backslashes.length % 2);
  return `${before}\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** V8 would take the code cache of another bundle for this one's, if both happen to be of one length. */
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
    // What imports those statically is itself loaded when it is used.
    checks: { ...common.checks, ineffectiveDynamicImport: false },
    plugins: [
      licenses,
      messagesInOneLanguage,
      commanderStartsNothing,
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
      // Node looks through the whole text of a CommonJS file for its exports when it is imported.
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
    plugins: [licenses, messagesInOneLanguage, nativePackageByTarget, providersApart, asciiOnly],
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
      // What stays outside is not asked for where it is: the library would get the runtime past ours.
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
    // Bundled libraries' types lean on comments that bundling moves; whoever checks declarations would be shown faults.
    banner: { dts: "// @ts-nocheck" },
    plugins: [licenses, messagesInOneLanguage, nativePackageByTarget, providersApart],
  },
]);
