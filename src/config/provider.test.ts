import { describe, expect, test } from "vitest";
import { isMemsvcError } from "../operation/errors.ts";
import { llmKinds } from "./llm-settings.ts";
import { loadSettings } from "./load.ts";
import { detectProvider, fallbackProviders } from "./provider.ts";
import { findSetting } from "./settings-table.ts";
import { usableKey } from "./vendor-settings.ts";

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
  test("returns noop if nothing is configured", () => {
    expect(detect({})).toEqual({ kind: "noop" });
  });

  test("takes the first configured kind in the contract's order", () => {
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
  ])("%s alone selects %s with its model and address", (name, kind, model, baseUrl) => {
    expect(detect({ [name]: "k" })).toEqual({ kind, model, baseUrl, apiKey: "k" });
  });

  test("uses the default addresses that the reference documents", () => {
    for (const [name, key] of Object.entries(everyKey)) {
      const provider = detect({ [name]: key });
      const definition = findSetting(name.replace("API_KEY", "BASE_URL"));
      const promised = definition && "defaultText" in definition ? definition.defaultText : undefined;
      expect("baseUrl" in provider && provider.baseUrl).toBe(promised);
    }
  });

  test("uses the set model and address, without trailing slashes", () => {
    const env = { ANTHROPIC_API_KEY: "k", ANTHROPIC_MODEL: "m", ANTHROPIC_BASE_URL: "http://10.0.0.1/x//" };
    expect(detect(env)).toMatchObject({ kind: "anthropic", model: "m", baseUrl: "http://10.0.0.1/x" });
  });

  test("accepts a base URL without a key for openai only", () => {
    expect(detect({ OPENAI_BASE_URL: "http://127.0.0.1:1/v1" })).toMatchObject({
      kind: "openai",
      apiKey: undefined,
    });
    expect(detect({ GEMINI_BASE_URL: "http://127.0.0.1:1" }).kind).toBe("noop");
  });

  test.each(["changeme", "your-key-here", "your_api_key", "YOUR_API_KEY", " "])(
    "treats the placeholder %j as unset",
    (placeholder) => {
      expect(detect({ OPENAI_API_KEY: placeholder, GEMINI_API_KEY: "k" }).kind).toBe("gemini");
      expect(detect({ GEMINI_API_KEY: placeholder, GOOGLE_API_KEY: "g" })).toMatchObject({ apiKey: "g" });
      expect(usableKey(placeholder)).toBeUndefined();
    },
  );

  test("uses a key that only resembles a placeholder", () => {
    expect(usableKey("changeme2")).toBe("changeme2");
    expect(usableKey("yours")).toBe("yours");
  });

  test("never uses the OpenAI key with OPENAI_API_KEY_FOR_LLM=false", () => {
    const env = { OPENAI_API_KEY: "k", OPENAI_API_KEY_FOR_LLM: "false" };
    expect(detect(env).kind).toBe("noop");
    expect(detect({ ...env, OPENAI_BASE_URL: "http://127.0.0.1:1/v1" })).toMatchObject({ apiKey: undefined });
    expect(detect({ ...env, GEMINI_API_KEY: "own" })).toMatchObject({ kind: "gemini", apiKey: "own" });
  });

  test("uses MEMSVC_PROVIDER instead of detection, and noop turns models off", () => {
    expect(detect({ ...everyKey, MEMSVC_PROVIDER: "gemini" }).kind).toBe("gemini");
    expect(detect({ ...everyKey, MEMSVC_PROVIDER: "noop" }).kind).toBe("noop");
  });

  test("needs no key for a named kind with a base URL", () => {
    expect(detect({ MEMSVC_PROVIDER: "gemini", GEMINI_BASE_URL: "http://127.0.0.1:1" }).kind).toBe("gemini");
  });

  test("fails for a named kind without key and base URL, and names both settings", () => {
    const attempt = () => detect({ OPENAI_API_KEY: "k", MEMSVC_PROVIDER: "anthropic" });
    expect(attempt).toThrow(/MEMSVC_PROVIDER is anthropic.*ANTHROPIC_API_KEY.*ANTHROPIC_BASE_URL/);
    expect(attempt).toThrow(expect.toSatisfy((error: unknown) => isMemsvcError(error, "invalid_setting")));
  });
});

describe("fallbackProviders", () => {
  test("are the configured kinds in the given order, without the one in use", () => {
    const env = {
      OPENAI_API_KEY: "a",
      GEMINI_API_KEY: "b",
      ANTHROPIC_API_KEY: "c",
      MEMSVC_FALLBACK_PROVIDERS: "openrouter,gemini,openai,anthropic",
    };
    expect(fallbackProviders(settingsWith(env)).map(({ kind }) => kind)).toEqual(["gemini", "anthropic"]);
  });

  test("are none if models are turned off", () => {
    const env = { ...everyKey, MEMSVC_PROVIDER: "noop", MEMSVC_FALLBACK_PROVIDERS: "gemini" };
    expect(fallbackProviders(settingsWith(env))).toEqual([]);
  });
});
