import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { tinyDimensions, writeTinyOnnxModel, writeTinyStaticModel } from "../../test/support/tiny-model.ts";
import { loadSettings } from "../config/load.ts";
import { chooseEmbedding, type EmbeddingChoice } from "./choice.ts";

let home: string;
beforeEach(() => {
  home = temporaryFolder();
});

function choose(env: Readonly<Record<string, string>>): EmbeddingChoice {
  return chooseEmbedding(home, loadSettings({ home, env, fileText: undefined }).settings);
}

describe("without a setting", () => {
  test("vectors are computed on this machine by the model in models/", () => {
    expect(choose({})).toMatchObject({ kind: "none", reason: expect.stringContaining("memsvc models pull") });
    writeTinyOnnxModel(join(home, "models", "all-MiniLM-L6-v2"));
    expect(choose({})).toMatchObject({
      kind: "local",
      model: { provider: "local", name: "all-MiniLM-L6-v2", dimensions: tinyDimensions },
    });
  });

  test("vendors' keys alone send no text out", () => {
    const keys = {
      OPENAI_API_KEY: "sk-1",
      OPENAI_BASE_URL: "http://127.0.0.1:9",
      GEMINI_API_KEY: "k",
      VOYAGE_API_KEY: "k",
      COHERE_API_KEY: "k",
      OPENROUTER_API_KEY: "k",
      MEMSVC_EMBEDDING_BASE_URL: "http://127.0.0.1:9",
    };
    expect(choose(keys).kind).toBe("none");
    writeTinyOnnxModel(join(home, "models", "all-MiniLM-L6-v2"));
    expect(choose(keys).kind).toBe("local");
  });
});

describe("a model on this machine", () => {
  test("may be a name in models/ or a folder anywhere", () => {
    writeTinyStaticModel(join(home, "models", "potion-base-8M"));
    writeTinyStaticModel(join(home, "elsewhere"));
    const env = { MEMSVC_EMBEDDING_PROVIDER: "static" };
    expect(choose(env)).toMatchObject({ kind: "static", model: { name: "potion-base-8M" } });
    expect(choose({ ...env, MEMSVC_EMBEDDING_MODEL: join(home, "elsewhere") })).toMatchObject({
      kind: "static",
      model: { name: "elsewhere" },
    });
    expect(choose({ ...env, MEMSVC_EMBEDDING_MODEL: join(home, "nowhere") })).toEqual({
      kind: "none",
      reason: `there is no embedding model in ${join(home, "nowhere")}`,
    });
    expect(choose({ ...env, MEMSVC_EMBEDDING_MODEL: "../elsewhere" }).kind).toBe("none");
  });

  test("of the other kind is not used, and the reason names the fitting setting", () => {
    writeTinyStaticModel(join(home, "models", "potion"));
    expect(choose({ MEMSVC_EMBEDDING_MODEL: "potion" })).toMatchObject({
      kind: "none",
      reason: expect.stringContaining("MEMSVC_EMBEDDING_PROVIDER=static"),
    });
  });

  test.each(["tokenizer.json", "config.json", "onnx/model_quantized.onnx", "tokenizer_config.json"])(
    "without its %s counts as not installed",
    (file) => {
      const folder = join(home, "models", "all-MiniLM-L6-v2");
      writeTinyOnnxModel(folder);
      rmSync(join(folder, file));
      expect(choose({}).kind).toBe("none");
    },
  );

  test("changes its fingerprint with its weights, dimensions or name", () => {
    const fingerprint = (name: string) => {
      const choice = choose({
        MEMSVC_EMBEDDING_PROVIDER: "static",
        MEMSVC_EMBEDDING_MODEL: join(home, name),
      });
      return choice.kind === "static" ? choice.model.fingerprint : undefined;
    };
    writeTinyStaticModel(join(home, "a"));
    writeTinyStaticModel(join(home, "b"), "F16");
    const first = fingerprint("a");
    expect(fingerprint("a")).toBe(first);
    expect(new Set([first, fingerprint("b"), undefined]).size).toBe(3);
    writeFileSync(join(home, "a", "config.json"), JSON.stringify({ hidden_dim: 8 }));
    expect(fingerprint("a")).not.toBe(first);
  });
});

describe("a vendor", () => {
  test.each([
    ["openai", "OPENAI_API_KEY", "text-embedding-3-small", 1536],
    ["gemini", "GEMINI_API_KEY", "gemini-embedding-001", 768],
    ["voyage", "VOYAGE_API_KEY", "voyage-3.5", 1024],
    ["cohere", "COHERE_API_KEY", "embed-multilingual-v3.0", 1024],
    ["openrouter", "OPENROUTER_API_KEY", "openai/text-embedding-3-small", 1536],
  ])("%s is used with its own model when it is named and has its key", (vendor, key, name, dimensions) => {
    const env = { MEMSVC_EMBEDDING_PROVIDER: vendor };
    expect(choose(env)).toMatchObject({ kind: "none", reason: expect.stringContaining(key) });
    expect(choose({ ...env, [key]: "changeme" }).kind).toBe("none");
    expect(choose({ ...env, [key]: "k" })).toMatchObject({
      kind: "remote",
      model: { provider: vendor, name, dimensions },
      endpoint: { apiKey: "k", baseUrl: expect.stringMatching(/^https:/u) },
    });
  });

  test("may be any OpenAI-compatible server, with a base URL and without a key", () => {
    const env = {
      MEMSVC_EMBEDDING_PROVIDER: "openai",
      MEMSVC_EMBEDDING_BASE_URL: "http://127.0.0.1:1234/v1/",
      MEMSVC_EMBEDDING_MODEL: "nomic",
    };
    expect(choose(env)).toMatchObject({
      kind: "remote",
      endpoint: { baseUrl: "http://127.0.0.1:1234/v1", apiKey: undefined },
      model: undefined,
    });
    expect(choose({ ...env, MEMSVC_EMBEDDING_DIMENSIONS: "768" })).toMatchObject({
      model: { dimensions: 768 },
    });
  });
});

test("the provider none is accepted without a reason", () => {
  expect(choose({ MEMSVC_EMBEDDING_PROVIDER: "none" })).toEqual({ kind: "none", reason: undefined });
});
