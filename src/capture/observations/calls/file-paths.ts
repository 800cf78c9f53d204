import { isObject } from "../../../json/is-object.ts";
import { folderPrefix, fullPath, withDriveFirst } from "../../../paths/path-text.ts";
import { textOf } from "./json-text.ts";
import { parsedInput } from "./tool-input.ts";

const mostFiles = 20;
const deepestKey = 4;
const longestPath = 4096;
const fileKeys = new Set(
  "file_path filePath filepath path file files absPath abs_path notebook_path notebookPath old_path oldPath new_path newPath target_file targetFile filename fileName".split(
    " ",
  ),
);
const patchedFile = /^(?:\+\+\+ b\/|\*\*\* (?:(?:Add|Update|Delete) File|Move to): )(.+)$/gm;
const scheme = /^[a-z][a-z0-9+.-]+:/i;
// Square brackets alone are common in file names (`app/[id]/page.tsx`); a range or a negation is a pattern.
const globPattern = /[*?{}]|\[[!^]|\[\w-\w/;

/**
 * The files that an event names: values under the known keys, at most 4 keys deep, and the targets of a patch
 * in the input. The tool's input comes first. Paths below `cwd` are relative to it; each once, at most 20.
 */
export function filesOf(data: Record<string, unknown>, toolInput: unknown, cwd: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, depth);
    } else if (isObject(value) && depth < deepestKey) {
      for (const [key, item] of Object.entries(value)) {
        if (fileKeys.has(key)) collect(item, found);
        if (item !== toolInput) visit(item, depth + 1);
      }
    }
  };
  const input = parsedInput(toolInput);
  visit(input, 1);
  for (const text of patchTexts(input)) found.push(...patchTargets(text));
  visit(data, 0);
  const files = new Set<string>();
  for (const path of found) {
    const shown = isFilePath(path) ? relativeTo(cwd, path) : "";
    if (shown !== "") files.add(shown);
    if (files.size === mostFiles) break;
  }
  return [...files];
}

const temporary =
  /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders|dev)\/|[\\/]AppData[\\/]Local[\\/]Temp[\\/]|.[\\/]\.(?:claude|codex|cursor|gemini|qwen)[\\/]/i;

/**
 * Whether a file (relative to its project) is in a temporary folder or an agent's own folder, and so no part
 * of the project.
 */
export function isTemporaryFile(file: string): boolean {
  return temporary.test(file);
}

function collect(value: unknown, into: string[]): void {
  if (typeof value === "string") into.push(value);
  else if (Array.isArray(value)) for (const item of value) if (typeof item === "string") into.push(item);
}

function patchTexts(toolInput: unknown): string[] {
  const values = isObject(toolInput) ? Object.values(toolInput) : [toolInput];
  return values
    .filter((value) => typeof value === "string" || Array.isArray(value))
    .map(textOf)
    .filter((text) => text.includes("+++ b/") || text.includes("*** "));
}

function patchTargets(text: string): string[] {
  const targets = new Set<string>();
  for (const match of text.matchAll(patchedFile)) {
    targets.add((match[1] ?? "").split("\t", 1)[0]?.trim() ?? "");
    if (targets.size === mostFiles) break;
  }
  return [...targets];
}

function isFilePath(value: string): boolean {
  if (value.length > longestPath || /[\r\n]/.test(value)) return false;
  return !scheme.test(value) && !globPattern.test(value);
}

/**
 * A path below `cwd` becomes relative to it, with forward slashes; `cwd` itself becomes `""`; other paths
 * stay. Without `.`, `..` and doubled slashes, and normalized to NFC (macOS gives NFD), so that a file has one name.
 */
function relativeTo(cwd: string, given: string): string {
  const path = given.trim().normalize("NFC");
  const folder = folderPrefix(withDriveFirst(cwd));
  const plain = fullPath(withDriveFirst(path), undefined);
  if ([folder, folder.slice(0, -1), ".", "./"].includes(plain)) return "";
  if (folder !== "/" && plain.startsWith(folder)) return plain.slice(folder.length);
  if (!path.includes("\\")) return plain;
  // Only on Windows a backslash is certainly no part of a name.
  return onDrive.test(folder) && !onDrive.test(plain) && !plain.startsWith("/") ? plain : path;
}

const onDrive = /^[A-Za-z]:(?:[\\/]|$)/;

/** Makes the paths below `cwd` in a text relative to it. */
export function withPathsFrom(cwd: string, text: string): string {
  const base = cwd.replace(/[/\\]+$/, "");
  if (base === "") return text;
  return spellingsOf(base).reduce((named, folder) => {
    const [first = "", ...rest] = named.split(folder);
    return rest.reduce((before, part) => `${before}${insideOfPath.test(before) ? folder : ""}${part}`, first);
  }, text);
}

/** The folder with a slash at its end, on Windows with either letter of the drive and either slash. */
function spellingsOf(base: string): string[] {
  if (!onDrive.test(base)) return [`${base}/`, `${base}\\`];
  const drives = [base.charAt(0).toUpperCase(), base.charAt(0).toLowerCase()];
  const rest = `${base.slice(1)}/`;
  return drives.flatMap((drive) => [drive + rest.replaceAll("\\", "/"), drive + rest.replaceAll("/", "\\")]);
}

const insideOfPath = /[\w./\\~-]$/;
