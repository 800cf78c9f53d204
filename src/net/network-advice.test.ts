import { expect, test } from "vitest";
import { networkAdvice } from "./network-advice.ts";

test("an unknown issuer of a certificate gives advice on NODE_EXTRA_CA_CERTS", () => {
  expect(networkAdvice("SELF_SIGNED_CERT_IN_CHAIN", {})).toContain("NODE_EXTRA_CA_CERTS");
});

test("a certificate that is not valid at this time gives advice on the clock", () => {
  for (const code of ["CERT_NOT_YET_VALID", "CERT_HAS_EXPIRED"])
    expect(networkAdvice(code, {})).toMatch(/check the clock$/u);
});

test("a proxy that Node ignores gives advice on NODE_USE_ENV_PROXY", () => {
  const env = { https_proxy: "http://proxy:3128" };
  expect(networkAdvice("ENOTFOUND", env)).toMatch(/^to use https_proxy, set NODE_USE_ENV_PROXY=1/u);
  expect(networkAdvice("ENOTFOUND", { ...env, NODE_USE_ENV_PROXY: "1" })).toBeUndefined();
  for (const [code, given] of [
    ["ENOTFOUND", {}],
    ["ENOTFOUND", { HTTPS_PROXY: "" }],
    ["ERR_INVALID_URL", env],
    [undefined, env],
  ] as const)
    expect(networkAdvice(code, given)).toBeUndefined();
});
