import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { llmKinds } from "../config/llm-settings.ts";
import { loadSettings } from "../config/load.ts";
import { detectProvider, type LlmKind } from "../config/provider.ts";
import { openModel } from "./provider-models.ts";

/* The requests to the vendors' own addresses, intercepted. */

interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly redirect: unknown;
  readonly body: Record<string, unknown>;
}

let sent: Sent[];
beforeEach(() => {
  sent = [];
  vi.stubGlobal("fetch", async (url: string, { headers, redirect, body }: RequestInit) => {
    sent.push({ url: String(url), headers: new Headers(headers), redirect, body: JSON.parse(String(body)) });
    return new Response('{"error":{"message":"no"}}', { status: 500 });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

const key = "k-0123456789";
const keyNames = {
  openai: "OPENAI_API_KEY",
  minimax: "MINIMAX_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
  gemini: "GEMINI_API_KEY",
  openrouter: "OPENROUTER_API_KEY",
} as const satisfies Record<LlmKind, string>;

async function request(
  env: Readonly<Record<string, string>>,
  { noThinking = false, isPlain = false } = {},
): Promise<Sent> {
  const { settings } = loadSettings({ home: "/home/dev/.memsvc", env, fileText: undefined });
  const provider = detectProvider(settings);
  if (provider.kind === "noop") throw new Error("no provider is set");
  const outcome = await openModel(provider).generate({
    instructions: "Name the colour.",
    prompt: "The sky.",
    answerSchema: isPlain ? undefined : { type: "object", properties: { colour: { type: "string" } } },
    maxTokens: 77,
    noThinking,
    signal: new AbortController().signal,
  });
  expect(outcome).toMatchObject({ kind: "failed", failure: "server_error" });
  const [first] = sent;
  if (first === undefined) throw new Error("nothing was sent");
  return first;
}

test.each([
  ["openai", "https://api.openai.com/v1/chat/completions"],
  ["minimax", "https://api.minimax.io/v1/chat/completions"],
  ["anthropic", "https://api.anthropic.com/v1/messages"],
  ["gemini", "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent"],
  ["openrouter", "https://openrouter.ai/api/v1/chat/completions"],
] as const)("%s is asked at its own address, and no redirect is followed", async (kind, url) => {
  expect(await request({ [keyNames[kind]]: key })).toMatchObject({ url, redirect: "error" });
});

test.each([
  ["ANTHROPIC_BASE_URL", "http://127.0.0.1:9/v1/", "http://127.0.0.1:9/v1/messages"],
  ["ANTHROPIC_BASE_URL", "http://127.0.0.1:9/proxy", "http://127.0.0.1:9/proxy/v1/messages"],
  [
    "GEMINI_BASE_URL",
    "http://127.0.0.1:9/v1",
    "http://127.0.0.1:9/v1/models/gemini-2.5-flash:generateContent",
  ],
  ["OPENAI_BASE_URL", "http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1/chat/completions"],
])("%s=%s works with and without a version in its path", async (name, address, url) => {
  const kind = name.split("_")[0]?.toLowerCase() ?? "";
  expect((await request({ MEMSVC_PROVIDER: kind, [name]: address })).url).toBe(url);
});

test("keys in the environment are not sent to a server that is set up without one", async () => {
  for (const name of [...Object.values(keyNames), "GOOGLE_GENERATIVE_AI_API_KEY", "ANTHROPIC_AUTH_TOKEN"])
    vi.stubEnv(name, "sk-of-somebody");
  const local = "http://127.0.0.1:9";
  for (const kind of llmKinds) {
    sent = [];
    const { headers } = await request({ MEMSVC_PROVIDER: kind, [`${kind.toUpperCase()}_BASE_URL`]: local });
    expect(JSON.stringify([...headers])).not.toContain("somebody");
    for (const name of ["authorization", "x-api-key", "x-goog-api-key"])
      expect(headers.has(name)).toBe(false);
  }
});

test("the limit of the answer has the name that the server knows", async () => {
  expect((await request({ OPENAI_API_KEY: key })).body).toMatchObject({ max_completion_tokens: 77 });
  expect(sent[0]?.body).not.toHaveProperty("max_tokens");
  sent = [];
  expect((await request({ OPENAI_BASE_URL: "http://127.0.0.1:9/v1" })).body).toMatchObject({
    max_tokens: 77,
  });
});

describe("turning off a model's thinking", () => {
  test.each([
    [{ OPENAI_API_KEY: key }, { reasoning_effort: "minimal" }],
    [
      { OPENAI_BASE_URL: "http://127.0.0.1:9/v1" },
      { reasoning_effort: "none", chat_template_kwargs: { enable_thinking: false } },
    ],
    [{ OPENROUTER_API_KEY: key }, { reasoning: { enabled: false } }],
    [{ GEMINI_API_KEY: key }, { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }],
  ])("uses the fields of its server: %o", async (env, fields) => {
    expect((await request(env as Record<string, string>, { noThinking: true })).body).toMatchObject(fields);
  });

  test("happens only when asked for", async () => {
    const unwanted = /reasoning|thinking/u;
    for (const name of Object.values(keyNames)) {
      sent = [];
      expect(JSON.stringify((await request({ [name]: key })).body)).not.toMatch(unwanted);
      sent = [];
      const plain = await request({ [name]: key }, { isPlain: true });
      expect(plain.body).not.toHaveProperty("response_format");
      expect(plain.body).not.toHaveProperty("tools");
    }
  });
});
