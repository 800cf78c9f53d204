import { describe, expect, test } from "vitest";
import { isMemsvcError } from "../operation/errors.ts";
import { FeatureFlag } from "./feature-flag.ts";
import { featureFlags, featureFlagTable, featureOff, isEffective } from "./feature-flag-table.ts";
import { loadSettings } from "./load.ts";
import { findSetting } from "./settings-table.ts";

const everything = { llm: true, embeddings: true, images: true };
const nothing = { llm: false, embeddings: false, images: false };

function settingsWith(env: Record<string, string>) {
  return loadSettings({ home: "/h", env, fileText: undefined }).settings;
}

function allFlags(env: Record<string, string>, has = everything) {
  const { flags, features } = featureFlags(settingsWith(env), has);
  return [...flags, ...features];
}

function flag(key: string, env: Record<string, string>, has = everything) {
  return allFlags(env, has).find((shown) => shown.key === key);
}

describe("featureFlags", () => {
  test("lists the contract's four flags and the five further features, in order", () => {
    const { flags, features } = featureFlags(settingsWith({}), nothing);
    expect(flags.map(({ key }) => key)).toEqual([
      "GRAPH_EXTRACTION_ENABLED",
      "CONSOLIDATION_ENABLED",
      "MEMSVC_AUTO_COMPRESS",
      "MEMSVC_INJECT_CONTEXT",
    ]);
    expect(features.map(({ key }) => key)).toEqual([
      "MEMSVC_SLOTS",
      "MEMSVC_REFLECT",
      "MEMSVC_IMAGE_EMBEDDINGS",
      "MEMSVC_TEAM_ID",
      "MEMSVC_BRIDGE_ENABLED",
    ]);
  });

  test("has everything off by default, as the settings do", () => {
    for (const shown of allFlags({})) {
      expect(shown).toMatchObject({ enabled: false, default: false, effective: false });
      const definition = findSetting(shown.key);
      expect(definition && "default" in definition ? definition.default : false).toBe(false);
    }
  });

  test("names a provider's key exactly for what needs a language model", () => {
    for (const { needsLlm, enableHow } of allFlags({}, nothing))
      expect(/\bANTHROPIC_API_KEY\b/u.test(enableHow)).toBe(needsLlm);
    expect(findSetting("ANTHROPIC_API_KEY")?.kind).toBe("secret");
  });

  test.each(featureFlagTable)(
    "enables $key by what its enableHow says, which names setting and file",
    ({ key }) => {
      const how = flag(key, {})?.enableHow ?? "";
      expect(how).toContain(key);
      expect(how).toContain(".env");
      const assignments = [...how.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]);
      expect(flag(key, Object.fromEntries(assignments))).toMatchObject({ enabled: true, effective: true });
    },
  );

  test.each(featureFlagTable)("gives $key the shape of the schema", ({ key }) => {
    const shown = flag(key, {});
    expect(FeatureFlag.parse(shown)).toEqual(shown);
  });

  test.each(["GRAPH_EXTRACTION_ENABLED", "CONSOLIDATION_ENABLED", "MEMSVC_AUTO_COMPRESS"])(
    "%s without a language model is enabled but not effective",
    (key) => {
      expect(flag(key, { [key]: "true" }, { llm: false, embeddings: true, images: true })).toMatchObject({
        enabled: true,
        needsLlm: true,
        effective: false,
      });
    },
  );

  test.each([
    ["MEMSVC_REFLECT", { MEMSVC_REFLECT: "true" }],
    ["MEMSVC_TEAM_ID", { MEMSVC_TEAM_ID: "t" }],
    ["MEMSVC_BRIDGE_ENABLED", { MEMSVC_BRIDGE_ENABLED: "true" }],
  ])("%s without the setting that it needs is enabled but not effective", (key, env) => {
    expect(flag(key, env)).toMatchObject({ enabled: true, effective: false });
  });

  test("the bridge is effective with a file in place of a project", () => {
    const env = { MEMSVC_BRIDGE_ENABLED: "true", MEMSVC_BRIDGE_FILE: "/x/MEMORY.md" };
    expect(flag("MEMSVC_BRIDGE_ENABLED", env)?.effective).toBe(true);
  });

  test("image search without a model is enabled but not effective", () => {
    const env = { MEMSVC_IMAGE_EMBEDDINGS: "true" };
    expect(flag("MEMSVC_IMAGE_EMBEDDINGS", env, nothing)).toMatchObject({ enabled: true, effective: false });
  });
});

test("isEffective agrees with featureFlags", () => {
  const env = { MEMSVC_SLOTS: "true", MEMSVC_TEAM_ID: "t", GRAPH_EXTRACTION_ENABLED: "true" };
  const settings = settingsWith(env);
  for (const { key } of featureFlagTable) {
    expect(isEffective(key, settings, nothing)).toBe(flag(key, env, nothing)?.effective);
  }
});

test("featureOff carries the flag, how to enable it and the link to its documentation", () => {
  const error = featureOff("MEMSVC_SLOTS");
  expect(isMemsvcError(error, "feature_off")).toBe(true);
  expect(error.message).toContain("MEMSVC_SLOTS");
  expect(error.extra).toEqual({
    flag: "MEMSVC_SLOTS",
    enableHow: flag("MEMSVC_SLOTS", {})?.enableHow,
    docsHref: "docs/config.md#memsvc_slots",
  });
});

test("every field of the schema is described", () => {
  for (const field of Object.values(FeatureFlag.shape)) expect(field.description).toMatch(/\S/);
});
