import * as z from "zod";
import { defineOperation } from "../operation/define.ts";
import { AgentId, str } from "../operation/fields.ts";
import { askedFor } from "../operation/for-agent.ts";

/* The Model Context Protocol's lists and calls as HTTP routes. The protocol's own endpoint is one of them. */

const longestName = 200;

const AnyObject = z.record(z.string(), z.unknown(), { error: "must be an object" });

const asked = {
  agentId: AgentId.optional().describe("agent whose rows to use if the arguments name none"),
};

const Message = z.object({
  role: z.literal("user").describe("whose message it is"),
  content: z
    .object({ type: z.literal("text").describe("text"), text: z.string().describe("the message") })
    .describe("what it says"),
});

export const listTools = defineOperation({
  id: "mcp.tools",
  summary: "List the tools that agents are offered",
  http: { method: "GET", path: "/mcp/tools", success: 200 },
  input: z.object({}),
  output: z.object({
    tools: z
      .array(
        z.object({
          name: z.string().describe("name to call it by"),
          title: z.string().optional().describe("name to show to people"),
          description: z.string().optional().describe("what it does and when to use it"),
          inputSchema: AnyObject.describe("JSON schema of its arguments"),
          annotations: AnyObject.optional().describe("whether it is read-only, destructive or idempotent"),
        }),
      )
      .describe("all of them, or with MEMSVC_TOOLS=core the most useful"),
  }),
  errors: [],
  bare: { field: "tools" },
  run: async (core) => ({ tools: (await import("./tools.ts")).listTools(core.ground.settings) }),
});

export const callTool = defineOperation({
  id: "mcp.call",
  summary: "Call a tool as an agent does",
  description: "If the operation fails, the result has isError; the call itself does not fail.",
  http: { method: "POST", path: "/mcp/call", success: 200 },
  input: z.object({
    name: str(longestName).describe("name of the tool"),
    arguments: AnyObject.default({}).describe("its arguments; unknown ones are ignored"),
    ...asked,
  }),
  output: z.object({
    content: z
      .array(z.object({ type: z.literal("text").describe("text"), text: z.string().describe("the result") }))
      .describe("the result as text"),
    isError: z.boolean().optional().describe("true when the operation failed"),
    structuredContent: AnyObject.optional().describe("the result as an object, if it is one"),
    truncated: z.boolean().optional().describe("true when the result was cut"),
  }),
  errors: ["invalid_input"],
  bare: { field: "content" },
  run: async (core, input, caller) => {
    const call = (await import("./call-tool.ts")).callTool;
    const { content, structuredContent, ...beside } = await call(
      core,
      input.name,
      input.arguments,
      askedFor(caller, input.agentId),
    );
    const texts = content.flatMap((part) => (part.type === "text" ? [part] : []));
    // A text that is an array has no object form.
    const isObject = texts[0]?.text.startsWith("{") === true;
    return { content: texts, ...beside, ...(isObject ? { structuredContent } : {}) };
  },
});

export const listResources = defineOperation({
  id: "mcp.resources",
  summary: "List the resources that agents may read",
  http: { method: "GET", path: "/mcp/resources", success: 200 },
  input: z.object({}),
  output: z.object({
    resources: z
      .array(
        z.object({
          uri: z.string().describe("URI to read it by; replace braces with a name"),
          name: z.string().describe("name to show to people"),
          description: z.string().optional().describe("what it holds"),
          mimeType: z.string().optional().describe("type of its text"),
        }),
      )
      .describe("all of them"),
  }),
  errors: [],
  bare: { field: "resources" },
  run: async () => ({ resources: [...(await import("./resource-list.ts")).listResources()] }),
});

export const readResource = defineOperation({
  id: "mcp.readResource",
  summary: "Read a resource as an agent does",
  http: { method: "POST", path: "/mcp/resources/read", success: 200 },
  input: z.object({ uri: z.string().describe("its address, such as memsvc://memories/latest"), ...asked }),
  output: z.object({
    contents: z
      .array(
        z.object({
          uri: z.string().describe("the address as asked"),
          mimeType: z.string().optional().describe("type of the text"),
          text: z.string().describe("what the resource holds"),
        }),
      )
      .describe("one part"),
  }),
  errors: ["invalid_input", "not_found"],
  bare: { field: "contents" },
  run: async (core, { uri, agentId }, caller) => {
    const read = (await import("./resources.ts")).readResource;
    const { contents } = await read(core, uri, askedFor(caller, agentId));
    return { contents: contents.flatMap((part) => ("text" in part ? [part] : [])) };
  },
});

export const listPrompts = defineOperation({
  id: "mcp.prompts",
  summary: "List the prompts that agents are offered",
  http: { method: "GET", path: "/mcp/prompts", success: 200 },
  input: z.object({}),
  output: z.object({
    prompts: z
      .array(
        z.object({
          name: z.string().describe("name to get it by"),
          title: z.string().optional().describe("name to show to people"),
          description: z.string().optional().describe("what it asks for"),
          arguments: z
            .array(
              z.object({
                name: z.string().describe("name of the argument"),
                description: z.string().optional().describe("what it says"),
                required: z.boolean().optional().describe("whether it must be given"),
              }),
            )
            .optional()
            .describe("what it takes"),
        }),
      )
      .describe("all of them"),
  }),
  errors: [],
  bare: { field: "prompts" },
  run: async () => ({ prompts: (await import("./prompt-list.ts")).listPrompts() }),
});

export const getPrompt = defineOperation({
  id: "mcp.prompt",
  summary: "Get the message of a prompt as an agent does",
  http: { method: "POST", path: "/mcp/prompts/get", success: 200 },
  input: z.object({
    name: str(longestName).describe("name of the prompt"),
    arguments: AnyObject.default({}).describe("its arguments"),
    ...asked,
  }),
  output: z.object({
    description: z.string().optional().describe("what the prompt asks for"),
    messages: z.array(Message).describe("one message"),
  }),
  errors: ["invalid_input", "not_found"],
  bare: { field: "messages" },
  run: async (core, input, caller) => {
    const get = (await import("./prompts.ts")).getPrompt;
    const { description, messages } = await get(
      core,
      input.name,
      input.arguments,
      askedFor(caller, input.agentId),
    );
    return { description, messages: messages as z.infer<typeof Message>[] };
  },
});

const RpcMessage = z
  .looseObject({
    jsonrpc: z.string().optional().describe("2.0"),
    id: z.unknown().optional().describe("of a request: a text or a whole number"),
    method: z.string().optional().describe("of a request or notification: what is asked"),
    params: z.unknown().optional().describe("what the method takes"),
  })
  .describe("a message of JSON-RPC");

export const exchangeMessage = defineOperation({
  id: "mcp.message",
  summary: "Take a message of the Model Context Protocol and answer it",
  description:
    "Streamable HTTP without sessions. Requests are answered 200 with a JSON-RPC response, notifications 202. `agentId` in the URL names the agent whose rows to use if the arguments name none. Requests of version 2026-07-28 carry it in `_meta` and in the header MCP-Protocol-Version. Arrays of messages are for version 2025-03-26.",
  http: { method: "POST", path: "/mcp", success: 200 },
  input: RpcMessage,
  output: z.looseObject({
    jsonrpc: z.string().optional().describe("2.0"),
    id: z.unknown().optional().describe("that of the request"),
    result: z.unknown().optional().describe("what was asked for"),
    error: z.unknown().optional().describe("code and message of what went wrong"),
  }),
  errors: ["invalid_input"],
  bare: { field: "jsonrpc" },
  run: async (core, message, caller) => {
    const answer = await (await import("./endpoint.ts")).handleMessage(message, {
      core,
      caller,
      settings: core.ground.settings,
    });
    return { ...answer };
  },
  runOnMessage: async (core, message, caller) =>
    (await import("./endpoint.ts")).handleHttpMessage(core, message, caller),
});

export const mcpOperations = [
  listTools,
  callTool,
  listResources,
  readResource,
  listPrompts,
  getPrompt,
  exchangeMessage,
];
