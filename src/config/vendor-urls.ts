/* Where the vendors' interfaces are unless a setting says otherwise, for language models and embeddings alike. */

export const vendorUrls = {
  openai: "https://api.openai.com/v1",
  minimax: "https://api.minimax.io/v1",
  anthropic: "https://api.anthropic.com",
  gemini: "https://generativelanguage.googleapis.com",
  openrouter: "https://openrouter.ai/api/v1",
  voyage: "https://api.voyageai.com/v1",
  cohere: "https://api.cohere.com/v2",
} as const;
