import { basename, dirname, resolve } from "node:path";
import { isImageReference } from "../../capture/images/reference.ts";
import { MemsvcError } from "../../operation/errors.ts";

/** Fields that a command fills in when the command line leaves them out. */
export interface CommandDefaults {
  readonly cwd: string;
  readonly project: () => string;
  readonly newSessionId: () => string;
  readonly stdin: () => Promise<string>;
  readonly stdinIsPiped: () => boolean;
  /** Where Claude Code was told to keep its files (CLAUDE_CONFIG_DIR), in place of `~/.claude`. */
  readonly claudeFolder?: string | undefined;
  /** Whether a person reads the answer as it comes, rather than a program. */
  readonly isForPeople: boolean;
}

/** As many as other lists show: these two would give thousands. */
export const rowsForPeople: Readonly<Record<string, number>> = {
  "memories.list": 100,
  "observations.list": 100,
};

/** What a person means by leaving something out: this folder's project, a new session, the text that is piped in. */
export async function withDefaults(
  operationId: string,
  input: Record<string, unknown>,
  defaults: CommandDefaults,
): Promise<Record<string, unknown>> {
  const { cwd, project, newSessionId } = defaults;
  switch (operationId) {
    case "sessions.start":
      return { sessionId: newSessionId(), project: project(), cwd, ...input };
    case "context.build":
      return { sessionId: "cli", project: project(), cwd, ...input };
    case "enrich.files":
      return { sessionId: "cli", project: folderNamed(project(), cwd), ...input };
    case "enrich.history":
      return { project: folderNamed(project(), cwd), ...input };
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
    case "vision.search":
      return { ...input, ...imagePath(cwd, "queryImageRef", input) };
    case "vision.embed":
      return { ...input, ...imagePath(cwd, "imageRef", input) };
    case "memories.remember":
      return { ...input, content: await textOrStdin(input.content, defaults) };
    default: {
      const limit = rowsForPeople[operationId];
      return defaults.isForPeople && limit !== undefined ? { limit, ...input } : input;
    }
  }
}

/** Nothing where the operation's own default holds, and where an empty path is for it to refuse. */
function transcriptsPath(given: unknown, { cwd, claudeFolder }: CommandDefaults): { readonly path?: string } {
  if (typeof given === "string" && given !== "") return { path: resolve(cwd, given) };
  return given === undefined && claudeFolder ? { path: resolve(cwd, claudeFolder, "projects") } : {};
}

/** The folder of that name that the working folder is or lies in, which no other checkout shares; else the name. */
function folderNamed(name: string, cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (basename(folder) === name) return folder;
    if (dirname(folder) === folder) return name;
  }
}

function fromHere(cwd: string, path: string): string {
  return path === "" || /^~[/\\]/u.test(path) ? path : resolve(cwd, path);
}

/** A kept image is named by its reference; everything else is a path, which the daemon would look for in its own folder. */
function imagePath(cwd: string, field: string, input: Record<string, unknown>): Record<string, unknown> {
  const given = input[field];
  if (typeof given !== "string" || isImageReference(given)) return {};
  return { [field]: fromHere(cwd, given) };
}

async function textOrStdin(text: unknown, { stdin, stdinIsPiped }: CommandDefaults): Promise<unknown> {
  const isPiped = text === "-" || (text === undefined && stdinIsPiped());
  const content = isPiped ? (await stdin()).replace(/\r?\n$/u, "") : text;
  if (typeof content === "string" && content.trim() !== "") return content;
  throw new MemsvcError("invalid_input", "nothing to remember", {
    hint: 'put the text before the flags: memsvc remember "…" --concept x, or pipe it in',
  });
}
