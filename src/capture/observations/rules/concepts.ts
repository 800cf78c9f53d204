import { isObject } from "../../../json/is-object.ts";
import { lowerCase } from "../../../text/lower-case.ts";
import { looksRandom } from "../../../text/redaction/randomness.ts";
import { tally } from "../../../text/tally.ts";
import { ownText } from "../calls/json-text.ts";
import { inputText, parsedInput } from "../calls/tool-input.ts";
import { observersIn } from "../commands/command-kind.ts";
import { withoutSignatures } from "../commands/signatures.ts";
import { foreignStopWords } from "./foreign-stop-words.ts";
import { librariesIn } from "./libraries.ts";
import type { ParsedEvent } from "./parsed-event.ts";
import { sourceWords, stopWords } from "./stop-words.ts";
import { wordsIn } from "./words.ts";

const mostConcepts = 12;
const mostWords = 6;
const longestWord = 30;
// Imports are at the beginning of a file, and a text shows its topic in its beginning.
const readOfSource = 8192;
const readOfText = 8192;
const genericNames = new Set(
  "index main mod readme __init__ __main__ init lib page layout route app default".split(" "),
);
const identifier = /[A-Za-z_][A-Za-z0-9_-]{3,}/g;
const longestIdentifier = 60;
/** Properties of CSS have a hyphen, but are in all style sheets and templates. */
const styleProperty =
  /^(?:(?:margin|padding|border)-(?:top|right|bottom|left|radius|color|width|style)|(?:max|min)-(?:width|height)|font-(?:size|weight|family|style)|background-color|text-(?:align|decoration|transform|overflow)|line-height|letter-spacing|white-space|box-(?:shadow|sizing)|flex-(?:direction|wrap|grow|shrink)|align-(?:items|self|content)|justify-content|overflow-[xy]|z-index)$/;
const shortestEncoded = 20;
/** `/clear`, `/exit`: commands to the agent's program have no topic. */
const bareCommand = /^\s*\/[a-z][\w:-]{0,60}\s*$/i;
/** Hooks that report the state of the agent's program, which is no topic either. */
const hooksOfTheProgram: ReadonlySet<string> = new Set([
  "session_start",
  "session_end",
  "pre_compact",
  "notification",
  "stop",
]);
/** Types whose output is mostly the text of a file. */
const sourceTypes: ReadonlySet<string> = new Set(["file_read", "file_write", "file_edit"]);
const hashtag = /(?:^|\s)#(\p{L}[\p{L}\p{N}_-]{1,49})/gu;
// Shas, ids and references of images: the letters between their digits are not words.
const hexRun = /\b(?:0x)?(?:[0-9a-f]{8,}(?:-[0-9a-f]{4,})*|(?=[a-f]{0,7}\d)[0-9a-f]{6,7})\b/g;
/** 十分鐘, 兩小時, 五次, 三個: dictionaries join a number with the word after it. */
const chineseCount =
  /^[零一二兩两三四五六七八九十百千萬万]+(?:[個个]|[秒分][鐘钟]?|[個个]?(?:小[時时]|月|星期)|[天日週周年次遍筆笔行條条百千萬万])?$/;
/** The `n` of an escaped line break in JSON output would become the first letter of a word. */
const jsonBreak = /\\[nrt]/g;
// `old_string`, `activeForm`: the words in a name.
const fieldWord = /[A-Z]?[a-z]{3,}/g;
const deepestField = 4;
const mostFieldNames = 200;
const windowsPath = /(?:^|[^A-Za-z])[A-Za-z]:\\/;
/** `--filter` belongs to the program, not to the topic. */
const longOption = /(?<=^|\s)--[a-z][\w-]*/g;
/** Agents write this before the output of a failed command. */
const exitHeader = /\bexit code:? -?\d{1,10}\b/gi;
const redactionMark = /\[REDACTED(?:_SECRET)?\]/g;

/** The topics of an event: at most 12 names in lower case, the most certain first. */
export function conceptsOf(parsed: ParsedEvent, narrative: string): string[] {
  const concepts = new Set<string>();
  const add = (name: string): void => {
    const concept = lowerCase(name);
    if (concepts.size < mostConcepts && isConcept(concept)) concepts.add(concept);
  };
  const { picked, said, answer } = parsed;
  for (const file of picked.files) add(fileConcept(file));
  const input = inputText(picked.toolInput, readOfSource);
  const fields = fieldNames(parsedInput(picked.toolInput));
  if (ownText(picked.toolOutput) === undefined) fieldNames(picked.toolOutput, 0, fields);
  const talk = [said, answer].filter((text) => text !== undefined).map(readable);
  const source = parsed.type === "file_read" ? [input, parsed.output.slice(0, readOfSource)] : [input];
  for (const name of librariesIn([...talk, ...source].join("\n"), mostConcepts)) add(name);
  const named = [readable(said ?? ""), withoutPaths(withoutSignatures(input)), ...parsed.errorLines].join(
    "\n",
  );
  for (const found of named.match(identifier) ?? []) {
    if (concepts.size === mostConcepts) break;
    const name = found.replace(/[-_]+$/, "");
    if (isNamedThing(name) && !fields.has(name.toLowerCase())) add(name);
  }
  for (const match of talk.join("\n").matchAll(hashtag)) add(match[1] ?? "");
  for (const frequent of frequentWords(
    toldIn(parsed, narrative),
    new Set([
      ...concepts,
      ...fields,
      ...observersIn(picked.input.command ?? ""),
      ...(sourceTypes.has(parsed.type) ? sourceWords : []),
    ]),
  ))
    add(frequent);
  return [...concepts];
}

/** The text whose words show the topic of the event; `""` for none. */
function toldIn({ said, answer, event }: ParsedEvent, narrative: string): string {
  if (said !== undefined) return bareCommand.test(said) ? "" : readable(said);
  if (answer === undefined && hooksOfTheProgram.has(event.hookType)) return "";
  return withoutPaths(
    withoutSignatures(readable(narrative)).replace(exitHeader, " ").replace(longOption, " "),
  );
}

/**
 * The field names of a tool's input, or of an output that is shown as JSON, and the words in them. They belong to the tool, not to the topic of the
 * call.
 */
function fieldNames(input: unknown, depth = 0, names = new Set<string>()): Set<string> {
  if (depth > deepestField || names.size > mostFieldNames) return names;
  if (Array.isArray(input)) for (const item of input) fieldNames(item, depth + 1, names);
  else if (isObject(input)) {
    for (const [field, value] of Object.entries(input)) {
      names.add(field.toLowerCase());
      for (const part of field.match(fieldWord) ?? []) names.add(part.toLowerCase());
      if (typeof value === "object") fieldNames(value, depth + 1, names);
    }
  }
  return names;
}

function readable(text: string): string {
  return text.slice(0, readOfText).replace(redactionMark, " ");
}

/** Removes paths: folders are a location, not a topic, and the files are concepts already. */
function withoutPaths(text: string): string {
  if (!text.includes("/") && !text.includes(":\\")) return text;
  return text.replace(/\S+/g, (run) => (run.includes("/") || windowsPath.test(run) ? " " : run));
}

function isConcept(name: string): boolean {
  if (name.length < 2 || /^[\d._-]+$/.test(name) || /^\[?redacted/.test(name)) return false;
  return !/^[0-9a-f]{8,}$/.test(name.replace(/^0x|-/g, ""));
}

/** `src/auth/session.ts` → `session`; `src/api/index.ts` → `api/index`; `.env` stays. */
function fileConcept(file: string): string {
  const parts = file.split(/[\\/]/).filter((part) => part !== "");
  const name = parts.at(-1) ?? "";
  const base = name.replace(/(?<=.)\.[^.]*$/, "");
  const folder = parts.at(-2);
  return genericNames.has(base.toLowerCase()) && folder !== undefined ? `${folder}/${base}` : base;
}

/** An inner capital, underscore or hyphen makes a word a name: `maxRetries`, `user_id`, `rate-limit`. */
function isNamedThing(name: string): boolean {
  if (name.length < 4 || name.length > longestIdentifier || styleProperty.test(name)) return false;
  // Ids and encoded bytes contain capitals and hyphens, too.
  if (name.length >= shortestEncoded && looksRandom(name)) return false;
  return /[A-Za-z0-9][_-]+[A-Za-z0-9]/.test(name) || (/^.+[A-Z]/.test(name) && /[a-z]/.test(name));
}

function frequentWords(text: string, known: ReadonlySet<string>): string[] {
  const plain = text.includes('":') ? text.replace(jsonBreak, " ") : text;
  const lower = lowerCase(plain).replace(hexRun, " ");
  const words: string[] = [];
  for (const { value: found } of tally([...wordsIn(lower)].filter(({ length }) => length <= longestWord))) {
    if (saysNothing(found) || known.has(found) || !isConcept(found)) continue;
    words.push(found);
    if (words.length === mostWords) break;
  }
  return words;
}

function saysNothing(word: string): boolean {
  return stopWords.has(word) || foreignStopWords.has(word) || chineseCount.test(word);
}
