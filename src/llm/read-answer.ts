import * as z from "zod";
import { parseJson } from "../json/parse-json.ts";
import { redactValue } from "../text/redaction/redact.ts";
import { bracedParts } from "./braced-parts.ts";

export type ReadAnswer<Value> =
  | { readonly isRead: true; readonly value: Value }
  | { readonly isRead: false; readonly problem: string };

const problemsNamed = 5;
const endOfThinking = "</think>";

/**
 * Extracts the value from a model's answer, redacts it and removes characters that cannot be stored. Accepts bare JSON,
 * or JSON after a chain of thought, in a code fence, or surrounded by text. A problem is worded so that the model can
 * act on it.
 */
export function readAnswer<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
): ReadAnswer<z.output<Schema>> {
  const json = jsonIn(text);
  if (json === undefined) return { isRead: false, problem: "it is not a JSON object" };
  const parsed = schema.safeParse(redactValue(json.value));
  if (parsed.success) return { isRead: true, value: parsed.data };
  const problems = parsed.error.issues
    .slice(0, problemsNamed)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`));
  return { isRead: false, problem: problems.join("; ") };
}

function jsonIn(text: string): { readonly value: unknown } | undefined {
  const answer = text.slice(afterThinking(text));
  // The answer may itself contain the mark that ends thoughts; then it begins before that mark.
  const isMarkWithin = text.lastIndexOf(endOfThinking) < text.lastIndexOf("}");
  return objectIn(answer) ?? onlyObjectIn(answer) ?? (isMarkWithin ? objectIn(text) : undefined);
}

/** From the first brace to the last. */
function objectIn(answer: string): { readonly value: unknown } | undefined {
  const first = answer.indexOf("{");
  const last = answer.lastIndexOf("}");
  return first === -1 || last < first ? undefined : parsed(answer.slice(first, last + 1));
}

/** Where the words around the answer contain braces, too. Of several objects, nobody knows which is meant. */
function onlyObjectIn(answer: string): { readonly value: unknown } | undefined {
  const [only, ...more] = bracedParts(answer).flatMap((part) => parsed(part) ?? []);
  return more.length === 0 ? only : undefined;
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseJson(text) };
  } catch {
    // Not parseable, or nested too deep: the problem is reported back to the model.
    return undefined;
  }
}

/** The start of the answer: reasoning models without a separate field for thoughts put them first. */
function afterThinking(text: string): number {
  const end = text.lastIndexOf(endOfThinking);
  return end === -1 ? 0 : end + endOfThinking.length;
}

/** The JSON Schema that models are given. */
export function answerSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    unrepresentable: "any",
  });
  return rest;
}
