import { inputText } from "../calls/tool-input.ts";

/*
 * Finds names of libraries in source text and in install commands. Relative imports, headers in quotes and standard
 * prefixes are no libraries. All patterns start at a keyword and match names of bounded length, so the search is
 * linear.
 */

const quotedImport = /(?:\bfrom|\bimport|\brequire)[ \t(]{0,4}["']([^"'\s]{1,100})["']/g;
const bareImport =
  /^[ \t]{0,16}(?:(import|from|use)[ \t]{1,4}(?!type[ \t]{1,4}[\w{*]|[^\n"']{1,200}\bfrom[ \t]{0,4}["'])([A-Za-z_][\w.\\:]{0,100})|#[ \t]{0,4}include[ \t]{0,4}<([\w./+-]{1,100})>)/gm;
/** The imports of a Go file, in parentheses. */
const goImports =
  /^import[ \t]{0,4}\(((?:\s{1,16}(?:(?:[\w.]{1,100}[ \t]{1,4})?"[^"\s]{1,100}"|\/\/[^\n]{0,200})){1,200})/gm;
/** One with a host, so that the standard library is left out. */
const goImport = /^[ \t]{0,16}(?:[\w.]{1,100}[ \t]{1,4})?"([\w-]{1,40}\.[^"\s]{1,100})"/gm;
const installCommand =
  /\b(?:(?:npm|pnpm|yarn|bun) (?:i|install|add)|(?:pip3?|uv pip|conda) install|(?:uv|poetry|cargo) add|composer require|dotnet add package|go get|(?:gem|brew|apt|apt-get) install)[ \t]+([^\n;&|]{1,300})/g;
/**
 * Occurs in every install command. Testing for it first takes a quarter of the time, since most texts have
 * none.
 */
const installVerb = / (?:i|install|add|get|require|package)[ \t]/;
/** Their module paths go on with an owner and a name; those of other hosts with a name only. */
const codeHost = /^(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|golang\.org)\//;
const ownRoots = new Set(["crate", "self", "super", "std", "core", "alloc"]);
/** Options of install commands that the next word is the value of. */
const valuedOptions = new Set(
  "-F --features -G --group -p --package -t --target --prefix --filter --extra --branch --tag --rev".split(
    " ",
  ),
);
const domainRoots = new Set(["com", "org", "net", "io", "java", "javax"]);

/** Library names in the order of their first mention, each once, in lower case, at most `maxNames`. */
export function librariesIn(text: string, maxNames: number): string[] {
  const found: { at: number; name: string }[] = [];
  for (const match of text.matchAll(quotedImport))
    found.push({ at: match.index, name: packageName(match[1] ?? "") });
  for (const match of text.matchAll(bareImport)) {
    const name = match[3] === undefined ? moduleRoot(match[2] ?? "") : baseOfHeader(match[3]);
    found.push({ at: match.index, name });
  }
  for (const block of text.matchAll(goImports)) {
    for (const match of block[1]?.matchAll(goImport) ?? [])
      found.push({ at: block.index + match.index, name: goModule(match[1] ?? "") });
  }
  for (const match of installVerb.test(text) ? text.matchAll(installCommand) : []) {
    for (const word of installedPackages(match[1] ?? "")) found.push({ at: match.index, name: word });
  }
  found.sort((left, right) => left.at - right.at);
  const names = new Set(found.map(({ name }) => name.toLowerCase()).filter((name) => /[a-z]{2}/.test(name)));
  return [...names].slice(0, maxNames);
}

const readOfInput = 8192;
const mostOfInput = 5;

/** Libraries that a tool's input imports or installs, at most five. */
export function librariesOfInput(toolInput: unknown): string[] {
  return toolInput === undefined ? [] : librariesIn(inputText(toolInput, readOfInput), mostOfInput);
}

/** `@scope/name/part` → `@scope/name`, `node:fs/promises` → `fs`; `""` for a relative or absolute path. */
function packageName(specifier: string): string {
  if (/^[./~#]|^@\/|^[a-z]+:\/\//.test(specifier)) return "";
  if (codeHost.test(specifier)) return goModule(specifier);
  const [first = "", second] = specifier.replace(/^(?:node|npm|jsr|bun):/, "").split("/");
  return first.startsWith("@") && second !== undefined
    ? `${first}/${second}`
    : first.replace(/(?<=.)@.*$/, "");
}

/** `github.com/owner/name/part` → `github.com/owner/name`, `go.uber.org/zap/zapcore` → `go.uber.org/zap`. */
function goModule(path: string): string {
  return path
    .split("/")
    .slice(0, codeHost.test(path) ? 3 : 2)
    .join("/");
}

function moduleRoot(path: string): string {
  const [first = "", second = ""] = path.split(/[.:\\]+/);
  if (ownRoots.has(first)) return "";
  return domainRoots.has(first) && second !== "" ? second : first;
}

function baseOfHeader(header: string): string {
  return header.slice(header.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
}

function installedPackages(words: string): string[] {
  return words
    .trim()
    .split(/\s+/)
    .filter((_, at, all) => !valuedOptions.has(all[at - 1] ?? ""))
    .map((word) => word.replace(/^["']|["']$/g, ""))
    .filter((word) => /^@?[A-Za-z]/.test(word) && !/:\/\/|\.(?:txt|toml|json|tgz|whl|git)$/.test(word))
    .map((word) => word.replace(/(?<=.)(?:@|[=<>~![]).*$/, ""))
    .filter((word) => !word.startsWith(".") && word.length <= 100);
}
