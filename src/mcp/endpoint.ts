import { setImmediate as nextTurn } from "node:timers/promises";
import type { Core } from "../core.ts";
import { decodeUtf8, parseJson } from "../json/parse-json.ts";
import type { Caller, WireMessage, WireReply } from "../operation/define.ts";
import { isMemsvcError } from "../operation/errors.ts";
import { askedFor } from "../operation/for-agent.ts";
import { withExactIds, withReadableIds } from "./exact-ids.ts";
import { errorResponse, type RpcResponse, readMessage, rpcCodes } from "./json-rpc.ts";
import { handleRequest, type RequestContext } from "./methods.ts";
import { toolsHeader } from "./shim-headers.ts";
import { protocolVersions, versionWithBatches } from "./storeless-methods.ts";

/** Clients that send batches send a handful of messages; each is as much work as a request of its own. */
const mostMessages = 100;

/**
 * `POST /mcp`: one message of the protocol, or a batch in the version that has batches. Stateless: there is no session.
 * A request of notifications alone is answered 202 without a body.
 */
export async function handleHttpMessage(
  core: Core,
  message: WireMessage,
  caller: Caller,
): Promise<WireReply> {
  const version = message.header("mcp-protocol-version");
  if (version !== undefined && !protocolVersions.some((spoken) => spoken === version)) {
    const spoken = protocolVersions.join(", ");
    return badRequest(
      rpcCodes.invalidRequest,
      `MCP-Protocol-Version ${version} is not spoken; these are: ${spoken}`,
    );
  }
  let value: unknown;
  try {
    value = parseJson(withReadableIds(decodeUtf8(message.body)));
  } catch (error) {
    if (!isMemsvcError(error)) throw error;
    return badRequest(rpcCodes.parse, error.message);
  }
  const { settings } = core.ground;
  const isCoreAsked = message.header(toolsHeader) === "core";
  const served = {
    core,
    caller: askedFor(caller, message.query("agentId")),
    settings: isCoreAsked ? { ...settings, tools: "core" as const } : settings,
  };
  if (Array.isArray(value)) return handleBatch(value, version, served);
  const answer = await handleMessage(value, served);
  if (answer === undefined) return { status: 202 };
  return reply(isMalformed(answer) ? 400 : 200, answer);
}

async function handleBatch(
  messages: readonly unknown[],
  version: string | undefined,
  served: RequestContext,
): Promise<WireReply> {
  if (version !== undefined && version !== versionWithBatches)
    return badRequest(
      rpcCodes.invalidRequest,
      `several messages in one are only for version ${versionWithBatches}`,
    );
  if (messages.length === 0 || messages.length > mostMessages)
    return badRequest(
      rpcCodes.invalidRequest,
      `an array of messages must hold 1 to ${mostMessages}, not ${messages.length}`,
    );
  const answers: RpcResponse[] = [];
  // One after the other: a message may look for what an earlier one saved.
  for (const message of messages) {
    const answer = await handleMessage(message, served);
    if (answer !== undefined) answers.push(answer);
    await nextTurn();
  }
  return answers.length === 0 ? { status: 202 } : reply(200, answers);
}

/** The answer to one message; undefined for a notification or a response. */
export async function handleMessage(
  value: unknown,
  served: RequestContext,
): Promise<RpcResponse | undefined> {
  const incoming = readMessage(value);
  switch (incoming.kind) {
    case "request":
      return handleRequest(incoming, served);
    case "invalid":
      return errorResponse(incoming.id, { code: rpcCodes.invalidRequest, message: incoming.problem });
    case "notification":
    case "response":
      return undefined;
  }
}

function isMalformed(answer: RpcResponse): boolean {
  return "error" in answer && answer.error.code === rpcCodes.invalidRequest;
}

function badRequest(code: number, message: string): WireReply {
  return reply(400, errorResponse(null, { code, message }));
}

function reply(status: number, answer: RpcResponse | readonly RpcResponse[]): WireReply {
  return { status, json: withExactIds(JSON.stringify(answer)) };
}
