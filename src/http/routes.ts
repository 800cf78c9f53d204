import { cleanText } from "../json/parse-json.ts";
import type { HttpBinding, Operation } from "../operation/define.ts";
import { textKinds } from "../operation/text-kinds.ts";
import { type TextKind, valueFromText } from "../operation/text-values.ts";

/** Fields that a POST may also carry in its query, where they win. */
export function queryOverBody({ inQueryToo = [] }: HttpBinding): readonly string[] {
  return ["agentId", "includeOrphans", "dryRun", ...inQueryToo];
}

/** How one operation reads its input off a request. */
export class RouteInput {
  readonly #operation: Operation;
  #kinds: ReadonlyMap<string, TextKind> | undefined;

  constructor(operation: Operation) {
    this.#operation = operation;
  }

  /** The operation's input from query, path and body. */
  read(
    query: URLSearchParams,
    path: Readonly<Record<string, string>>,
    body: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    this.#kinds ??= textKinds(this.#operation.input);
    const { http } = this.#operation;
    if (http?.method === "POST") return { ...body, ...this.#fromQuery(query, queryOverBody(http)) };
    const inPath = Object.entries(path).map(([field, text]) => [field, cleanText(text)]);
    return {
      ...body,
      ...this.#fromQuery(query, [...this.#kinds.keys()]),
      ...Object.fromEntries(inPath),
    };
  }

  #fromQuery(query: URLSearchParams, fields: readonly string[]): Record<string, unknown> {
    const found: [string, unknown][] = [];
    for (const field of fields) {
      const text = query.get(field);
      const kind = this.#kinds?.get(field);
      if (text !== null && kind !== undefined)
        found.push([field, valueFromText(field, kind, cleanText(text))]);
    }
    return Object.fromEntries(found);
  }
}
