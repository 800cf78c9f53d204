import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { JSONSchema7, LanguageModelV3, LanguageModelV3CallOptions } from "@ai-sdk/provider";
import type { LlmProvider } from "../config/provider.ts";
import { failureOf } from "./call-failures.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import type { CallOutcome, ModelCall, ProviderModel } from "./model-call.ts";

/*
 * The only file that knows the provider packages; a bundle of its own, loaded at the first call. Only the packages'
 * low-level interface is used (one request, one answer), without their agents, tools and streams.
 */

/** The model of a provider, as configured. */
export function openModel(provider: LlmProvider): ProviderModel {
  const model = modelOf(provider);
  return {
    generate: async (call) => {
      try {
        const { content, usage } = await model.doGenerate(requestOf(provider, call));
        const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
        return {
          kind: "answered",
          text,
          inputTokens: usage.inputTokens.total,
          outputTokens: usage.outputTokens.total,
        };
      } catch (error) {
        return failureOf(error, call.signal) satisfies CallOutcome;
      }
    },
  };
}

function modelOf({ kind, model, baseUrl, apiKey }: LlmProvider): LanguageModelV3 {
  const fetch = guardedFetch({ withoutCredentials: apiKey === undefined });
  // An empty key keeps the packages from taking one from the environment; its header is not sent (guardedFetch).
  const key = apiKey ?? "";
  switch (kind) {
    case "anthropic":
      return createAnthropic({ baseURL: versioned(baseUrl, "v1"), apiKey: key, fetch })(model);
    case "gemini":
      return createGoogleGenerativeAI({ baseURL: versioned(baseUrl, "v1beta"), apiKey: key, fetch })(model);
    case "openai":
    case "openrouter":
    case "minimax":
      return createOpenAICompatible({
        name: kind,
        baseURL: baseUrl,
        ...(apiKey === undefined ? {} : { apiKey }),
        fetch,
        supportsStructuredOutputs: true,
        transformRequestBody: (body) => (isOpenAi(baseUrl) ? withNewNameOfLimit(body) : body),
      }).chatModel(model);
  }
}

/** Appends the API's version to a base URL that does not end with one. */
function versioned(baseUrl: string, version: string): string {
  return /\/v\d\w*$/u.test(baseUrl) ? baseUrl : `${baseUrl}/${version}`;
}

function isOpenAi(baseUrl: string): boolean {
  return new URL(baseUrl).hostname === "api.openai.com";
}

/** OpenAI's newer models refuse the old name of the token limit, which all other servers use. */
function withNewNameOfLimit({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens };
}

function requestOf(provider: LlmProvider, call: ModelCall): LanguageModelV3CallOptions {
  const { instructions, prompt, answerSchema, maxTokens, signal } = call;
  const options = optionsOf(provider, call);
  return {
    prompt: [
      { role: "system", content: instructions },
      { role: "user", content: [{ type: "text", text: prompt }] },
    ],
    maxOutputTokens: maxTokens,
    ...(answerSchema === undefined
      ? {}
      : // zod makes JSON schemas of draft 7 for us.
        { responseFormat: { type: "json" as const, schema: answerSchema as JSONSchema7, name: "answer" } }),
    ...(options === undefined ? {} : { providerOptions: options }),
    abortSignal: signal,
  };
}

function optionsOf(
  { kind, baseUrl }: LlmProvider,
  { noThinking }: ModelCall,
): NonNullable<LanguageModelV3CallOptions["providerOptions"]> {
  switch (kind) {
    case "anthropic":
      return {
        anthropic: {
          structuredOutputMode: "jsonTool",
          ...(noThinking ? { thinking: { type: "disabled" } } : {}),
        },
      };
    case "gemini":
      return { google: noThinking ? { thinkingConfig: { thinkingBudget: 0 } } : {} };
    case "openrouter":
      return {
        openrouter: { strictJsonSchema: false, ...(noThinking ? { reasoning: { enabled: false } } : {}) },
      };
    case "minimax":
      return { minimax: { strictJsonSchema: false } };
    case "openai":
      return { openai: { strictJsonSchema: false, ...(noThinking ? quickOpenAi(baseUrl) : {}) } };
  }
}

/**
 * Fields that switch thinking off: local servers use a parameter of the chat template or OpenAI's field, and ignore
 * unknown fields.
 */
function quickOpenAi(baseUrl: string) {
  return isOpenAi(baseUrl)
    ? { reasoningEffort: "minimal" }
    : { reasoningEffort: "none", chat_template_kwargs: { enable_thinking: false } };
}
