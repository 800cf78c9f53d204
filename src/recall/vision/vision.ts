import type { Image } from "../../capture/images/decode.ts";
import { keepWithinQuota } from "../../capture/images/eviction.ts";
import { imageFromBase64, imageFromPath } from "../../capture/images/from-request.ts";
import { countReferences, linkImages, pinImage } from "../../capture/images/links.ts";
import { isImageReference } from "../../capture/images/reference.ts";
import { findImage, readStoredImage, type StoredImage } from "../../capture/images/stored-image.ts";
import { unknownObservation } from "../../capture/observations/observations.ts";
import { timedObservation } from "../../capture/observations/reads/observations-around.ts";
import {
  type AgentFilter,
  type AgentScopes,
  isVisible,
  type ScopeRequest,
} from "../../capture/sessions/agent-scope.ts";
import { featureOff } from "../../config/feature-flag-table.ts";
import type { ImageModel } from "../../embedding/images/choose-image-model.ts";
import type { ImageEmbeddings } from "../../embedding/images/image-embeddings.ts";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { MemsvcError } from "../../operation/errors.ts";
import type { Sql } from "../../store/sql.ts";
import type { Connection } from "../../store/store.ts";
import { imageVector, nearestImages, storeImageVector } from "./image-vectors.ts";
import type { EmbeddedImage, ImageResult } from "./record.ts";

interface ImagePlace {
  /** What a relative path starts from; the server's folder unless given. */
  readonly cwd?: string | undefined;
}

interface ImageSearchInput extends ScopeRequest, ImagePlace {
  readonly queryText?: string | undefined;
  readonly queryImageRef?: string | undefined;
  readonly queryImageBase64?: string | undefined;
  readonly topK: number;
}

interface EmbedImageInput extends ScopeRequest, ImagePlace {
  readonly imageRef: string;
  readonly observationId?: string | undefined;
}

interface Services {
  readonly agents: AgentScopes;
  readonly audit: Audit;
  readonly images: ImageEmbeddings;
}

/** Finds images by what they show. */
export class Vision {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /** Errors: invalid_input, forbidden, not_found, too_large; unavailable, provider_failed. */
  async search(input: ImageSearchInput): Promise<{ results: ImageResult[]; total: number }> {
    const { sql } = this.#ground.store.read;
    const agents = await this.#services.agents.reader(sql, input);
    const model = this.#model();
    const vector = await this.#question(input, agents, model);
    const { topK, sessionId } = input;
    const { fingerprint } = model;
    return nearestImages(sql, { vector, fingerprint, topK, agents, sessionId });
  }

  /** Errors: invalid_input, forbidden, not_found, too_large; unavailable, provider_failed. */
  async embed(input: EmbedImageInput): Promise<EmbeddedImage> {
    const { read } = this.#ground.store;
    const agents = await this.#services.agents.reader(read.sql, input);
    const { dimensions, fingerprint } = this.#model();
    await checkObservation(read, input, agents);
    const image = isImageReference(input.imageRef)
      ? await this.#content(await this.#kept(input.imageRef, agents))
      : await imageFromPath(this.#ground, input.imageRef, input.cwd);
    this.#checkRoom(image);
    const { ref } = image;
    const isKnown = await hasVector(read.sql, ref, fingerprint, agents);
    const made = isKnown ? undefined : { fingerprint, vector: await this.#vectorOf(image) };
    const embedded = await this.#store(input, agents, image, made);
    await keepWithinQuota(this.#ground);
    return { imageRef: ref, dimensions, embedded };
  }

  /**
   * Stores, in one transaction, the image, its link, its vector and, if anything is new, an audit entry. Returns
   * whether the vector is new; another request may have stored it meanwhile.
   */
  async #store(
    input: EmbedImageInput,
    agents: AgentFilter,
    image: Image,
    made: { readonly fingerprint: string; readonly vector: Float32Array } | undefined,
  ): Promise<boolean> {
    const { ref } = image;
    const { sessionId, observationId } = input;
    return this.#ground.store.write(async (tx) => {
      await checkObservation(tx, input, agents);
      const embedded = made !== undefined && !(await hasVector(tx.sql, ref, made.fingerprint, agents));
      const agentId = await this.#services.agents.writer(tx.sql, input);
      const before = await countReferences(tx.sql, ref);
      if (observationId !== undefined) await linkImages(tx, this.#ground, observationId, [image]);
      else if (sessionId !== undefined || !isImageReference(input.imageRef))
        await pinImage(tx, this.#ground, image, { sessionId, agentId });
      if (embedded) await storeImageVector(tx.sql, { ref, ...made, now: this.#ground.now() });
      if (!embedded && (await countReferences(tx.sql, ref)) === before) return embedded;
      await this.#services.audit.record(tx, {
        operation: "vision_embed",
        functionId: "vision.embed",
        targetIds: [ref],
        details: { embedded, sessionId, observationId },
        agentId,
      });
      return embedded;
    });
  }

  async #question(
    { queryText, queryImageRef, queryImageBase64, cwd }: ImageSearchInput,
    agents: AgentFilter,
    { fingerprint }: ImageModel,
  ): Promise<Float32Array> {
    if (queryText !== undefined)
      return this.#services.images.vectorOf({ kind: "text", text: queryText }, { isQuery: true });
    if (queryImageBase64 !== undefined) return this.#vectorOf(imageFromBase64(queryImageBase64));
    const named = queryImageRef ?? "";
    if (!isImageReference(named)) return this.#vectorOf(await imageFromPath(this.#ground, named, cwd));
    const kept = await this.#kept(named, agents);
    const stored = await imageVector(this.#ground.store.read.sql, kept.ref, fingerprint);
    return stored ?? this.#vectorOf(await this.#content(kept));
  }

  /** Error: too_large for an image larger than the whole image store, which would be evicted at once. */
  #checkRoom({ content }: Image): void {
    const { imageStoreMaxBytes } = this.#ground.settings;
    if (content.length <= imageStoreMaxBytes) return;
    const message = `the image has ${content.length} bytes; MEMSVC_IMAGE_STORE_MAX_BYTES allows ${imageStoreMaxBytes} for all`;
    throw new MemsvcError("too_large", message, { hint: "allow more, and restart the daemon" });
  }

  #vectorOf({ content, mime }: Image): Promise<Float32Array> {
    return this.#services.images.vectorOf({ kind: "image", content, mime }, { isQuery: true });
  }

  async #kept(ref: string, agents: AgentFilter): Promise<StoredImage> {
    const kept = await findImage(this.#ground.store.read.sql, ref, agents);
    if (kept === undefined) throw unknownImage(ref);
    return kept;
  }

  async #content(kept: StoredImage): Promise<Image> {
    const image = await readStoredImage(this.#ground, kept);
    if (image === undefined) throw unknownImage(kept.ref);
    return image;
  }

  #model(): ImageModel {
    const { model } = this.#services.images;
    if (model === undefined) throw featureOff("MEMSVC_IMAGE_EMBEDDINGS");
    return model;
  }
}

/** Whether an image that the agent may see has a vector. It must not show that another agent has the same image. */
async function hasVector(sql: Sql, ref: string, fingerprint: string, agents: AgentFilter): Promise<boolean> {
  const isTheirs = (await findImage(sql, ref, agents)) !== undefined;
  return isTheirs && (await imageVector(sql, ref, fingerprint)) !== undefined;
}

/** Error: not_found for an observation that is not there, or of another session or agent than is said. */
async function checkObservation(
  connection: Connection,
  { observationId, sessionId }: EmbedImageInput,
  agents: AgentFilter,
): Promise<void> {
  if (observationId === undefined) return;
  const found = await timedObservation(connection, observationId);
  const isTheirs = found !== undefined && isVisible(agents, found.agentId);
  if (!isTheirs || (sessionId !== undefined && found.observation.sessionId !== sessionId))
    throw unknownObservation(observationId);
}

function unknownImage(ref: string): MemsvcError {
  return new MemsvcError("not_found", `image ${ref} is not known`, {
    hint: "it may have been deleted to make room for newer ones; give the path of a file instead",
  });
}
