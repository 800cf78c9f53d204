import { isContainer, isObject } from "../../json/is-object.ts";
import { jsonIn } from "../../json/json-in.ts";
import { secretPlaceholder } from "../../text/redaction/placeholders.ts";
import { envelopes, outputKeys } from "./pick-up-fields.ts";

/** The data of an event whose command prints only secrets, without them. */
export function withoutPrintedSecrets(data: unknown): unknown {
  if (!isObject(data)) return data;
  const fields = Object.entries(data).map(([key, value]) => {
    if (outputKeys.has(key)) return [key, withoutSecretLines(value)] as const;
    return [key, envelopes.includes(key) ? withoutPrintedSecrets(value) : value] as const;
  });
  return Object.fromEntries(fields);
}

/** Lines of one word are the secrets: others are messages. */
function withoutSecretLines(output: unknown): unknown {
  if (typeof output === "string") {
    // Some agents send an output and its exit code, or content blocks, as JSON within a text.
    const json = /^[{[]/.test(output) ? jsonIn(output) : undefined;
    if (json !== undefined) return JSON.stringify(withoutSecretLines(json));
    return output.replace(lineOfOneWord, secretUnlessTelling);
  }
  if (Array.isArray(output)) return output.map(withoutSecretLines);
  if (!isContainer(output)) return output;
  return Object.fromEntries(
    Object.entries(output).map(([key, value]) => [key, withoutSecretLines(value)] as const),
  );
}

/** Gemini CLI writes `Output:` before an output. */
const lineOfOneWord = /^[ \t]*(?:Output: )?(\S{8,})[ \t]*$/gmu;
/** A word of a language, a path, an address, a separator, or what is redacted already. */
const telling = /^(?:[A-Za-z]{1,15}[.:!]?|[~.]{0,2}\/.*|\w+:\/\/.*|[^A-Za-z0-9]+|.*\[REDACTED.*)$/u;

function secretUnlessTelling(line: string, word: string): string {
  return telling.test(word) ? line : line.replace(word, () => secretPlaceholder);
}
