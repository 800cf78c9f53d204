import { describe, expect, expectTypeOf, test } from "vitest";
import { readValue } from "./read-value.ts";
import type { SettingDefinition } from "./setting.ts";
import { findSetting, needsRestart, type Settings, settingsTable } from "./settings-table.ts";

const definitions: readonly SettingDefinition[] = settingsTable;

const withDefault = definitions.filter(({ default: value }) => value !== undefined && String(value) !== "");

/** Properties that carry a unit which the name of the setting lacks. */
const propertiesWithUnit = new Map([["MEMSVC_SNAPSHOT_INTERVAL", "snapshotIntervalSeconds"]]);

describe("settingsTable", () => {
  test("declares no name and no property twice", () => {
    expect(new Set(definitions.map(({ name }) => name)).size).toBe(definitions.length);
    expect(new Set(definitions.map(({ property }) => property)).size).toBe(definitions.length);
  });

  test.each(definitions)("$name has the property that its name suggests", ({ name, property }) => {
    const camelCase = name
      .replace(/^MEMSVC_/, "")
      .toLowerCase()
      .replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
    expect(property).toBe(propertiesWithUnit.get(name) ?? camelCase);
  });

  test.each(withDefault)("$name accepts its own default", (definition) => {
    expect(readValue(definition, String(definition.default))).toEqual({
      kind: "value",
      value: definition.default,
    });
  });

  test.each(definitions)("$name has a one-line description without a full stop", ({ description }) => {
    expect(description).toMatch(/^\S.{8,118}[^.\s]$/);
  });

  test("declares keys, secrets and tokens as secrets", () => {
    const looksSecret = definitions.filter(({ name }) => /_(KEY|SECRET|AUTH_TOKEN)$/.test(name));
    expect(looksSecret.length).toBeGreaterThan(8);
    expect(looksSecret.filter(({ kind }) => kind !== "secret")).toEqual([]);
  });
});

test("a setting is found by its name alone", () => {
  expect(findSetting("MEMSVC_PORT")?.property).toBe("port");
  expect(findSetting("port")).toBeUndefined();
  expect(findSetting("__proto__")).toBeUndefined();
});

test("only settings of clients change without a restart", () => {
  const live = definitions.filter((definition) => !needsRestart(definition)).map(({ name }) => name);
  expect(live).toContain("MEMSVC_URL");
  expect(live).not.toContain("MEMSVC_PORT");
  expect(live).not.toContain("MEMSVC_REQUIRE_HTTPS");
});

test("the type of a property follows from its row", () => {
  expectTypeOf<Settings["port"]>().toEqualTypeOf<number>();
  expectTypeOf<Settings["viewerPort"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<Settings["secret"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Settings["slots"]>().toEqualTypeOf<boolean>();
  expectTypeOf<Settings["agentScope"]>().toEqualTypeOf<"shared" | "isolated">();
  expectTypeOf<Settings["allowedHosts"]>().toEqualTypeOf<readonly string[]>();
  expectTypeOf<Settings["allowedRoots"]>().toEqualTypeOf<readonly string[] | undefined>();
  expectTypeOf<Settings["fallbackProviders"][number]>().toEqualTypeOf<
    "openai" | "minimax" | "anthropic" | "gemini" | "openrouter"
  >();
});
