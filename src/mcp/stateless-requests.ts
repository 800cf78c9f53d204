import type { Settings } from "../config/load.ts";
import { isObject } from "../json/is-object.ts";
import { isText } from "../json/is-text.ts";
import { version } from "../version.ts";
import {
  errorResponse,
  type RpcError,
  type RpcRequest,
  type RpcResponse,
  resultResponse,
  rpcCodes,
} from "./json-rpc.ts";
import {
  capabilities,
  instructionsFor,
  type ListSettings,
  methodNotFound,
  protocolVersions,
} from "./storeless-methods.ts";

/*
 * Since version 2026-07-28 the protocol has no `initialize`: each request carries its version in `_meta`. Such a
 * request is answered as one of the versions before, and the answer is translated. Source: "Versioning and
 * Compatibility", "Overview" and "Caching" of that version's specification (modelcontextprotocol.io).
 */

const statelessVersions: readonly string[] = ["2026-07-28"];

/** All versions that are spoken, the newest first. */
export const spokenVersions: readonly string[] = [...statelessVersions, ...protocolVersions];

const metaPrefix = "io.modelcontextprotocol/";
const versionKey = `${metaPrefix}protocolVersion`;
const capabilitiesKey = `${metaPrefix}clientCapabilities`;

export const discoverMethod = "server/discover";
const removedMethods: readonly string[] = ["initialize", "ping"];

/** Lists change with the program and its settings, so only when the daemon is started anew. */
const listTtlMs = 300_000;
const ttlMsByMethod: Readonly<Record<string, number>> = {
  [discoverMethod]: listTtlMs,
  "tools/list": listTtlMs,
  "resources/list": listTtlMs,
  "resources/templates/list": listTtlMs,
  "prompts/list": listTtlMs,
  "resources/read": 0,
};

export function isStatelessVersion(asked: string | undefined): boolean {
  return asked !== undefined && statelessVersions.includes(asked);
}

/** The version that a request carries in itself, unless it is one that begins with `initialize`. */
export function carriedVersion({ params }: RpcRequest): unknown {
  const carried = metaOf(params)[versionKey];
  return protocolVersions.some((one) => one === carried) ? undefined : carried;
}

/** What is wrong with what a request says of its version. */
export function carriedFault(request: RpcRequest): RpcError | undefined {
  const carried = carriedVersion(request);
  if (!isText(carried)) return missingMeta(versionKey, "a version");
  if (!isStatelessVersion(carried)) return unsupportedVersion(carried);
  return isObject(metaOf(request.params)[capabilitiesKey])
    ? undefined
    : missingMeta(capabilitiesKey, "an object");
}

export function unsupportedVersion(requested: string): RpcError {
  return {
    code: rpcCodes.unsupportedVersion,
    message: `version ${requested} of the protocol is not spoken; these are: ${spokenVersions.join(", ")}`,
    data: { supported: spokenVersions, requested },
  };
}

/** Answers a request that carries its version. `answer` answers requests of the versions before. */
export async function answerStateless(
  request: RpcRequest,
  settings: ListSettings,
  answer: (request: RpcRequest) => Promise<RpcResponse>,
): Promise<RpcResponse> {
  const { id, method } = request;
  const fault = carriedFault(request);
  if (fault !== undefined) return errorResponse(id, fault);
  if (removedMethods.includes(method)) return errorResponse(id, methodNotFound(method));
  const { _meta, ...params } = request.params;
  const answered =
    method === discoverMethod
      ? resultResponse(id, discovered(settings))
      : await answer({ ...request, params });
  return translated(answered, method, settings);
}

function discovered({ project }: ListSettings): object {
  return { supportedVersions: spokenVersions, capabilities, instructions: instructionsFor(project) };
}

function translated(
  answered: RpcResponse,
  method: string,
  { serviceName }: Pick<Settings, "serviceName">,
): RpcResponse {
  if ("error" in answered) {
    const { error } = answered;
    const isUnknownResource = error.code === rpcCodes.resourceNotFound;
    return isUnknownResource ? { ...answered, error: { ...error, code: rpcCodes.invalidParams } } : answered;
  }
  const ttlMs = ttlMsByMethod[method];
  const result = {
    ...answered.result,
    resultType: "complete",
    _meta: { [`${metaPrefix}serverInfo`]: { name: serviceName, version } },
    ...(ttlMs === undefined ? {} : { ttlMs, cacheScope: "private" }),
  };
  return { ...answered, result };
}

function metaOf({ _meta: meta }: RpcRequest["params"]): Readonly<Record<string, unknown>> {
  return isObject(meta) ? meta : {};
}

function missingMeta(key: string, what: string): RpcError {
  return { code: rpcCodes.invalidParams, message: `_meta needs ${what} as "${key}"` };
}
