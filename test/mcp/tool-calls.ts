import { callTool, listTools } from "../../src/mcp/operations.ts";
import type { TestHttp } from "../support/http.ts";

export interface ListedTool {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { properties?: Record<string, Schema>; required?: string[] };
  readonly annotations: Readonly<Record<string, unknown>>;
}
export interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly { readonly type: string; readonly description?: string }[];
  readonly description?: string;
}

export async function offered(of: TestHttp): Promise<Map<string, ListedTool>> {
  const { tools } = await of.ok(listTools, {});
  return new Map(tools.map((tool) => [tool.name, tool as unknown as ListedTool]));
}

/** Returns a function that calls tools over `http`, unless another HTTP face is given. */
export function callsTo(http: TestHttp) {
  /** Calls a tool over REST and expects that the call itself is fine. */
  return async function call(name: string, given: object, of: TestHttp = http) {
    const result = await of.ok(callTool, { name, arguments: { ...given } });
    const text = result.content[0]?.text ?? "";
    return {
      ...result,
      text,
      body: text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : {},
    };
  };
}
