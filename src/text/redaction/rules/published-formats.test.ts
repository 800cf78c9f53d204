import { describe, expect, test } from "vitest";
import { redactText } from "../redact.ts";

/* Secrets are put together here, so that no scanner takes this file for a leak. */
const mixed = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL3oR6uX9zA2bC5eG8hJ1kM4nP7qS0tV3wY6".repeat(4);
const hex = "0f1e2d3c4b5a69788796a5b4c3d2e1f0".repeat(5);
const uuid = "3f2a9c1e-7b4d-4e8a-9c0d-1f2e3d4c5b6a";

describe("tokens with a vendor's mark are replaced wherever they stand", () => {
  test.each([
    ["gl", `rt-${mixed.slice(0, 20)}`],
    ["sgp", `_${hex.slice(0, 40)}`],
    ["rubygems", `_${hex.slice(0, 48)}`],
    ["dckr", `_pat_${mixed.slice(0, 27)}`],
    ["PMAK", `-${hex.slice(0, 24)}-${hex.slice(0, 34)}`],
    ["dapi", hex.slice(0, 32)],
    ["hvs", `.${mixed.slice(0, 95)}`],
    ["dp", `.pt.${mixed.slice(0, 43)}`],
    ["SG", `.${mixed.slice(0, 22)}.${mixed.slice(0, 43)}`],
    ["shp", `at_${hex.slice(0, 32)}`],
    ["SK", hex.slice(0, 32)],
    ["gls", `a_${mixed.slice(0, 32)}_${hex.slice(0, 8)}`],
    ["A3", "-ABC123-DEF456GHJ78-KLM12-NPQ34-RST56"],
    ["abc1", `Q~${mixed.slice(0, 33)}`],
    ["abcdefgh123456", `.atlasv1.${mixed.slice(0, 64)}`],
    ["1234567890123456", `|${mixed.slice(0, 30)}`],
    ["https://hooks.slack.com", `/services/${mixed.slice(0, 44)}`],
  ])("%s…", (start, rest) => {
    expect(redactText(`see ${start}${rest} there`)).not.toContain(rest);
    expect(redactText(`see ${start}${rest.slice(0, 10)} there`)).toContain(start);
  });
});

describe("tokens with signs that end a value elsewhere are replaced as a whole after a name, too", () => {
  test.each([
    `00D${mixed.slice(0, 12)}!${mixed.slice(0, 96)}`,
    `tid=${hex.slice(0, 32)};exp=1767225600;sku=free;8kp=1:${hex.slice(0, 64)}`,
    `prod:shy-owl-123|${mixed.slice(0, 60)}`,
    `v1:${mixed.slice(0, 24)}:${mixed.slice(0, 24)}`,
    `AQE${mixed.slice(0, 80).replace("aB", "yh")}==-${mixed.slice(0, 43)}=-aB3#(<dE6gH`,
  ])("%s", (secret) => {
    for (const before of ["export API_TOKEN=", 'API_KEY: "'])
      expect(redactText(before + secret)).not.toMatch(/[A-Za-z0-9]{20}/);
  });
});

describe("tokens without a mark are replaced only after their vendor's name", () => {
  test.each([
    ["cloudflare_api_key: ", hex.slice(0, 37)],
    ["HEROKU_TOKEN=", uuid],
    ['linear.clientId", "', hex.slice(0, 32)],
    ["Okta => '", `00${mixed.slice(0, 40)}`],
    ["telegram_bot := ", `123456789:A${mixed.slice(0, 34)}`],
    ["yandex || ", `AQVN${mixed.slice(0, 36)}`],
    ["BUNDLE_GEMS__CONTRIBSYS__COM=", "0f1e2d3c:4b5a6978"],
  ])("%s…", (before, secret) => {
    expect(redactText(`${before}${secret}'`)).toBe(`${before}[REDACTED_SECRET]'`);
    expect(redactText(`colour ${secret} there`)).toBe(`colour ${secret} there`);
  });

  test("names and words after a vendor's name are kept", () => {
    for (const text of ["linkedin: SomeCompanyName", "import { okta } from 'x', discord = clientFactory"]) {
      expect(redactText(text)).toBe(text);
    }
  });
});

describe("documents", () => {
  const header = `-----BEGIN RSA ${"PRIVATE"} KEY-----`;
  const footer = `-----END RSA ${"PRIVATE"} KEY-----`;

  test("a private key is replaced from its header to its end line", () => {
    expect(redactText(`a\n${header}\n${mixed}\n${footer}\nb`)).toBe("a\n[REDACTED_SECRET]\nb");
    expect(redactText(`"${header}\\n${mixed}\\n${footer}\\n"`)).toBe('"[REDACTED_SECRET]\\n"');
  });

  test("a truncated private key is replaced with everything that is left of it", () => {
    expect(redactText(`${header}\n${mixed.slice(0, 64)}\n${mixed.slice(0, 30)}`)).toBe("[REDACTED_SECRET]");
    expect(redactText(`${header}\n${mixed.slice(0, 64)}\n\n${header}\n${mixed}\n${footer}`)).not.toContain(
      "aB3d",
    );
  });

  test("a public key and the mention of a header are kept", () => {
    const publicKey = `-----BEGIN PUBLIC KEY-----\n${mixed.slice(0, 64)}\n-----END PUBLIC KEY-----`;
    for (const text of [publicKey, `look for "${header}" in the file`]) expect(redactText(text)).toBe(text);
  });

  test("the values of a Kubernetes secret are replaced, whether kind or data comes first", () => {
    const values = "data:\n  user: YWRtaW4=\n  code: cGFzc3dvcmQ=\n";
    const redacted = "data:\n  user: [REDACTED_SECRET]\n  code: [REDACTED_SECRET]\n";
    expect(redactText(`${values}kind: Secret\n`)).toBe(`${redacted}kind: Secret\n`);
    expect(redactText(`kind: Secret\n${values}type: Opaque\n`)).toBe(
      `kind: Secret\n${redacted}type: Opaque\n`,
    );
    expect(redactText(`kind: ConfigMap\n${values}`)).toBe(`kind: ConfigMap\n${values}`);
    expect(redactText(`${values}---\nkind: Secret\n`)).toBe(`${values}---\nkind: Secret\n`);
  });

  test("values in stringData, JSON manifests and lists of manifests are replaced too", () => {
    const mark = "[REDACTED_SECRET]";
    const texts = (dsn: string, note: string) =>
      `stringData:\n  dsn: ${dsn}\n  note: "${note}"\n  on: $${"{DSN}"}\n`;
    for (const [before, after] of [
      ["kind: Secret\n", ""],
      ["", "kind: Secret\n"],
    ])
      expect(redactText(before + texts("opal-lantern", "two words") + after)).toBe(
        before + texts(mark, mark) + after,
      );
    const json = (kind: string, value: string) =>
      `{\n  "data": {\n    "user": "${value}",\n    "on": "$X",\n    "pin": "${value}"\n  },\n  "kind": "${kind}"\n}`;
    expect(redactText(json("Secret", "YWRtaW4="))).toBe(json("Secret", mark));
    expect(redactText(json("ConfigMap", "YWRtaW4="))).toBe(json("ConfigMap", "YWRtaW4="));
    const first = (value: string) => `{"kind":"Secret","stringData":{"user":"${value}"}}`;
    expect(redactText(first("opal-lantern"))).toBe(first(mark));
    const list = (kind: string, value: string) =>
      `items:\n- apiVersion: v1\n  data:\n    user: ${value}\n    pin: ${value}\n  kind: ${kind}\n`;
    expect(redactText(list("Secret", "YWRtaW4="))).toBe(list("Secret", mark));
    expect(redactText(list("ConfigMap", "YWRtaW4="))).toBe(list("ConfigMap", "YWRtaW4="));
  });

  test("the password of a NuGet source is replaced, a variable in its place is kept", () => {
    const field = (value: string) => `<add key="ClearTextPassword" value="${value}" />`;
    expect(redactText(field("geh3\\im!!"))).toBe(field("[REDACTED_SECRET]"));
    expect(redactText(field("%NUGET_PASS%"))).toBe(field("%NUGET_PASS%"));
  });
});
