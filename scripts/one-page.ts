import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Output {
  readonly [file: string]: { readonly type: "chunk" | "asset"; readonly code?: string };
}

interface Emitter {
  emitFile(file: { type: "asset"; fileName: string; source: string }): unknown;
}

/** Makes one page of a folder's `page.html`, its `style.css` and the bundled script, which is written nowhere else. */
export function onePage(folder: string, fileName: string) {
  return {
    name: "one-page",
    generateBundle(this: Emitter, _options: unknown, output: Output) {
      const scripts = Object.entries(output).filter(([, { type }]) => type === "chunk");
      const [[file, { code }] = ["", {}]] = scripts;
      if (code === undefined || scripts.length !== 1) throw new Error("a page has one script");
      delete (output as Record<string, unknown>)[file];
      const style = imported(folder, readFileSync(join(folder, "style.css"), "utf8"));
      const parts: Readonly<Record<string, string>> = { style: withoutSpace(style), script: inElement(code) };
      const page = readFileSync(join(folder, "page.html"), "utf8");
      const source = page.replace(/\/\* (style|script) \*\/;?/gu, (_, name: string) => parts[name] ?? "");
      this.emitFile({ type: "asset", fileName, source });
    },
  };
}

/** A style sheet with its `@import`s replaced by the text of those files. */
function imported(folder: string, css: string): string {
  return css.replace(/@import "(.+)";/gu, (_, file: string) => readFileSync(join(folder, file), "utf8"));
}

/** Escapes what would end the script element, or begin an HTML comment, within a script. */
function inElement(code: string): string {
  return code.trim().replace(/<(?=\/script|!--)/giu, "\\x3C");
}

function withoutSpace(css: string): string {
  return css
    .replace(/\/\*.*?\*\//gsu, "")
    .replace(/\s+/gu, " ")
    .replace(/ ?([{};,]) ?/gu, "$1")
    .replaceAll(";}", "}")
    .trim();
}
