import { isObject } from "../json/is-object.ts";
import { MemsvcError } from "../operation/errors.ts";

/* Messages of JSON-RPC 2.0, with the restriction of the Model Context Protocol that ids are strings or integers. */

export const rpcCodes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  resourceNotFound: -32002,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

export type RpcId = string | number;

export interface RpcRequest {
  readonly kind: "request";
  readonly id: RpcId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export type ParsedMessage =
  | RpcRequest
  | { readonly kind: "notification"; readonly method: string; readonly params: RpcRequest["params"] }
  /** A response, though we never send requests. */
  | { readonly kind: "response" }
  | { readonly kind: "invalid"; readonly id: RpcId | null; readonly problem: string };

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type RpcResponse =
  | { readonly jsonrpc: "2.0"; readonly id: RpcId; readonly result: object }
  | { readonly jsonrpc: "2.0"; readonly id: RpcId | null; readonly error: RpcError };

export function resultResponse(id: RpcId, result: object): RpcResponse {
  return { jsonrpc: "2.0", id, result };
}

export function errorResponse(id: RpcId | null, fault: RpcError): RpcResponse {
  return { jsonrpc: "2.0", id, error: fault };
}

/** Tells what kind of message a JSON value is. */
export function readMessage(value: unknown): ParsedMessage {
  if (!isObject(value)) return { kind: "invalid", id: null, problem: "a message must be an object" };
  const { jsonrpc, id, method } = value;
  const params = value.params ?? {};
  const known = isId(id) ? id : null;
  if (jsonrpc !== "2.0") return { kind: "invalid", id: known, problem: 'jsonrpc must be "2.0"' };
  if (method === undefined && known !== null && ("result" in value || "error" in value))
    return { kind: "response" };
  if (typeof method !== "string") return { kind: "invalid", id: known, problem: "method must be a string" };
  if (!isObject(params)) return { kind: "invalid", id: known, problem: "params must be an object" };
  if (!("id" in value)) return { kind: "notification", method, params };
  if (known === null) return { kind: "invalid", id: null, problem: "id must be a string or a whole number" };
  return { kind: "request", id: known, method, params };
}

function isId(value: unknown): value is RpcId {
  return typeof value === "string" || (typeof value === "number" && Number.isInteger(value));
}

/** A string among the parameters of a request. Error: invalid_input. */
export function textParam(params: RpcRequest["params"], name: string): string {
  const value = params[name] ?? undefined;
  if (typeof value === "string") return value;
  const problem = value === undefined ? "required" : "must be a string";
  throw new MemsvcError("invalid_input", `${name} ${problem}`);
}

/** The `arguments` of a request; an empty object if there are none. Error: invalid_input. */
export function argumentsParam(params: RpcRequest["params"]): Record<string, unknown> {
  const given = params.arguments ?? {};
  if (isObject(given)) return given;
  throw new MemsvcError("invalid_input", "arguments must be an object");
}
