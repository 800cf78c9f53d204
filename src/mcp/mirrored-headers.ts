import { isText } from "../json/is-text.ts";
import { type RpcError, type RpcRequest, rpcCodes } from "./json-rpc.ts";
import { carriedVersion } from "./stateless-requests.ts";

/*
 * Headers that repeat fields of a request that carries its version, so that proxies need not read the body. They must
 * agree with it. Source: "Streamable HTTP" of the specification of 2026-07-28.
 */

/** The parameter that `Mcp-Name` repeats, by method. */
const namedBy: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

const encodedValue = /^=\?base64\?(.*)\?=$/su;

/** What is wrong with the headers of a request; undefined if they agree with it. */
export function mirrorFault(
  request: RpcRequest,
  header: (name: string) => string | undefined,
): RpcError | undefined {
  const nameField = namedBy[request.method];
  const mirrored: [string, unknown][] = [
    ["MCP-Protocol-Version", carriedVersion(request)],
    ["Mcp-Method", request.method],
    ...(nameField === undefined ? [] : [["Mcp-Name", request.params[nameField]] satisfies [string, unknown]]),
  ];
  for (const [name, value] of mirrored) {
    if (!isText(value)) continue;
    const given = header(name.toLowerCase());
    const read = given === undefined ? undefined : decoded(given);
    if (read !== value) return { code: rpcCodes.headerMismatch, message: problemOf(name, given, value) };
  }
  return undefined;
}

function decoded(value: string): string {
  const encoded = encodedValue.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, "base64").toString("utf8");
}

function problemOf(name: string, given: string | undefined, value: string): string {
  return given === undefined
    ? `the header ${name} is required: ${value}`
    : `the header ${name} is ${given}, but the message says ${value}`;
}
