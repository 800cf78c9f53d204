import { describe, expect, test } from "vitest";
import { isMemsvcError } from "../operation/errors.ts";
import { loadSettings } from "./load.ts";
import { findSetting, type Settings } from "./settings-table.ts";
import { vendorUrls } from "./vendor-urls.ts";

/** The promised default of each setting. */
const defaults: Readonly<Record<string, unknown>> = {
  MEMSVC_HOST: "127.0.0.1",
  MEMSVC_PORT: 3111,
  MEMSVC_PREFIX_ALIASES: [],
  MEMSVC_SERVICE_NAME: "memsvc",
  MEMSVC_SECRET: undefined,
  MEMSVC_ALLOWED_HOSTS: [],
  MEMSVC_ALLOWED_ORIGINS: [],
  MEMSVC_ALLOWED_ROOTS: undefined,
  MEMSVC_MAX_BODY_BYTES: 10 * 1024 ** 2,
  MEMSVC_MAX_IMPORT_BYTES: 1024 ** 3,
  MEMSVC_SYNC_WAIT_MS: 10_000,
  MEMSVC_VIEWER: true,
  MEMSVC_VIEWER_PORT: undefined,
  MEMSVC_LOG_LEVEL: "info",
  AGENT_ID: undefined,
  MEMSVC_AGENT_SCOPE: "shared",
  MEMSVC_USER_ID: undefined,
  GRAPH_EXTRACTION_ENABLED: false,
  CONSOLIDATION_ENABLED: false,
  MEMSVC_AUTO_COMPRESS: false,
  MEMSVC_INJECT_CONTEXT: false,
  MEMSVC_SLOTS: false,
  MEMSVC_REFLECT: false,
  MEMSVC_IMAGE_EMBEDDINGS: false,
  MEMSVC_IMAGE_STORE_MAX_BYTES: 500 * 1024 ** 2,
  MEMSVC_SESSION_STALE_HOURS: 24,
  MEMSVC_MAX_OBS_PER_SESSION: undefined,
  MEMSVC_CONSOLIDATION_COOLDOWN_MS: 300_000,
  MEMSVC_CONSOLIDATION_INTERVAL_MS: 7_200_000,
  MEMSVC_CONSOLIDATION_DECAY_DAYS: 30,
  MEMSVC_SUMMARIZE_CHUNK_SIZE: 400,
  MEMSVC_SUMMARIZE_CHUNK_CONCURRENCY: 6,
  MEMSVC_RETENTION_THRESHOLD: 0.15,
  MEMSVC_SWEEP_INTERVAL_MS: 3_600_000,
  MEMSVC_AUTO_FORGET_ENABLED: true,
  MEMSVC_OBS_RETENTION_DAYS: 90,
  MEMSVC_LESSON_DECAY_ENABLED: true,
  MEMSVC_INSIGHT_DECAY_ENABLED: true,
  MEMSVC_AUDIT_RETENTION_DAYS: 0,
  MEMSVC_TOKEN_BUDGET: 2_000,
  MEMSVC_BM25_WEIGHT: undefined,
  MEMSVC_VECTOR_WEIGHT: undefined,
  MEMSVC_GRAPH_WEIGHT: undefined,
  MEMSVC_VECTOR_MIN_SIMILARITY: 0.25,
  MEMSVC_FOLLOWUP_WINDOW_SECONDS: 30,
  MEMSVC_GRAPH_BATCH_SIZE: 10,
  MEMSVC_TEAM_ID: undefined,
  MEMSVC_TEAM_MODE: "shared",
  MEMSVC_MESH_ALLOW_PRIVATE: [],
  MEMSVC_MESH_INTERVAL_MS: 0,
  MEMSVC_VAULT_AUTO_EXPORT: undefined,
  MEMSVC_BRIDGE_ENABLED: false,
  MEMSVC_BRIDGE_PROJECT_PATH: undefined,
  MEMSVC_BRIDGE_FILE: undefined,
  MEMSVC_BRIDGE_LINE_BUDGET: 200,
  MEMSVC_SNAPSHOT_ENABLED: false,
  MEMSVC_SNAPSHOT_INTERVAL: 3_600,
  MEMSVC_SNAPSHOT_KEEP: 10,
  MEMSVC_TOOLS: "all",
  MEMSVC_MCP_MAX_RESULT_CHARS: 100_000,
  MEMSVC_URL: "http://127.0.0.1:3111",
  MEMSVC_REQUIRE_HTTPS: false,
  MEMSVC_MCP_AUTOSTART: true,
  MEMSVC_MCP_TIMEOUT_MS: 120_000,
  MEMSVC_PROJECT_NAME: undefined,
  MEMSVC_PROVIDER: undefined,
  OPENAI_MODEL: "gpt-4o-mini",
  MINIMAX_MODEL: "MiniMax-M2",
  ANTHROPIC_MODEL: "claude-haiku-4-5",
  GEMINI_MODEL: "gemini-2.5-flash",
  OPENROUTER_MODEL: "openai/gpt-4o-mini",
  OPENAI_API_KEY_FOR_LLM: true,
  MEMSVC_LLM_TIMEOUT_MS: 60_000,
  MEMSVC_LLM_MAX_TOKENS: 4_096,
  MEMSVC_LLM_CONCURRENCY: 4,
  MEMSVC_LLM_MAX_CALLS_PER_HOUR: 300,
  MEMSVC_LLM_NOTHINK: false,
  MEMSVC_FALLBACK_PROVIDERS: [],
  MEMSVC_EMBEDDING_PROVIDER: "local",
  MEMSVC_EMBEDDING_BATCH_SIZE: 32,
};

/** The ends of the ranges that are promised, and the first value beyond each. */
const ranges: readonly [name: string, taken: readonly number[], refused: readonly number[]][] = [
  ["MEMSVC_PORT", [0, 65_535], [-1, 65_536]],
  ["MEMSVC_RETENTION_THRESHOLD", [0, 1], [-0.01, 1.01]],
  ["MEMSVC_TOKEN_BUDGET", [1, 32_000], [0, 32_001]],
  ["MEMSVC_BM25_WEIGHT", [0, 2], [-0.01, 2.01]],
  ["MEMSVC_VECTOR_WEIGHT", [0, 2], [-0.01, 2.01]],
  ["MEMSVC_GRAPH_WEIGHT", [0, 2], [-0.01, 2.01]],
  ["MEMSVC_FOLLOWUP_WINDOW_SECONDS", [1, 86_400], [0, 86_401]],
  ["MEMSVC_GRAPH_BATCH_SIZE", [1, 100], [0, 101]],
  ["MEMSVC_SESSION_STALE_HOURS", [0], [-1]],
  ["MEMSVC_CONSOLIDATION_COOLDOWN_MS", [0], [-1]],
  ["MEMSVC_AUDIT_RETENTION_DAYS", [0], [-1]],
  ["MEMSVC_MESH_INTERVAL_MS", [0], [-1]],
  ["MEMSVC_LLM_MAX_CALLS_PER_HOUR", [0], [-1]],
];

function settingOf(name: string, env: NodeJS.ProcessEnv = {}): unknown {
  const property = findSetting(name)?.property;
  if (property === undefined) throw new Error(`${name} is no setting`);
  const { settings } = loadSettings({ home: "/homes/ada/.memsvc", flags: {}, env, fileText: undefined });
  return settings[property as keyof Settings];
}

describe("settings", () => {
  test.each(Object.entries(defaults))("%s is %j by default", (name, value) => {
    expect(settingOf(name)).toEqual(value);
  });

  test.each(ranges)("%s accepts %j and rejects %j", (name, taken, refused) => {
    for (const value of taken) expect(settingOf(name, { [name]: String(value) })).toBe(value);
    for (const value of refused) {
      const read = () => settingOf(name, { [name]: String(value) });
      expect(read).toThrow(expect.toSatisfy((error) => isMemsvcError(error, "invalid_setting")));
    }
  });

  test("have the vendors' own addresses as defaults", () => {
    expect(vendorUrls).toMatchObject({
      openai: "https://api.openai.com/v1",
      minimax: "https://api.minimax.io/v1",
      anthropic: "https://api.anthropic.com",
      gemini: "https://generativelanguage.googleapis.com",
      openrouter: "https://openrouter.ai/api/v1",
    });
  });
});
