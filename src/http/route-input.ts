import { cleanText } from "../json/parse-json.ts";
import type { HttpBinding, Operation } from "../operation/define.ts";
import { neededFields, textKinds } from "../operation/text-kinds.ts";
import { type TextKind, valueFromText } from "../operation/text-values.ts";

const ofTheWholeRequest = ["agentId", "includeOrphans", "dryRun"];

/**
 * Fields that a POST may also carry in its query, where they win over the body. An operation that requires `agentId`
 * means the agent that does the work, so it takes it from the body alone: a client that adds `agentId` to every query
 * only says whose rows it may see.
 */
export function queryOverBody(
  { inQueryToo = [] }: HttpBinding,
  needed: readonly string[] = [],
): readonly string[] {
  return [...ofTheWholeRequest.filter((field) => !needed.includes(field)), ...inQueryToo];
}

/** Reads the input of one operation from a request. */
export class RouteInput {
  readonly #operation: Operation;
  #overBody: readonly string[] | undefined;

  constructor(operation: Operation) {
    this.#operation = operation;
  }

  /** The operation's input from query, path and body. */
  read(
    query: URLSearchParams,
    path: Readonly<Record<string, string>>,
    body: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    const { http, input } = this.#operation;
    const kinds = textKinds(input);
    if (http?.method === "POST") {
      this.#overBody ??= queryOverBody(http, neededFields(input));
      return merged(body, fromQuery(query, kinds, this.#overBody));
    }
    const inPath = Object.entries(path).map(([field, text]) => [field, cleanText(text)]);
    const found = fromQuery(query, kinds, kinds.keys());
    return { ...merged(body, found), ...Object.fromEntries(inPath) };
  }
}

function fromQuery(
  query: URLSearchParams,
  kinds: ReadonlyMap<string, TextKind>,
  fields: Iterable<string>,
): Record<string, unknown> {
  const found: [string, unknown][] = [];
  for (const field of fields) {
    const kind = kinds.get(field);
    const text = textOf(field, kind, query.getAll(field));
    if (text !== undefined && kind !== undefined)
      found.push([field, valueFromText(field, kind, cleanText(text))]);
  }
  return Object.fromEntries(found);
}

/** The text of a parameter that may be repeated. */
function textOf(field: string, kind: TextKind | undefined, given: readonly string[]): string | undefined {
  // Many programs repeat a parameter for each item of a list.
  if (kind === "list" && given.length > 0) return given.join(",");
  const first = given[0];
  return field === "dryRun" ? (given.find((one) => one !== "false") ?? first) : first;
}

/** The query wins over the body; but a dry run asked for anywhere stays a dry run. */
function merged(
  body: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const dryRun = body.dryRun === true && query.dryRun === false ? { dryRun: true } : {};
  return { ...body, ...query, ...dryRun };
}
