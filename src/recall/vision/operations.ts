import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { Id, limit, Path, scopeFields, str } from "../../operation/fields.ts";
import { EmbeddedImage, ImageResult } from "./record.ts";

const questions = ["queryText", "queryImageRef", "queryImageBase64"] as const;

export const searchImages = defineOperation({
  id: "vision.search",
  functionId: "vision.search",
  summary: "Search images by what they show, or by a similar image",
  http: { method: "POST", path: "/vision-search", success: 200 },
  cli: {
    command: "vision search [queryText...]",
    flags: { queryImageRef: "image", queryImageBase64: "image-base64", sessionId: "session" },
    examples: [
      "memsvc vision search a login form with an error",
      "memsvc vision search --image screenshot.png --top-k 3",
    ],
  },
  mcp: {
    tool: "memory_vision_search",
    effects: "read",
    title: "Search images",
    description:
      "Search captured images by what they show, or by a similar image; give exactly one of the three. Use it to find a screenshot or diagram seen before.",
    arguments: {
      queryText: true,
      queryImageRef: { description: "SHA-256 of a stored image, or the absolute path of an image" },
      queryImageBase64: true,
      topK: true,
      sessionId: true,
    },
  },
  hits: "results",
  input: z
    .object({
      queryText: str(1_000).optional().describe("what the images show"),
      queryImageRef: Path.optional().describe("SHA-256 of a stored image, or the path of an image"),
      queryImageBase64: z
        .string()
        .min(1)
        .optional()
        .describe("an image as base64 or as a data URL, at most 10 MiB"),
      topK: limit(10, 50).describe("maximum number of images, at most 50"),
      sessionId: Id.optional().describe("only images of this session"),
      ...scopeFields,
    })
    .refine((input) => questions.filter((name) => input[name] !== undefined).length === 1, {
      message: "exactly one of queryText, queryImageRef and queryImageBase64 is needed",
    }),
  output: z.object({
    results: z.array(ImageResult).describe("most similar first"),
    total: z.number().int().describe("images that were compared"),
  }),
  errors: ["invalid_input", "forbidden", "not_found", "too_large", "provider_failed", "unavailable"],
  features: ["MEMSVC_IMAGE_EMBEDDINGS"],
  run: (core, input, { cwd }) => core.vision.search({ ...input, cwd }),
});

export const embedImage = defineOperation({
  id: "vision.embed",
  functionId: "vision.embed",
  summary: "Make an image searchable; an image given by its path is stored first",
  http: { method: "POST", path: "/vision-embed", success: 200 },
  cli: {
    command: "vision embed <imageRef>",
    flags: { sessionId: "session", observationId: "observation" },
    examples: [
      "memsvc vision embed docs/architecture.png",
      "memsvc vision embed design.webp --session my-session --json",
    ],
  },
  input: z.object({
    imageRef: Path.describe("SHA-256 of a stored image, or the path of a PNG, JPEG or WebP file"),
    sessionId: Id.optional().describe("session that it belongs to"),
    observationId: Id.optional().describe("observation that it belongs to"),
    ...scopeFields,
  }),
  output: EmbeddedImage,
  errors: ["invalid_input", "forbidden", "not_found", "too_large", "provider_failed", "unavailable"],
  features: ["MEMSVC_IMAGE_EMBEDDINGS"],
  run: (core, input, { cwd }) => core.vision.embed({ ...input, cwd }),
});

export const visionOperations = [searchImages, embedImage];
