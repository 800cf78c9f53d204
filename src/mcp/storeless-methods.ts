import type { Settings } from "../config/load.ts";
import { version } from "../version.ts";
import { type RpcError, type RpcRequest, rpcCodes } from "./json-rpc.ts";
import { listPrompts } from "./prompt-list.ts";
import { listResources, listResourceTemplates } from "./resource-list.ts";

/** The spoken versions of the protocol that begin with `initialize`, the preferred one first. */
export const protocolVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

/** The only version that has batches. */
export const versionWithBatches = "2025-03-26";

/** What the answers that need no store depend on. */
export type ListSettings = Pick<Settings, "serviceName" | "tools"> & {
  /** The project that the agent works in, if it is known. */
  readonly project?: string | undefined;
};

export const capabilities = { tools: {}, resources: {}, prompts: {} } as const;

/** Models do not give a project unless told to, and what is saved without one is shown in every project. */
export function instructionsFor(project: string | undefined): string {
  const place =
    project === undefined
      ? ""
      : `, with "project": ${JSON.stringify(project)} for all that does not hold in every project`;
  return (
    "Before you start on a task, recall what is known about it with memory_recall or memory_smart_search. " +
    `After it, save what was decided, learned or promised with memory_save, and what should be done differently next time with memory_lesson_save${place}.`
  );
}

export type Method<Context> = (params: RpcRequest["params"], context: Context) => object | Promise<object>;

/** The methods that can be answered without a store. */
export const storelessMethods = {
  initialize: ({ protocolVersion: asked }, { serviceName, project }) => ({
    protocolVersion: protocolVersions.find((spoken) => spoken === asked) ?? protocolVersions[0],
    capabilities,
    serverInfo: { name: serviceName, version },
    instructions: instructionsFor(project),
  }),
  ping: () => ({}),
  // Loaded late: the schemas of all tools are large, and not every conversation lists them.
  "tools/list": async (_, settings) => ({ tools: (await import("./tools.ts")).listTools(settings) }),
  "resources/list": () => ({ resources: listResources() }),
  "resources/templates/list": () => ({ resourceTemplates: listResourceTemplates() }),
  "prompts/list": () => ({ prompts: listPrompts() }),
} as const satisfies Record<string, Method<ListSettings>>;

/** The method of that name, if it can be answered without a store. */
export function storelessMethod(name: string): Method<ListSettings> | undefined {
  const methods: Readonly<Record<string, Method<ListSettings>>> = storelessMethods;
  return Object.hasOwn(methods, name) ? methods[name] : undefined;
}

/** The methods that need a store. */
const storeMethods = ["tools/call", "resources/read", "prompts/get"] as const;

export type StoreMethod = (typeof storeMethods)[number];

export function isStoreMethod(method: string): method is StoreMethod {
  return storeMethods.some((one) => one === method);
}

export function methodNotFound(method: string): RpcError {
  return { code: rpcCodes.methodNotFound, message: `there is no method ${method}` };
}
