import * as z from "zod";
import { geminiDimensions, type VendorName } from "./endpoint.ts";

export type TextKind = "document" | "query";

export interface VendorRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

interface Asked {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly model: string;
  /** Dimensions to request; undefined for the model's default. */
  readonly dimensions: number | undefined;
  readonly texts: readonly string[];
  readonly kind: TextKind;
}

/** How one vendor is asked and how it answers. */
interface Vendor {
  /** Most texts of one request. */
  readonly maxBatch: number;
  readonly request: (asked: Asked) => VendorRequest;
  /** The vectors in the order of the texts; throws when the answer has another shape. */
  readonly vectors: (answer: unknown) => readonly (readonly number[])[];
}

const Numbers = z.custom<readonly number[]>(
  (value) => Array.isArray(value) && value.every((number) => Number.isFinite(number)),
);
const IndexedAnswer = z.object({
  data: z.array(z.object({ index: z.number().int().optional(), embedding: Numbers })),
});
const CohereAnswer = z.object({ embeddings: z.object({ float: z.array(Numbers) }) });
const GeminiAnswer = z.object({ embeddings: z.array(z.object({ values: Numbers })) });

function bearer(apiKey: string | undefined): Record<string, string> {
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
}

/**
 * Vectors in the order of their index. Servers that give no index, or the same for all, answer in the order of the
 * texts.
 */
function inOrder(answer: unknown): readonly (readonly number[])[] {
  const { data } = IndexedAnswer.parse(answer);
  const places = new Set(data.map(({ index }) => index));
  const isTold = places.size > 1;
  if (isTold && (places.size < data.length || places.has(undefined)))
    throw new Error("two vectors claim to be of the same text");
  const ordered = isTold ? data.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)) : data;
  return ordered.map(({ embedding }) => embedding);
}

/** The API of OpenAI, which most model servers implement. */
const openaiLike: Vendor = {
  maxBatch: 2048,
  request: ({ baseUrl, apiKey, model, dimensions, texts }) => ({
    url: `${baseUrl}/embeddings`,
    headers: bearer(apiKey),
    body: {
      model,
      input: texts,
      encoding_format: "float",
      dimensions,
    },
  }),
  vectors: inOrder,
};

export const vendors: Readonly<Record<VendorName, Vendor>> = {
  openai: openaiLike,
  openrouter: openaiLike,
  voyage: {
    maxBatch: 1000,
    request: ({ baseUrl, apiKey, model, dimensions, texts, kind }) => ({
      url: `${baseUrl}/embeddings`,
      headers: bearer(apiKey),
      body: {
        model,
        input: texts,
        input_type: kind,
        output_dimension: dimensions,
      },
    }),
    vectors: inOrder,
  },
  cohere: {
    maxBatch: 96,
    request: ({ baseUrl, apiKey, model, dimensions, texts, kind }) => ({
      url: `${baseUrl}/embed`,
      headers: bearer(apiKey),
      body: {
        model,
        texts,
        input_type: kind === "query" ? "search_query" : "search_document",
        embedding_types: ["float"],
        truncate: "END",
        output_dimension: dimensions,
      },
    }),
    vectors: (answer) => CohereAnswer.parse(answer).embeddings.float,
  },
  gemini: {
    maxBatch: 100,
    request: ({ baseUrl, apiKey, model, dimensions, texts, kind }) => ({
      url: `${baseUrl}/v1beta/models/${encodeURIComponent(model)}:batchEmbedContents`,
      headers: apiKey === undefined ? {} : { "x-goog-api-key": apiKey },
      body: {
        requests: texts.map((text) => ({
          model: `models/${model}`,
          content: { parts: [{ text }] },
          taskType: kind === "query" ? "RETRIEVAL_QUERY" : "RETRIEVAL_DOCUMENT",
          outputDimensionality: dimensions ?? geminiDimensions,
        })),
      },
    }),
    vectors: (answer) => GeminiAnswer.parse(answer).embeddings.map(({ values }) => values),
  },
};
