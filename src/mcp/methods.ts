import type { Core } from "../core.ts";
import type { Caller } from "../operation/define.ts";
import { errorReplyOf } from "../operation/error-reply.ts";
import { isMemsvcError } from "../operation/errors.ts";
import { callTool } from "./call-tool.ts";
import {
  argumentsParam,
  errorResponse,
  type RpcError,
  type RpcRequest,
  type RpcResponse,
  resultResponse,
  rpcCodes,
  textParam,
} from "./json-rpc.ts";
import { getPrompt } from "./prompts.ts";
import { refusalFor } from "./refusal.ts";
import { readResource } from "./resources.ts";
import {
  isStoreMethod,
  type ListSettings,
  type Method,
  methodNotFound,
  type StoreMethod,
  storelessMethod,
} from "./storeless-methods.ts";

/** What a request is answered with: the core, who asks, and the settings of lists. */
export interface RequestContext {
  readonly core: Core;
  readonly caller: Caller;
  readonly settings: ListSettings;
}

const storeMethods: Readonly<Record<StoreMethod, Method<RequestContext>>> = {
  "tools/call": (params, { core, caller, settings }) =>
    callTool(core, textParam(params, "name"), argumentsParam(params), caller, settings),
  "resources/read": (params, { core, caller }) => readResource(core, textParam(params, "uri"), caller),
  "prompts/get": (params, { core, caller }) =>
    getPrompt(core, textParam(params, "name"), argumentsParam(params), caller),
};

/** Answers a request; every failure becomes an error response. */
export async function handleRequest(request: RpcRequest, served: RequestContext): Promise<RpcResponse> {
  const { id, method, params } = request;
  const storeless = storelessMethod(method);
  try {
    if (storeless !== undefined) return resultResponse(id, await storeless(params, served.settings));
    if (!isStoreMethod(method)) return errorResponse(id, methodNotFound(method));
    return resultResponse(id, await storeMethods[method](params, served));
  } catch (error) {
    return errorResponse(id, faultOf(error, method, served));
  }
}

function faultOf(error: unknown, method: string, { core: { ground }, settings }: RequestContext): RpcError {
  const refusal = refusalFor(settings, error);
  if (refusal === undefined)
    return {
      code: rpcCodes.internal,
      message: errorReplyOf(ground.store.faultOf(error), ground.log).body.error,
    };
  const { error: message, ...data } = refusal.body;
  const beside = Object.keys(data).length === 0 ? {} : { data };
  if (isMemsvcError(error, "not_found") && method === "resources/read")
    return { code: rpcCodes.resourceNotFound, message, ...beside };
  const isAskedWrongly = refusal.status >= 400 && refusal.status < 500;
  return { code: isAskedWrongly ? rpcCodes.invalidParams : rpcCodes.internal, message, ...beside };
}
