import { readStoredImage, type StoredImage } from "../../capture/images/stored-image.ts";
import type { ImageEmbeddings } from "../../embedding/images/image-embeddings.ts";
import { isRefusal } from "../../embedding/provider.ts";
import type { Ground } from "../../ground.ts";
import { BackgroundLoop } from "../../jobs/background-loop.ts";
import { backingOff } from "../../jobs/backing-off.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { imagesWithoutVector, storeImageVector } from "./image-vectors.ts";

const lookEveryMs = 5_000;
const batchSize = 20;

/**
 * Makes the vectors of images after they were captured, if the feature is on and a model is installed. The queue
 * consists of all images without a vector of the model, so nothing has to be enqueued, also after a change of the
 * model.
 */
export function imageEmbedder(ground: Ground, images: ImageEmbeddings): BackgroundLoop {
  const run = backingOff(ground, {
    work: async (signal) => {
      if (ground.settings.imageEmbeddings) await embedWaitingImages(ground, images, signal);
    },
    everyMs: lookEveryMs,
    failure: "images wait for their vectors",
  });
  return new BackgroundLoop(run);
}

/** Embeds the images without a vector, one after another, and then stops. Errors: unavailable, provider_failed. */
export async function embedWaitingImages(
  ground: Ground,
  images: ImageEmbeddings,
  signal: AbortSignal,
): Promise<void> {
  const fingerprint = images.model?.fingerprint;
  if (fingerprint === undefined) return;
  while (!signal.aborted) {
    const waiting = await imagesWithoutVector(ground.store.read.sql, fingerprint, batchSize);
    if (waiting.length === 0) return;
    for (const image of waiting) {
      signal.throwIfAborted();
      const vector = await vectorOf(ground, images, image, signal);
      await ground.store.write((tx) =>
        storeImageVector(tx.sql, { ref: image.ref, fingerprint, vector, now: ground.now() }),
      );
    }
  }
}

/** The vector of an image; undefined when it can never be embedded. */
async function vectorOf(
  ground: Ground,
  images: ImageEmbeddings,
  kept: StoredImage,
  signal: AbortSignal,
): Promise<Float32Array | undefined> {
  const image = await readStoredImage(ground, kept);
  if (image === undefined) return undefined;
  try {
    const { content, mime } = image;
    return await images.vectorOf({ kind: "image", content, mime }, { isQuery: false, signal });
  } catch (error) {
    if (!isRefusal(error) && !isMemsvcError(error, "invalid_input")) throw error;
    ground.log("debug", "an image stays without a vector", { image: kept.ref, error: String(error) });
    return undefined;
  }
}
