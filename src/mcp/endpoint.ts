import { setImmediate as nextTurn } from "node:timers/promises";
import type { Core } from "../core.ts";
import { decodeUtf8, parseJson } from "../json/parse-json.ts";
import type { Caller, WireMessage, WireReply } from "../operation/define.ts";
import { isMemsvcError } from "../operation/errors.ts";
import { askedFor } from "../operation/for-agent.ts";
import { faultAnswer, type RpcAnswer, type RpcFault, readMessage, rpcCodes } from "./json-rpc.ts";
import { protocolVersions, versionWithBatches } from "./lists.ts";
import { answerRequest, type Served } from "./methods.ts";
import { toolsHeader } from "./shim-headers.ts";

/** Clients that put messages together send a handful; each is as much work as a request of its own. */
const mostMessages = 100;

/**
 * `POST /mcp`: one message of the protocol, or several where the version has them. Stateless: no session, every
 * request by itself. What only tells something, and asks nothing, is answered 202 without a body.
 */
export async function answerWire(core: Core, message: WireMessage, caller: Caller): Promise<WireReply> {
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
    value = parseJson(decodeUtf8(message.body));
  } catch (error) {
    if (!isMemsvcError(error)) throw error;
    return badRequest(rpcCodes.parse, error.message);
  }
  const agentId = message.query("agentId");
  const { settings } = core.ground;
  const isCoreAsked = message.header(toolsHeader) === "core";
  const served = {
    core,
    caller: askedFor(caller, agentId),
    settings: isCoreAsked ? { ...settings, tools: "core" as const } : settings,
  };
  if (!Array.isArray(value)) {
    const answer = await answerMessage(value, served);
    if (answer === undefined) return { status: 202 };
    return { status: isMalformed(answer) ? 400 : 200, body: answer };
  }
  if (version !== undefined && version !== versionWithBatches)
    return badRequest(
      rpcCodes.invalidRequest,
      `several messages in one are only for version ${versionWithBatches}`,
    );
  if (value.length === 0 || value.length > mostMessages)
    return badRequest(
      rpcCodes.invalidRequest,
      `an array of messages must hold 1 to ${mostMessages}, not ${value.length}`,
    );
  const answers: RpcAnswer[] = [];
  // In their order: what one of them saves the next may look for.
  for (const one of value) {
    const answer = await answerMessage(one, served);
    if (answer !== undefined) answers.push(answer);
    await nextTurn();
  }
  return answers.length === 0 ? { status: 202 } : { status: 200, body: answers };
}

/** The answer to one message; undefined for one that asks nothing. */
export async function answerMessage(value: unknown, served: Served): Promise<RpcAnswer | undefined> {
  const incoming = readMessage(value);
  switch (incoming.kind) {
    case "request":
      return answerRequest(incoming, served);
    case "invalid":
      return faultAnswer(incoming.id, { code: rpcCodes.invalidRequest, message: incoming.problem });
    case "notification":
    case "response":
      return undefined;
  }
}

function isMalformed(answer: RpcAnswer): boolean {
  return "error" in answer && answer.error.code === rpcCodes.invalidRequest;
}

function badRequest(code: number, message: string): WireReply {
  const fault: RpcFault = { code, message };
  return { status: 400, body: faultAnswer(null, fault) };
}
