import type { Core } from "../core.ts";
import type { Caller } from "../operation/define.ts";
import { isMemsvcError } from "../operation/errors.ts";
import { refusalOf, toldError } from "../operation/told-error.ts";
import { callTool } from "./call-tool.ts";
import {
  argumentsParam,
  faultAnswer,
  type RpcAnswer,
  type RpcFault,
  type RpcRequest,
  resultAnswer,
  rpcCodes,
  textParam,
} from "./json-rpc.ts";
import { type ListSettings, listMethods, type Method, noSuchMethod, type StoreMethod } from "./lists.ts";
import { getPrompt } from "./prompts.ts";
import { readResource } from "./resources.ts";
import { toolHint } from "./tool-hint.ts";

/** Who asks, and what answers. */
export interface Served {
  readonly core: Core;
  readonly caller: Caller;
  readonly settings: ListSettings;
}

const storeMethods: Readonly<Record<StoreMethod, Method<Served>>> = {
  "tools/call": (params, { core, caller, settings }) =>
    callTool(core, textParam(params, "name"), argumentsParam(params), caller, settings),
  "resources/read": (params, { core, caller }) => readResource(core, textParam(params, "uri"), caller),
  "prompts/get": (params, { core, caller }) =>
    getPrompt(core, textParam(params, "name"), argumentsParam(params), caller),
};

const methods: Readonly<Record<string, Method<Served>>> = {
  ...storeMethods,
  ...Object.fromEntries(
    Object.entries<Method<ListSettings>>(listMethods).map(([name, answer]) => [
      name,
      (params: RpcRequest["params"], { settings }: Served) => answer(params, settings),
    ]),
  ),
};

/** Answers a request of the protocol, whatever becomes of it. */
export async function answerRequest(request: RpcRequest, served: Served): Promise<RpcAnswer> {
  const { id, method, params } = request;
  if (!Object.hasOwn(methods, method)) return faultAnswer(id, noSuchMethod(method));
  try {
    return resultAnswer(id, (await methods[method]?.(params, served)) ?? {});
  } catch (error) {
    return faultAnswer(id, faultOf(error, method, served));
  }
}

function faultOf(error: unknown, method: string, { core: { ground }, settings }: Served): RpcFault {
  const refusal = refusalOf(error);
  if (refusal === undefined)
    return {
      code: rpcCodes.internal,
      message: toldError(ground.store.faultOf(error), ground.log).body.error,
    };
  const hint = toolHint(refusal.hint, settings);
  const { error: message, ...data } = { ...refusal.body, ...(hint === undefined ? {} : { hint }) };
  const beside = Object.keys(data).length === 0 ? {} : { data };
  if (isMemsvcError(error, "not_found") && method === "resources/read")
    return { code: rpcCodes.resourceNotFound, message, ...beside };
  const isAskedWrongly = refusal.status >= 400 && refusal.status < 500;
  return { code: isAskedWrongly ? rpcCodes.invalidParams : rpcCodes.internal, message, ...beside };
}
