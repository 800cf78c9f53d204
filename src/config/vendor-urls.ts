/* Base URLs of the vendors' APIs, for language models and embeddings, unless a setting names another. */

export const vendorUrls = {
  openai: "https://api.openai.com/v1",
  minimax: "https://api.minimax.io/v1",
  anthropic: "https://api.anthropic.com",
  gemini: "https://generativelanguage.googleapis.com",
  openrouter: "https://openrouter.ai/api/v1",
  voyage: "https://api.voyageai.com/v1",
  cohere: "https://api.cohere.com/v2",
} as const;
