import { describe, expect, test } from "vitest";
import { isMemsvcError } from "../operation/errors.ts";
import { llmKinds } from "./llm-settings.ts";
import { loadSettings } from "./load.ts";
import { detectProvider, fallbackProviders, usableKey } from "./provider.ts";
import { findSetting } from "./settings-table.ts";

function settingsWith(env: Record<string, string>) {
  return loadSettings({ home: "/h", env, fileText: undefined }).settings;
}

function detect(env: Record<string, string>) {
  return detectProvider(settingsWith(env));
}

const everyKey = {
  OPENAI_API_KEY: "k-openai",
  MINIMAX_API_KEY: "k-minimax",
  ANTHROPIC_API_KEY: "k-anthropic",
  GEMINI_API_KEY: "k-gemini",
  OPENROUTER_API_KEY: "k-openrouter",
};

describe("detectProvider", () => {
  test("nothing configured is noop", () => {
    expect(detect({})).toEqual({ kind: "noop" });
  });

  test("the first configured kind of the contract's order is taken", () => {
    const left = Object.entries(everyKey);
    for (const kind of llmKinds) {
      expect(detect(Object.fromEntries(left)).kind).toBe(kind);
      left.shift();
    }
  });

  test.each([
    ["OPENAI_API_KEY", "openai", "gpt-4o-mini", "https://api.openai.com/v1"],
    ["MINIMAX_API_KEY", "minimax", "MiniMax-M2", "https://api.minimax.io/v1"],
    ["ANTHROPIC_API_KEY", "anthropic", "claude-haiku-4-5", "https://api.anthropic.com"],
    ["GEMINI_API_KEY", "gemini", "gemini-2.5-flash", "https://generativelanguage.googleapis.com"],
    ["GOOGLE_API_KEY", "gemini", "gemini-2.5-flash", "https://generativelanguage.googleapis.com"],
    ["OPENROUTER_API_KEY", "openrouter", "openai/gpt-4o-mini", "https://openrouter.ai/api/v1"],
  ])("%s alone means %s with its model and address", (name, kind, model, baseUrl) => {
    expect(detect({ [name]: "k" })).toEqual({ kind, model, baseUrl, apiKey: "k" });
  });

  test("the address that the reference promises is the one in use", () => {
    for (const [name, key] of Object.entries(everyKey)) {
      const provider = detect({ [name]: key });
      const definition = findSetting(name.replace("API_KEY", "BASE_URL"));
      const promised = definition && "defaultText" in definition ? definition.defaultText : undefined;
      expect("baseUrl" in provider && provider.baseUrl).toBe(promised);
    }
  });

  test("model and address follow their settings, without slashes at the end", () => {
    const env = { ANTHROPIC_API_KEY: "k", ANTHROPIC_MODEL: "m", ANTHROPIC_BASE_URL: "http://10.0.0.1/x//" };
    expect(detect(env)).toMatchObject({ kind: "anthropic", model: "m", baseUrl: "http://10.0.0.1/x" });
  });

  test("a base URL alone is enough for openai, without a key, and for no other kind", () => {
    expect(detect({ OPENAI_BASE_URL: "http://127.0.0.1:1/v1" })).toMatchObject({
      kind: "openai",
      apiKey: undefined,
    });
    expect(detect({ GEMINI_BASE_URL: "http://127.0.0.1:1" }).kind).toBe("noop");
  });

  test.each(["changeme", "your-key-here", "your_api_key", "YOUR_API_KEY", " "])(
    "the placeholder %j counts as unset",
    (placeholder) => {
      expect(detect({ OPENAI_API_KEY: placeholder, GEMINI_API_KEY: "k" }).kind).toBe("gemini");
      expect(detect({ GEMINI_API_KEY: placeholder, GOOGLE_API_KEY: "g" })).toMatchObject({ apiKey: "g" });
      expect(usableKey(placeholder)).toBeUndefined();
    },
  );

  test("a key that only resembles a placeholder is used", () => {
    expect(usableKey("changeme2")).toBe("changeme2");
    expect(usableKey("yours")).toBe("yours");
  });

  test("OPENAI_API_KEY_FOR_LLM=false keeps the key out of detection and out of calls", () => {
    const env = { OPENAI_API_KEY: "k", OPENAI_API_KEY_FOR_LLM: "false" };
    expect(detect(env).kind).toBe("noop");
    expect(detect({ ...env, OPENAI_BASE_URL: "http://127.0.0.1:1/v1" })).toMatchObject({ apiKey: undefined });
  });

  test("MEMSVC_PROVIDER ends detection, and noop switches models off", () => {
    expect(detect({ ...everyKey, MEMSVC_PROVIDER: "gemini" }).kind).toBe("gemini");
    expect(detect({ ...everyKey, MEMSVC_PROVIDER: "noop" }).kind).toBe("noop");
  });

  test("a named kind with a base URL needs no key", () => {
    expect(detect({ MEMSVC_PROVIDER: "gemini", GEMINI_BASE_URL: "http://127.0.0.1:1" }).kind).toBe("gemini");
  });

  test("a named kind without key and base URL is a start error that names both", () => {
    const attempt = () => detect({ OPENAI_API_KEY: "k", MEMSVC_PROVIDER: "anthropic" });
    expect(attempt).toThrow(/MEMSVC_PROVIDER is anthropic.*ANTHROPIC_API_KEY.*ANTHROPIC_BASE_URL/);
    expect(attempt).toThrow(expect.toSatisfy((error: unknown) => isMemsvcError(error, "invalid_setting")));
  });
});

describe("fallbackProviders", () => {
  test("are the configured ones in the given order, without the one in use", () => {
    const env = {
      OPENAI_API_KEY: "a",
      GEMINI_API_KEY: "b",
      ANTHROPIC_API_KEY: "c",
      MEMSVC_FALLBACK_PROVIDERS: "openrouter,gemini,openai,anthropic",
    };
    expect(fallbackProviders(settingsWith(env)).map(({ kind }) => kind)).toEqual(["gemini", "anthropic"]);
  });

  test("are none when models are switched off", () => {
    const env = { ...everyKey, MEMSVC_PROVIDER: "noop", MEMSVC_FALLBACK_PROVIDERS: "gemini" };
    expect(fallbackProviders(settingsWith(env))).toEqual([]);
  });
});
