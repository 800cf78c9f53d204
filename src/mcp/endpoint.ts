import { setImmediate as nextTurn } from "node:timers/promises";
import type { Core } from "../core.ts";
import { decodeUtf8, parseJson } from "../json/parse-json.ts";
import type { Caller, WireMessage, WireReply } from "../operation/define.ts";
import { isMemsvcError } from "../operation/errors.ts";
import { askedFor } from "../operation/for-agent.ts";
import { withExactIds, withReadableIds } from "./exact-ids.ts";
import {
  errorResponse,
  type ParsedMessage,
  type RpcError,
  type RpcId,
  type RpcRequest,
  type RpcResponse,
  readMessage,
  rpcCodes,
} from "./json-rpc.ts";
import { handleRequest, type RequestContext } from "./methods.ts";
import { mirrorFault } from "./mirrored-headers.ts";
import { toolsHeader } from "./shim-headers.ts";
import {
  answerStateless,
  carriedFault,
  carriedVersion,
  isStatelessVersion,
  spokenVersions,
  unsupportedVersion,
} from "./stateless-requests.ts";
import { versionWithBatches } from "./storeless-methods.ts";

/** Clients that send batches send a handful of messages; each is as much work as a request of its own. */
const mostMessages = 100;

/**
 * `POST /mcp`: one message of the protocol, or a batch in the version that has batches. There is no session, whatever
 * the version. A request of notifications alone is answered 202 without a body.
 */
export async function handleHttpMessage(
  core: Core,
  message: WireMessage,
  caller: Caller,
): Promise<WireReply> {
  let value: unknown;
  try {
    value = parseJson(withReadableIds(decodeUtf8(message.body)));
  } catch (error) {
    if (!isMemsvcError(error)) throw error;
    return badRequest({ code: rpcCodes.parse, message: error.message });
  }
  const version = message.header("mcp-protocol-version");
  const incoming = readMessage(value);
  const request = incoming.kind === "request" ? incoming : undefined;
  const isStateless =
    request !== undefined && (isStatelessVersion(version) || carriedVersion(request) !== undefined);
  const fault = versionFault(version) ?? (isStateless ? statelessFault(request, message) : undefined);
  if (fault !== undefined) return badRequest(fault, request?.id);
  const { settings } = core.ground;
  const isCoreAsked = message.header(toolsHeader) === "core";
  const served = {
    core,
    caller: askedFor(caller, message.query("agentId")),
    settings: isCoreAsked ? { ...settings, tools: "core" as const } : settings,
  };
  if (Array.isArray(value)) return handleBatch(value, version, served);
  const answer = await answerTo(incoming, served);
  if (answer === undefined) return { status: 202 };
  return reply(statusOf(answer, isStateless), answer);
}

async function handleBatch(
  messages: readonly unknown[],
  version: string | undefined,
  served: RequestContext,
): Promise<WireReply> {
  if (version !== undefined && version !== versionWithBatches)
    return badRequest({
      code: rpcCodes.invalidRequest,
      message: `several messages in one are only for version ${versionWithBatches}`,
    });
  if (messages.length === 0 || messages.length > mostMessages)
    return badRequest({
      code: rpcCodes.invalidRequest,
      message: `an array of messages must hold 1 to ${mostMessages}, not ${messages.length}`,
    });
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
export function handleMessage(value: unknown, served: RequestContext): Promise<RpcResponse | undefined> {
  return answerTo(readMessage(value), served);
}

async function answerTo(incoming: ParsedMessage, served: RequestContext): Promise<RpcResponse | undefined> {
  switch (incoming.kind) {
    case "request":
      return carriedVersion(incoming) === undefined
        ? handleRequest(incoming, served)
        : answerStateless(incoming, served.settings, (request) => handleRequest(request, served));
    case "invalid":
      return errorResponse(incoming.id, { code: rpcCodes.invalidRequest, message: incoming.problem });
    case "notification":
    case "response":
      return undefined;
  }
}

function versionFault(version: string | undefined): RpcError | undefined {
  return version === undefined || spokenVersions.includes(version) ? undefined : unsupportedVersion(version);
}

function statelessFault(request: RpcRequest, message: WireMessage): RpcError | undefined {
  return carriedFault(request) ?? mirrorFault(request, (name) => message.header(name));
}

function statusOf(answer: RpcResponse, isStateless: boolean): number {
  if (!("error" in answer)) return 200;
  if (answer.error.code === rpcCodes.invalidRequest) return 400;
  return isStateless && answer.error.code === rpcCodes.methodNotFound ? 404 : 200;
}

function badRequest(fault: RpcError, id: RpcId | null = null): WireReply {
  return reply(400, errorResponse(id, fault));
}

function reply(status: number, answer: RpcResponse | readonly RpcResponse[]): WireReply {
  return { status, json: withExactIds(JSON.stringify(answer)) };
}
