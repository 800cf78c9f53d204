import type { TokenFormat } from "../token-format.ts";

/** The token formats that the contract names, without those of Slack, GitLab and DigitalOcean, which have others, too. */
export const contractTokens: readonly TokenFormat[] = [
  // Also matches `sk-proj-` and `sk-ant-` with 16 or more characters.
  { name: "dashed key", starts: ["sk-", "pk-", "rk-", "ak-"], body: "[\\w-]{20,}", caseSensitive: true },
  {
    name: "live or test key",
    starts: ["sk_live_", "rk_live_", "sk_test_"],
    body: "\\w[\\w-]{15,}",
    caseSensitive: true,
  },
  {
    name: "github token",
    starts: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    body: "[A-Za-z0-9]{36,}",
    caseSensitive: true,
  },
  { name: "github fine-grained token", starts: ["github_pat_"], body: "\\w{22,}", caseSensitive: true },
  { name: "aws access key id", starts: ["AKIA", "ASIA"], body: "[A-Z0-9]{16,}", caseSensitive: true },
  { name: "google api key", starts: ["AIza"], body: "[\\w-]{35,}", caseSensitive: true },
  { name: "npm token", starts: ["npm_"], body: "[A-Za-z0-9]{36,}" },
  { name: "hugging face token", starts: ["hf_"], body: "[A-Za-z0-9]{30,}" },
  { name: "pypi token", starts: ["pypi-"], body: "[\\w-]{50,}", caseSensitive: true },
  // The header's length is limited, because a long run of such beginnings would otherwise take quadratic time; 512 is
  // twice a usual header.
  {
    name: "json web token",
    starts: ["eyJ"],
    body: "[\\w-]{5,512}\\.[\\w-]{4,}\\.[\\w-]*={0,2}",
    caseSensitive: true,
  },
];
