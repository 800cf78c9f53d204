import * as z from "zod";
import { TimeText } from "../../operation/fields.ts";

export const ImageResult = z
  .object({
    imageRef: z.string().describe("SHA-256 of the image's bytes, in hex"),
    score: z.number().describe("cosine between the image and what was asked for, -1 to 1"),
    sessionId: z.string().optional().describe("session that it was last used in"),
    observationId: z.string().optional().describe("observation that it last came with"),
    updatedAt: TimeText.describe("when its vector was made"),
  })
  .meta({ id: "ImageResult" });
export type ImageResult = z.infer<typeof ImageResult>;

export const EmbeddedImage = z.object({
  imageRef: z.string().describe("SHA-256 of the image's bytes, in hex"),
  dimensions: z.number().int().describe("length of its vector"),
  embedded: z.boolean().describe("false when it already had a vector"),
});
export type EmbeddedImage = z.infer<typeof EmbeddedImage>;
