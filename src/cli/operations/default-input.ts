import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, resolve } from "node:path";
import { isImageReference } from "../../capture/images/reference.ts";
import { isText } from "../../json/is-text.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { expandHome } from "../../paths/expand-home.ts";
import { isInside } from "../../paths/is-inside.ts";
import { standardStream } from "../terminal/standard-stream.ts";

/** Values for fields that the command line leaves out. */
interface CommandDefaults {
  readonly cwd: string;
  /** The project that work in a folder belongs to. */
  readonly projectOf: (folder: string) => string;
  readonly newSessionId: () => string;
  readonly stdin: () => Promise<string>;
  readonly stdinIsPiped: () => boolean;
  /** Claude Code's folder if CLAUDE_CONFIG_DIR is set, instead of `~/.claude`. */
  readonly claudeFolder?: string | undefined;
  /** How many rows a list shows; undefined for the operation's own default. */
  readonly rows: number | undefined;
}

/** Fills in what a person means by omitting something: this folder's project, a new session, piped text. */
export async function withDefaults(
  operationId: string,
  input: Record<string, unknown>,
  defaults: CommandDefaults,
): Promise<Record<string, unknown>> {
  const { cwd, projectOf, newSessionId, rows } = defaults;
  // A named folder stands for the one in which the command runs, and so does its project.
  const project = () => projectOf(typeof input.cwd === "string" && input.cwd !== "" ? input.cwd : cwd);
  switch (operationId) {
    case "sessions.start":
      return { sessionId: newSessionId(), project: project(), cwd, ...input };
    case "context.build":
      return { sessionId: "cli", project: project(), cwd, ...input };
    case "enrich.files":
      return { sessionId: "cli", ...projectUnlessSession(input, defaults), ...input };
    case "enrich.history":
      return { ...projectUnlessSession(input, defaults), ...input };
    case "profiles.get":
      return input.project === undefined ? { project: project(), cwd, ...input } : input;
    case "branches.detect":
    case "branches.worktrees":
    case "branches.sessions":
    case "files.compress":
    case "graph.import":
      return { cwd, ...input };
    case "migration.run":
      return typeof input.dbPath === "string" ? { cwd, ...input } : input;
    case "replay.import":
      return { ...input, ...transcriptsPath(input.path, defaults) };
    case "projects.move":
    case "projects.separate":
      return Object.fromEntries(
        Object.entries(input).map(([name, folder]) => [name, fromHere(cwd, String(folder))]),
      );
    case "governance.forgetProject":
      return { ...input, project: folderOrName(cwd, String(input.project)) };
    case "vision.search":
      return { ...input, ...imagePath(cwd, "queryImageRef", input) };
    case "vision.embed":
      return { ...input, ...imagePath(cwd, "imageRef", input) };
    case "memories.remember":
      return { ...input, content: await textOrStdin(input.content, defaults) };
    case "memories.evolve":
      return withStdin("newContent", input, defaults);
    case "slots.append":
      return withStdin("text", input, defaults);
    case "lessons.save":
    case "signals.send":
    case "slots.create":
    case "slots.replace":
      return withStdin("content", input, defaults);
    default:
      return rows === undefined ? input : { limit: rows, ...input };
  }
}

/** Empty if the operation's own default applies; an empty path is left for the operation to refuse. */
function transcriptsPath(given: unknown, { cwd, claudeFolder }: CommandDefaults): { readonly path?: string } {
  if (typeof given === "string" && given !== "") return { path: resolve(cwd, expandHome(given)) };
  return given === undefined && claudeFolder ? { path: resolve(cwd, claudeFolder, "projects") } : {};
}

/**
 * This folder's project, or that of files which are all in another; a session that is given brings its own. Of files in
 * several projects, the service finds out the project of each.
 */
function projectUnlessSession(
  { sessionId, files }: Record<string, unknown>,
  { cwd, projectOf }: CommandDefaults,
): { readonly project?: string } {
  if (sessionId !== undefined) return {};
  const here = folderNamed(projectOf(cwd), cwd);
  const projects = new Set(
    (Array.isArray(files) ? files : []).map((file) => {
      const path = resolve(cwd, String(file));
      if (!isAbsolute(here) || isInside(path, here)) return here;
      return folderNamed(projectOf(dirname(path)), dirname(path));
    }),
  );
  const [project = here, ...others] = projects;
  return others.length === 0 ? { project } : {};
}

/** The working folder or its nearest ancestor of that name, which identifies this checkout; otherwise the name. */
function folderNamed(name: string, cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (basename(folder) === name) return folder;
    if (dirname(folder) === folder) return name;
  }
}

/** The folder of that path from here, if there is one: names such as `owner/shop` contain slashes, too. */
function folderOrName(cwd: string, project: string): string {
  const folder = fromHere(cwd, project);
  return /[/\\]/u.test(project) && existsSync(folder) ? folder : project;
}

function fromHere(cwd: string, path: string): string {
  return path === "" || /^~[/\\]/u.test(path) ? path : resolve(cwd, path);
}

/**
 * A stored image is given by its reference. Anything else is a path, which the daemon would resolve in its own working
 * folder.
 */
function imagePath(cwd: string, field: string, input: Record<string, unknown>): Record<string, unknown> {
  const given = input[field];
  if (typeof given !== "string" || isImageReference(given)) return {};
  return { [field]: fromHere(cwd, given) };
}

/**
 * The input with the text of standard input for a field that is given as `-`. An empty one is refused, because the
 * program that should have written it may have failed.
 */
async function withStdin(
  field: string,
  input: Record<string, unknown>,
  { stdin }: CommandDefaults,
): Promise<Record<string, unknown>> {
  if (input[field] !== standardStream) return input;
  const text = withoutLastBreak(await stdin());
  if (text.trim() !== "") return { ...input, [field]: text };
  throw new MemsvcError("invalid_input", "nothing came through standard input; nothing was changed", {
    hint: "pipe the text in, or write it in place of -",
  });
}

function withoutLastBreak(text: string): string {
  return text.replace(/\r?\n$/u, "");
}

async function textOrStdin(text: unknown, { stdin, stdinIsPiped }: CommandDefaults): Promise<unknown> {
  const isPiped = text === standardStream || (text === undefined && stdinIsPiped());
  const content = isPiped ? withoutLastBreak(await stdin()) : text;
  if (isText(content)) return content;
  throw new MemsvcError("invalid_input", "nothing to remember", {
    hint: 'put the text before the flags: memsvc remember "…" --concept x, or pipe it in',
  });
}
