import { describe, expect, test } from "vitest";
import { redactText } from "./redact.ts";

const sha = "9b74c9897bac770ffc029102a200c5de9b74c989";
const uuid = "3f2a9c1e-7b4d-4e8a-9c0d-1f2e3d4c5b6a";
const base64 =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("text that only looks like a secret is kept", () => {
  test.each([
    ["a git sha", `commit ${sha}\nAuthor: Ada <ada@example.com>`],
    ["a short sha and a range", `git diff ${sha.slice(0, 7)}..${sha.slice(0, 12)}`],
    ["a UUID", `{"uuid": "${uuid}", "parentUuid": "${uuid}"}`],
    ["an npm integrity hash", `"integrity": "sha512-${base64.slice(0, 86)}=="`],
    ["an image", `![x](data:image/png;base64,${base64})`],
    ["a container digest", `image@sha256:${sha}${sha.slice(0, 24)}`],
    ["identifiers", "const authenticationTokenProviderFactory = createAuthenticationTokenProvider(options);"],
    ["a type annotation", "function keyOf(key: PropertyKeyOfInstance, token: CancellationTokenSource) {}"],
    ["keyword arguments", "sorted(items, key=operator.attrgetter_of_items('x'), reverse=True)"],
    ["kebab case", "<div class='task-list-item-checkbox-container risk-assessment-overview'>"],
    ["prose", "The basic idea: tokens are keys, and the author of a secret is its password's author."],
    ["a stack trace", "at Object.<anonymous> (/app/src/auth/token-provider.test.ts:12:34)"],
    ["a version list", "hono 4.13.19, zod 4.6.7, okta: ^7.0.0"],
    [
      "names and words that begin like tokens",
      "fw_configurationManager, fw_configurationmanagerprovider, as-counterrevolutionaries, m0-internationalizationhelper, ak_pool_size_of_2_Gb_x, ck_1, sk_learn_model_selection_2, npg_connectionpool, m0-series, am_pm, hb_interval",
    ],
    [
      "kebab case that begins like tokens",
      "pa-2026-Annual-Report-of-the-Board-of-Directors, al-Khwarizmi-and-Algebra-2, dose-response-relationship-2026-study, as-is, sdk-tools, api-gateway, secret-manager-accessor, ste-by-step",
    ],
    [
      "versions, times and dates",
      "v1: 0.1.2, 12:34:56, 1/2, dev: 1|2, prod: a|b, st.a1.b2, y0_1, e.Get, 2/11/2026:10",
    ],
    ["a line of modes", "BSA-2026-Filing-Instructions.pdf, AQE, 00D5f, APIM policy, AIoT devices, tid=42;x"],
    ["a lock file entry", `"node_modules/js-tokens": { "version": "9.0.1" }`],
  ])("%s", (_name, text) => {
    expect(redactText(text)).toBe(text);
  });
});
