import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isMemsvcError, type MemsvcError } from "../operation/errors.ts";
import { loadSettings } from "./load.ts";
import { settingsTable } from "./settings-table.ts";

const home = "/homes/ada/.memsvc";
const file = join(home, ".env");

interface Given {
  readonly flags?: Record<string, string>;
  readonly env?: NodeJS.ProcessEnv;
  readonly fileText?: string;
}

function load({ flags = {}, env = {}, fileText }: Given = {}) {
  return loadSettings({ home, flags, env, fileText });
}

function refusal(given: Given): MemsvcError {
  try {
    load(given);
  } catch (error) {
    if (isMemsvcError(error, "invalid_setting")) return error;
    throw error;
  }
  throw new Error("the settings were accepted");
}

describe("sources of a value", () => {
  test("the flag wins over the environment, that over the file, and that over the default", () => {
    const flags = { MEMSVC_PORT: "1" };
    const env = { MEMSVC_PORT: "2" };
    const fileText = "MEMSVC_PORT=3";
    const outcome = (given: Given) => {
      const { settings, origins } = load(given);
      return [settings.port, origins.MEMSVC_PORT];
    };
    expect(outcome({ flags, env, fileText })).toEqual([1, "flag"]);
    expect(outcome({ env, fileText })).toEqual([2, "environment"]);
    expect(outcome({ fileText })).toEqual([3, "file"]);
    expect(outcome({})).toEqual([3111, "default"]);
  });

  test("an empty or blank value falls through to the next source", () => {
    const { settings, origins } = load({ env: { MEMSVC_PORT: " " }, fileText: "MEMSVC_PORT=3" });
    expect([settings.port, origins.MEMSVC_PORT]).toEqual([3, "file"]);
  });

  test("without any source every setting has its default, without warnings", () => {
    const { settings, origins, warnings } = load();
    expect(settings).toEqual(
      Object.fromEntries(
        settingsTable.map((row) => [row.property, "default" in row ? row.default : undefined]),
      ),
    );
    expect(new Set(Object.values(origins))).toEqual(new Set(["default"]));
    expect(warnings).toEqual([]);
  });
});

describe("reading of values", () => {
  test("only true counts as true", () => {
    expect(load({ env: { MEMSVC_SLOTS: "true" } }).settings.slots).toBe(true);
    for (const other of ["false", "1", "yes", "TRUE", "on"]) {
      expect(load({ env: { MEMSVC_SLOTS: other } }).settings.slots).toBe(false);
      expect(load({ env: { MEMSVC_VIEWER: other } }).settings.viewer).toBe(false);
    }
  });

  test("a boolean that is neither true nor false gives a warning", () => {
    expect(load({ env: { MEMSVC_VIEWER: "1" } }).warnings).toEqual([
      "MEMSVC_VIEWER is neither true nor false, and counts as false (from the environment)",
    ]);
    expect(load({ env: { MEMSVC_VIEWER: "false" } }).warnings).toEqual([]);
  });

  test("MEMSVC_REQUIRE_HTTPS is also on with 1", () => {
    expect(load({ env: { MEMSVC_REQUIRE_HTTPS: "1" } }).settings.requireHttps).toBe(true);
    expect(load({ env: { MEMSVC_REQUIRE_HTTPS: "0" } }).settings.requireHttps).toBe(false);
  });

  test("a list loses blanks, empty items and duplicates, and keeps its order", () => {
    const { settings } = load({ env: { MEMSVC_ALLOWED_HOSTS: " b.test, a.test,,b.test " } });
    expect(settings.allowedHosts).toEqual(["b.test", "a.test"]);
    expect(load({ env: { MEMSVC_ALLOWED_ROOTS: " , " } }).settings.allowedRoots).toBeUndefined();
  });

  test("an agent id is cut to 128 code points", () => {
    expect(load({ env: { AGENT_ID: "ä".repeat(200) } }).settings.agentId).toBe("ä".repeat(128));
    expect(load({ env: { AGENT_ID: "🧠".repeat(129) } }).settings.agentId).toBe("🧠".repeat(128));
  });

  test("a variable that a launcher did not expand counts as unset, with a warning", () => {
    const unexpanded = ["$", "{MEMSVC_SECRET}"].join("");
    const { settings, warnings } = load({
      env: { MEMSVC_SECRET: unexpanded, MEMSVC_URL: `http://${unexpanded}`, MEMSVC_USER_ID: unexpanded },
    });
    expect(settings.secret).toBeUndefined();
    expect(settings.url).toBe("http://127.0.0.1:3111");
    expect(settings.userId).toBe(unexpanded);
    expect(warnings).toHaveLength(2);
  });

  test("nothing is expanded in the config file, so that a secret may look like a variable", () => {
    const secret = ["key-$", "{with}-braces-1234"].join("");
    expect(load({ fileText: `MEMSVC_SECRET='${secret}'` }).settings.secret).toBe(secret);
  });

  test.each(["OPENAI_API_KEY", "GOOGLE_API_KEY", "VOYAGE_API_KEY"])(
    "%s that no header can carry counts as unset, with a warning",
    (name) => {
      const { origins, warnings } = load({ env: { [name]: "copied-from-a-page…" } });
      const problem = "must be of ASCII characters, since no header carries others, and counts as unset";
      expect(origins).toMatchObject({ [name]: "default" });
      expect(warnings).toEqual([`${name} ${problem} (from the environment)`]);
    },
  );

  test("a key of two lines, as from a file with two keys, counts as unset, with a warning", () => {
    const { origins, warnings } = load({ env: { OPENAI_API_KEY: "first-key\nsecond-key" } });
    expect(origins).toMatchObject({ OPENAI_API_KEY: "default" });
    expect(warnings).toEqual([
      "OPENAI_API_KEY must not hold control characters, and counts as unset (from the environment)",
    ]);
  });

  test("hosts are normalised, IPv6 addresses without brackets", () => {
    const { settings } = load({
      env: { MEMSVC_HOST: "[FD00::2]", MEMSVC_ALLOWED_HOSTS: "Box.Test,fd00::2,[fd00::2]" },
    });
    expect([settings.host, settings.allowedHosts]).toEqual(["fd00::2", ["box.test", "fd00::2"]]);
  });

  test("MEMSVC_MCP_AUTOSTART is off only with false", () => {
    const started = ["1", "yes", "true", "false"].map(
      (text) => load({ env: { MEMSVC_MCP_AUTOSTART: text } }).settings.mcpAutostart,
    );
    expect(started).toEqual([true, true, true, false]);
  });

  test.each([
    ["MEMSVC_PORT", "65535"],
    ["MEMSVC_PORT", "0"],
    ["MEMSVC_RETENTION_THRESHOLD", ".5"],
    ["MEMSVC_BM25_WEIGHT", "2"],
    ["MEMSVC_PREFIX_ALIASES", "/agentmemory,/x_1-y"],
    ["MEMSVC_ALLOWED_ORIGINS", "https://a.test:8443,vscode-webview://abc,http://[::1]:3000"],
    ["MEMSVC_MESH_ALLOW_PRIVATE", "10.0.0.0/8,fd00::/8,box.local,192.168.1.2"],
    ["MEMSVC_MESH_ALLOW_PRIVATE", "10.0.0.1/32,fd00::/64,fd00::1/128"],
    ["MEMSVC_FALLBACK_PROVIDERS", "openai,gemini"],
    ["MEMSVC_DB_URL", "libsql://db.example.org"],
    ["MEMSVC_DB_URL", "http://127.0.0.1:8080"],
    ["MEMSVC_BRIDGE_FILE", "/w/shop/MEMORY.md"],
    ["MEMSVC_BRIDGE_PROJECT_PATH", "~/shop"],
    ["MEMSVC_HOST", "::1"],
    ["MEMSVC_SECRET", "correct horse battery"],
    ["OPENAI_BASE_URL", "http://127.0.0.1:11434/v1"],
  ])("accepts %s=%s", (name, text) => {
    expect(() => load({ env: { [name]: text } })).not.toThrow();
  });

  test.each([
    ["MEMSVC_PORT", "65536"],
    ["MEMSVC_ALLOWED_HOSTS", "example.org:8443"],
    ["MEMSVC_SECRET", "schlüssel-schlüssel-1"],
    ["MEMSVC_PORT", "-1"],
    ["MEMSVC_PORT", "80.5"],
    ["MEMSVC_PORT", "0x50"],
    ["MEMSVC_PORT", "Infinity"],
    ["MEMSVC_TOKEN_BUDGET", "0"],
    ["MEMSVC_RETENTION_THRESHOLD", "1.01"],
    ["MEMSVC_RETENTION_THRESHOLD", "1.2.3"],
    ["MEMSVC_RETENTION_THRESHOLD", "."],
    ["MEMSVC_AGENT_SCOPE", "Shared"],
    ["MEMSVC_PREFIX_ALIASES", "agentmemory"],
    ["MEMSVC_PREFIX_ALIASES", "/a/b"],
    ["MEMSVC_ALLOWED_ORIGINS", "https://a.test/"],
    ["MEMSVC_ALLOWED_ORIGINS", "a.test"],
    ["MEMSVC_ALLOWED_ORIGINS", "*"],
    ["MEMSVC_ALLOWED_ORIGINS", "file://"],
    ["MEMSVC_MESH_ALLOW_PRIVATE", "10.0.0.0/33"],
    ["MEMSVC_MESH_ALLOW_PRIVATE", "10.0.0.1,999.0.0.0/8"],
    ["MEMSVC_MESH_ALLOW_PRIVATE", "abc/8"],
    ["MEMSVC_MESH_ALLOW_PRIVATE", "10.0/16"],
    ["MEMSVC_MESH_ALLOW_PRIVATE", "fd00::/129"],
    ["MEMSVC_BRIDGE_FILE", "MEMORY.md"],
    ["MEMSVC_BRIDGE_PROJECT_PATH", "./shop"],
    ["MEMSVC_DB_URL", "file:/srv/memsvc.db"],
    ["MEMSVC_DB_URL", "wss://db.example.org"],
    ["MEMSVC_DB_URL", "libsql:///memsvc"],
    ["MEMSVC_DB_URL", "https://ann:letmein@db.example.org"],
    ["MEMSVC_DB_URL", "https://ann@db.example.org"],
    ["MEMSVC_DB_URL", "https://:letmein@db.example.org"],
    ["MEMSVC_DB_AUTH_TOKEN", "copied-from-a-page…"],
    ["OPENAI_BASE_URL", "http://ann:letmein@127.0.0.1:11434/v1"],
    ["OPENAI_BASE_URL", "ftp://models.example.org/v1"],
    ["OPENAI_BASE_URL", "https://models.example.org/openai?api-version=2024-10-21"],
    ["MEMSVC_EMBEDDING_BASE_URL", "https://models.example.org/v1#embeddings"],
    ["MEMSVC_FALLBACK_PROVIDERS", "openai,nobody"],
    ["MEMSVC_URL", "ftp://a.test"],
    ["MEMSVC_URL", "127.0.0.1:3111"],
    ["MEMSVC_SECRET", "first line\nsecond line"],
    ["MEMSVC_ALLOWED_ROOTS", "/srv/one\n/srv/two"],
  ])("rejects %s=%j", (name, text) => {
    expect(refusal({ env: { [name]: text } }).message).toMatch(new RegExp(`^${name} (must|may) `));
  });
});

describe("the error of an invalid setting", () => {
  test("names the setting, the valid values, the given value and its source", () => {
    const problem = 'MEMSVC_PORT must be a whole number from 0 to 65535, not "high"';
    expect(refusal({ flags: { MEMSVC_PORT: "high" } }).message).toBe(`${problem} (from --port)`);
    expect(refusal({ env: { MEMSVC_PORT: "high" } }).message).toBe(`${problem} (from the environment)`);
    expect(refusal({ fileText: "MEMSVC_PORT=high" }).message).toBe(`${problem} (from ${file})`);
    expect(refusal({ fileText: "MEMSVC_PORT=high" }).hint).toBe(
      `Correct it in ${file}, or leave it out there.`,
    );
  });
});

describe("warnings", () => {
  test("list unknown MEMSVC_ names in one line, but no other unknown names", () => {
    const { warnings } = load({
      env: { MEMSVC_PROT: "1", PATH: "/bin" },
      fileText: "MEMSVC_ALSO=1\nOTHER=2",
    });
    expect(warnings).toEqual(["unknown settings have no effect: MEMSVC_ALSO, MEMSVC_PROT"]);
  });

  test("report settings that have no effect because of another setting", () => {
    const server = { MEMSVC_DB_URL: "libsql://db.example.org" };
    expect(load({ env: { ...server, MEMSVC_SNAPSHOT_ENABLED: "true" } }).warnings).toEqual([
      "MEMSVC_SNAPSHOT_ENABLED has no effect with MEMSVC_DB_URL: the backup is memsvc export",
    ]);
    expect(load({ env: { MEMSVC_MESH_INTERVAL_MS: "60000" } }).warnings).toEqual([
      "MEMSVC_MESH_INTERVAL_MS has no effect without MEMSVC_SECRET, which mesh needs",
    ]);
    expect(load({ env: server }).warnings).toEqual([]);
    const secret = { MEMSVC_SECRET: "correct horse battery" };
    const whole = { ...secret, MEMSVC_MESH_INTERVAL_MS: "60000", MEMSVC_SNAPSHOT_ENABLED: "true" };
    expect(load({ env: whole }).warnings).toEqual([]);
  });

  test("report MEMSVC_HOME in the file, but not in the environment", () => {
    expect(load({ env: { MEMSVC_HOME: home } }).warnings).toEqual([]);
    expect(load({ fileText: "MEMSVC_HOME=/x" }).warnings).toEqual([
      `MEMSVC_HOME in ${file} has no effect: set it in the environment or give --home`,
    ]);
  });

  test("name a line that is not an assignment by its number", () => {
    expect(load({ fileText: "A=1\nnonsense" }).warnings).toEqual([
      `line 2 of ${file} is not KEY=VALUE and has no effect`,
    ]);
  });

  test("report a secret of fewer than 16 characters", () => {
    expect(load({ env: { MEMSVC_SECRET: "x".repeat(15) } }).warnings).toHaveLength(1);
    expect(load({ env: { MEMSVC_SECRET: "x".repeat(16) } }).warnings).toEqual([]);
  });
});

const anyName = fc.oneof(
  fc.constantFrom(...settingsTable.map((row) => row.name)),
  fc.string({ unit: "binary", maxLength: 12 }).map((rest) => `MEMSVC_${rest}`),
  fc.constantFrom("__proto__", "constructor", "MEMSVC_HOME"),
);
const anyValue = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("true", "false", "0", "1", "-1", "1e999", "NaN", "shared", "http://x", "/a,/b", "\u0000"),
  fc.integer().map(String),
);
const anyEnvironment = fc.dictionary(anyName, anyValue, { maxKeys: 12 });

test("any sources give settings or an invalid_setting error, never another error", () => {
  fc.assert(
    fc.property(anyEnvironment, anyEnvironment, fc.string({ unit: "binary" }), (flags, env, fileText) => {
      try {
        const { settings } = loadSettings({ home, flags, env, fileText });
        expect(Object.keys(settings)).toHaveLength(settingsTable.length);
      } catch (error) {
        expect(isMemsvcError(error, "invalid_setting")).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test("no message repeats a secret that was given as the value of any setting", () => {
  const marker = "sk-live-0123456789abcdef";
  const secrets = settingsTable.map((row) => row.name);
  fc.assert(
    fc.property(
      fc.constantFrom(...secrets),
      fc.constantFrom(
        marker,
        `${marker}\u0007`,
        `ftp://u:${marker}@x`,
        `\${${marker}}`,
        `/${marker},${marker}`,
      ),
      (name, text) => {
        const said: string[] = [];
        try {
          said.push(...load({ env: { [name]: text } }).warnings);
        } catch (error) {
          if (!isMemsvcError(error)) throw error;
          said.push(error.message, error.hint ?? "");
        }
        expect(said.join("\n")).not.toContain(marker);
      },
    ),
    { numRuns: 1_000 },
  );
});
