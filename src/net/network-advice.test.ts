import { expect, test } from "vitest";
import { networkAdvice } from "./network-advice.ts";

test("a certificate of an unknown issuer is told how to be known", () => {
  expect(networkAdvice("SELF_SIGNED_CERT_IN_CHAIN", {})).toContain("NODE_EXTRA_CA_CERTS");
  expect(networkAdvice("CERT_HAS_EXPIRED", {})).toBeUndefined();
});

test("where a proxy is named that Node goes past, it is told how it is heeded", () => {
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
