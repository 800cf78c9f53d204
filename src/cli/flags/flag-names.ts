import { type Issue, isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import type { FlagDefinition, Positional } from "../operations/operation-entry.ts";

/** The arguments and flags from which a command fills its operation's fields. */
interface Fillers {
  /** A positional has the name of its field, unless `name` is given. */
  readonly positionals: readonly (Pick<Positional, "field"> & { readonly name?: string })[];
  readonly flags: readonly Pick<FlagDefinition, "field" | "name">[];
}

/**
 * Translates an error for the command line: the names of fields become those of the flags or arguments that fill them.
 * Other errors are returned unchanged.
 */
export function withFlagNames(error: unknown, command: Fillers): unknown {
  if (!isMemsvcError(error)) return error;
  const names = namesOf(command);
  const [first] = error.code === "invalid_input" ? (error.issues ?? []) : [];
  const message = first === undefined ? renamed(error.message, names) : fault(first, error.message, names);
  const hint = error.hint === undefined ? undefined : renamed(error.hint, names);
  if (message === error.message && hint === error.hint) return error;
  const { code, issues, extra, cause } = error;
  const told = new MemsvcError(code, message, { hint, issues, extra, cause });
  if (error.stack !== undefined) told.stack = error.stack;
  return told;
}

type Names = ReadonlyMap<string, string>;

function namesOf({ positionals, flags }: Fillers): Names {
  const names = new Map(positionals.map(({ field, name = field }) => [field, `<${name}>`]));
  for (const { field, name } of flags) if (!names.has(field)) names.set(field, `--${name}`);
  return names;
}

function fault({ path, message }: Issue, whole: string, names: Names): string {
  const [field = "", ...below] = path.split(".");
  const name = names.get(field);
  if (name === undefined) return renamed(whole, names, path === "");
  const missing = `${path} required`;
  const problem = message.startsWith(missing)
    ? `is required${message.slice(missing.length)}`
    : renamed(message, names);
  if (below.some((part) => !/^\d+$/u.test(part))) return `${name}: ${below.join(".")} ${problem}`;
  if (problem.includes(name)) return problem;
  if (!/^(?:must|is|goes|cannot) /u.test(problem)) return `${name}: ${problem}`;
  return below.length > 0 ? `each ${name} ${problem}` : `${name} ${problem}`;
}

/**
 * A sentence with its field names replaced. Names such as `type` or `project` may be ordinary words, `agentId` cannot:
 * ambiguous names are taken for fields only if the sentence lists fields. Quoted text is input or stored text and
 * stays.
 */
function renamed(sentence: string, names: Names, listsFields = false): string {
  const words = /"[^"]*"|(?<![\w<.-])[a-z]\w*(?![\w>-])/gu;
  const isTelling = listsFields && [...sentence.matchAll(words)].some(([word]) => isField(word, names));
  return sentence.replace(words, (word) =>
    isField(word, names) || isTelling ? (names.get(word) ?? word) : word,
  );
}

function isField(word: string, names: Names): boolean {
  return /[A-Z]/u.test(word) && names.has(word);
}
