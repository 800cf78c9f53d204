import type { TokenFormat } from "../token-format.ts";

/* Where a mark is so short that names and words begin with it, too, a token is unlike them: it has digits or capitals. */
const irregular = "(?=[\\w-]{0,42}(?:\\d|[A-Z]{2}))";
const mixed = (length: number) =>
  `(?=[\\w-]{${length}}(?![\\w-]))${irregular}(?=[\\w-]{0,42}[A-Z])(?=[\\w-]{0,42}[a-z])[\\w-]{${length}}`;
const fewDashes = "(?!(?:[^\\s-]{0,42}-){5})";

/** Published token formats of language models, coding agents and the services that agents use as tools. */
export const agentTokens: readonly TokenFormat[] = [
  { name: "google or groq model key", starts: ["gsk_"], body: "[A-Za-z0-9]{40,}" },
  { name: "gemini key", starts: ["AQ.Ab8"], body: "[\\w-]{40,}", caseSensitive: true },
  { name: "hugging face token", starts: ["api_org_"], body: "[a-z0-9]{34}" },
  { name: "perplexity key", starts: ["pplx-"], body: "[A-Za-z0-9]{40,}" },
  { name: "xai key", starts: ["xai-"], body: "[\\w-]{70,}" },
  { name: "replicate token", starts: ["r8_"], body: "[A-Za-z0-9]{37}" },
  { name: "nvidia key", starts: ["nvapi-"], body: "[\\w-]{60,}" },
  { name: "together key", starts: ["tgp_v1_"], body: "[\\w-]{40,}" },
  { name: "fireworks key", starts: ["fw_"], body: `${irregular}[A-Za-z0-9]{22,}\\b`, caseSensitive: true },
  { name: "jina key", starts: ["jina_"], body: "[A-Za-z0-9_-]{60}" },
  {
    name: "voyage key",
    starts: ["pa-", "al-"],
    body: `${fewDashes}${mixed(43)}`,
    caseSensitive: true,
  },
  { name: "cerebras key", starts: ["csk-"], body: "[a-z0-9]{40,}" },
  { name: "elevenlabs key", starts: ["sk_"], body: "[a-f0-9]{48}\\b" },
  { name: "novita key", starts: ["sk_"], body: mixed(43), caseSensitive: true },
  { name: "cartesia key", starts: ["sk_car_"], body: `${irregular}\\w{20,}`, caseSensitive: true },
  { name: "qianfan key", starts: ["bce-v3/ALTAK"], body: "[\\w-]{5,40}/[a-f0-9]{40}" },
  { name: "cursor key", starts: ["key_"], body: "[a-f0-9]{64}\\b" },
  { name: "newer cursor key", starts: ["crsr_"], body: "[\\w-]{40,}" },
  { name: "amp key", starts: ["sgamp_user_"], body: "[A-Z0-9]{26}_[a-f0-9]{64}" },
  { name: "kiro key", starts: ["ksk_"], body: "[A-Za-z0-9]{32,}" },
  { name: "warp key", starts: ["wk-1."], body: "[a-f0-9]{64}" },
  { name: "devin key", starts: ["apk_user_", "apk_"], body: "[A-Za-z0-9+/]{80,}={0,2}" },
  { name: "devin service token", starts: ["cog_"], body: "[a-z0-9]{52}" },
  { name: "copilot session", starts: ["tid="], body: "[a-f0-9]{32};[^\\s\"'\\\\<>]{20,2000}" },
  { name: "signature of a copilot session", starts: ["8kp=1:"], body: "[a-f0-9]{64}" },
  { name: "firecrawl or e2b key", starts: ["fc-", "e2b_"], body: "(?:[a-f0-9]{40}|[a-f0-9]{32})\\b" },
  { name: "tavily key", starts: ["tvly-"], body: "[A-Za-z0-9-]{28,}" },
  {
    name: "brave search key",
    starts: ["BSA"],
    body: `(?=[A-Za-z0-9])${mixed(28)}`,
    caseSensitive: true,
  },
  { name: "pinecone key", starts: ["pcsk_"], body: "[A-Za-z0-9_]{40,}" },
  { name: "mem0 key", starts: ["m0-"], body: `${irregular}[A-Za-z0-9]{24,}`, caseSensitive: true },
  { name: "zep key", starts: ["z_1dWlkIjoi"], body: "[\\w-]{20,200}\\.[\\w-]{30,}" },
  { name: "composio key", starts: ["ak_", "ck_"], body: mixed(20), caseSensitive: true },
  { name: "arcade key", starts: ["arc_o1"], body: "[A-Za-z0-9]{40,}" },
  { name: "browserbase key", starts: ["bb_live_", "bb_test_"], body: "[\\w-]{27,}" },
  { name: "steel key", starts: ["ste-"], body: "[A-Za-z0-9]{60,}" },
  { name: "browser use key", starts: ["bu_"], body: mixed(43), caseSensitive: true },
  { name: "hyperbrowser key", starts: ["hb_"], body: "[a-f0-9]{28}\\b" },
  { name: "scrapegraph key", starts: ["sgai-"], body: "[a-f0-9-]{36}" },
  { name: "context7 key", starts: ["ctx7sk-"], body: "[a-f0-9-]{36}" },
  { name: "supermemory key", starts: ["sm_"], body: "[A-Za-z0-9]{22}_[A-Za-z0-9]{40,}" },
  { name: "llamacloud key", starts: ["llx-"], body: "[A-Za-z0-9]{40,}" },
  { name: "agentmail key", starts: ["am_"], body: "[a-f0-9]{64}" },
  { name: "v0 key", starts: ["v1:"], body: "(?:team_)?[A-Za-z0-9]{24}:[A-Za-z0-9]{20,}" },
  { name: "daytona key", starts: ["dtn_"], body: "[a-f0-9]{64}" },
  { name: "modal secret", starts: ["as-"], body: `${irregular}[A-Za-z0-9]{22}\\b`, caseSensitive: true },
  { name: "langsmith key", starts: ["lsv2_pt_", "lsv2_sk_"], body: "[a-f0-9]{32}_[a-f0-9]{10}" },
  { name: "weights and biases key", starts: ["wandb_v1_"], body: "\\w{60,}" },
  { name: "logfire token", starts: ["pylf_v"], body: "\\d_[a-z]{2,10}_[A-Za-z0-9]{30,}" },
];
