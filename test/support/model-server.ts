import type { IncomingMessage, ServerResponse } from "node:http";
import type { LlmKind } from "../../src/config/provider.ts";
import { openPeerServer } from "./peer-server.ts";

/** A request that the server received, with the parts that tests check. */
export interface SeenRequest {
  readonly kind: LlmKind;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly model: string;
  readonly instructions: string;
  readonly prompt: string;
  readonly maxTokens: number | undefined;
  /** Whether the request asked for a structured answer by a parameter of the API, not only in words. */
  readonly asksForSchema: boolean;
}

/** How the server answers one request. */
export type Reply =
  | { readonly kind: "json"; readonly value: unknown; readonly usage?: UsageOfCall }
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly retryAfter?: string;
      readonly message?: string;
    }
  | { readonly kind: "malformed" }
  | { readonly kind: "cut" }
  | { readonly kind: "endless" }
  | { readonly kind: "trickle" }
  | { readonly kind: "redirect"; readonly to: string }
  | { readonly kind: "never" };

type Script = (request: SeenRequest, at: number) => Reply | Promise<Reply>;

export interface ModelServer {
  /** Requests so far, oldest first. */
  readonly seen: readonly SeenRequest[];
  /** Settings that make memsvc use this server as a provider of the kind. */
  env(kind: LlmKind, key?: string): Record<string, string>;
  /** Sets the answers to the following requests: one for all, a list with one each, or a function. */
  answer(script: Reply | readonly Reply[] | Script): void;
  close(): Promise<void>;
}

interface UsageOfCall {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export const usagePerCall: UsageOfCall = { inputTokens: 100, outputTokens: 20 };

const keyNames = {
  openai: ["OPENAI_API_KEY", "OPENAI_BASE_URL", "/openai/v1"],
  minimax: ["MINIMAX_API_KEY", "MINIMAX_BASE_URL", "/minimax/v1"],
  anthropic: ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "/anthropic"],
  gemini: ["GEMINI_API_KEY", "GEMINI_BASE_URL", "/gemini"],
  openrouter: ["OPENROUTER_API_KEY", "OPENROUTER_BASE_URL", "/openrouter/v1"],
} as const satisfies Record<LlmKind, readonly [string, string, string]>;

/** A server on loopback that speaks the interfaces of all providers and misbehaves on demand. */
export async function openModelServer(): Promise<ModelServer> {
  const seen: SeenRequest[] = [];
  let script: Script = () => ({ kind: "json", value: {} });
  const { url, close } = await openPeerServer((request, response) => {
    respond(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const dialect = dialectOf(request.url ?? "");
    if (dialect === undefined) {
      response.writeHead(404).end('{"error":{"message":"no such path"}}');
      return;
    }
    const body = JSON.parse(await textOf(request)) as Record<string, unknown>;
    const received = {
      kind: dialect.kind,
      headers: request.headers,
      body,
      ...dialect.read(body, request.url ?? ""),
    };
    seen.push(received);
    send(response, dialect, received, await script(received, seen.length - 1));
  }

  return {
    seen,
    env: (kind, key) => {
      const [keyName, urlName, path] = keyNames[kind];
      return {
        MEMSVC_PROVIDER: kind,
        [urlName]: `${url}${path}`,
        ...(key === undefined ? {} : { [keyName]: key }),
      };
    },
    answer: (given) => {
      if (typeof given === "function") script = given;
      else if ("kind" in given) script = () => given;
      else {
        const rest = [...given];
        script = () => rest.shift() ?? { kind: "status", status: 500, message: "the script is over" };
      }
    },
    close,
  };
}

function send(response: ServerResponse, dialect: Dialect, request: SeenRequest, reply: Reply): void {
  switch (reply.kind) {
    case "json":
    case "text": {
      const text = reply.kind === "json" ? JSON.stringify(reply.value) : reply.text;
      const usage = reply.kind === "json" ? reply.usage : undefined;
      sendJson(response, 200, dialect.write(text, request, usage ?? usagePerCall));
      return;
    }
    case "status": {
      if (reply.retryAfter !== undefined) response.setHeader("retry-after", reply.retryAfter);
      const { status, message = `status ${reply.status}` } = reply;
      sendJson(response, status, {
        type: "error",
        error: { type: "error", code: status, status: "X", message },
      });
      return;
    }
    case "malformed":
      response.writeHead(200, { "content-type": "application/json" }).end('{"choices": [');
      return;
    case "cut":
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"id": "x", ');
      setImmediate(() => response.destroy());
      return;
    case "endless": {
      response.writeHead(200, { "content-type": "application/json" });
      const filler = Buffer.alloc(1_048_576, 0x20);
      const more = () => {
        if (!response.destroyed) response.write(filler, () => setImmediate(more));
      };
      more();
      return;
    }
    case "trickle": {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
      return;
    }
    case "redirect":
      response.writeHead(307, { location: reply.to }).end();
      return;
    case "never":
      return;
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

interface Dialect {
  readonly kind: LlmKind;
  read(
    body: Readonly<Record<string, unknown>>,
    url: string,
  ): Pick<SeenRequest, "model" | "instructions" | "prompt" | "maxTokens" | "asksForSchema">;
  write(text: string, request: SeenRequest, usage: UsageOfCall): unknown;
}

function dialectOf(url: string): Dialect | undefined {
  if (url === "/anthropic/v1/messages") return anthropic;
  if (/^\/gemini\/v1beta\/models\/[^/]+:generateContent$/u.test(url)) return gemini;
  const [, kind] = /^\/(openai|minimax|openrouter)\/v1\/chat\/completions$/u.exec(url) ?? [];
  return kind === undefined ? undefined : chat(kind as LlmKind);
}

/* Request bodies are read without types; a test fails when something is missing in them. */
// biome-ignore lint/suspicious/noExplicitAny: the bodies of three interfaces, read as they come
type Body = any;

const chat = (kind: LlmKind): Dialect => ({
  kind,
  read: (body: Body) => ({
    model: body.model,
    instructions: body.messages.find(({ role }: Body) => role === "system").content,
    prompt: body.messages.find(({ role }: Body) => role === "user").content,
    maxTokens: body.max_tokens,
    asksForSchema: body.response_format?.type === "json_schema",
  }),
  write: (text, { model }, usage) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
    usage: {
      prompt_tokens: usage.inputTokens,
      completion_tokens: usage.outputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
    },
  }),
});

const anthropic: Dialect = {
  kind: "anthropic",
  read: (body: Body) => ({
    model: body.model,
    instructions: body.system.map(({ text }: Body) => text).join(""),
    prompt: body.messages[0].content.map(({ text }: Body) => text).join(""),
    maxTokens: body.max_tokens,
    asksForSchema: body.tool_choice !== undefined,
  }),
  write: (text, { model, asksForSchema }, usage) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model,
    content: [asksForSchema ? toolUse(text) : { type: "text", text }],
    stop_reason: asksForSchema ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
  }),
};

/** A tool call with the text as its input: parsed JSON, or the text itself when it is no JSON. */
function toolUse(text: string): unknown {
  try {
    return { type: "tool_use", id: "toolu_1", name: "json", input: JSON.parse(text) };
  } catch {
    return { type: "text", text };
  }
}

const gemini: Dialect = {
  kind: "gemini",
  read: (body: Body, url) => ({
    model: decodeURIComponent(/models\/([^/:]+):/u.exec(url)?.[1] ?? ""),
    instructions: body.systemInstruction.parts.map(({ text }: Body) => text).join(""),
    prompt: body.contents[0].parts.map(({ text }: Body) => text).join(""),
    maxTokens: body.generationConfig.maxOutputTokens,
    asksForSchema: body.generationConfig.responseSchema !== undefined,
  }),
  write: (text, _request, usage) => ({
    candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: "STOP", index: 0 }],
    usageMetadata: {
      promptTokenCount: usage.inputTokens,
      candidatesTokenCount: usage.outputTokens,
      totalTokenCount: usage.inputTokens + usage.outputTokens,
    },
  }),
};
