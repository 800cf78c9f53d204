import type { Ground } from "../../ground.ts";
import { type DocumentWords, documentWords } from "../../index/documents/document-words.ts";
import { redactValue } from "../../text/redaction/redact.ts";
import type { Image } from "../images/decode.ts";
import { takeImages } from "../images/take.ts";
import type { Writer } from "../sessions/agent-scope.ts";
import { contentHash, importHash } from "./content-hash.ts";
import { observationText } from "./document.ts";
import { type Event, type PickedFields, pickUpFields, toolNameOf } from "./pickup.ts";
import { capStrings } from "./raw-event.ts";
import { type Compressed, compressByRules } from "./rules/compress.ts";
import { librariesOfInput } from "./rules/libraries.ts";

export interface ObserveInput extends Omit<Event, "data">, Writer {
  readonly data?: unknown;
}

/** An event that is ready to be stored: redacted, capped, compressed, its images in their files. */
export interface Arrival {
  readonly event: Event;
  readonly picked: PickedFields;
  readonly compressed: Compressed;
  readonly words: DocumentWords;
  /** Packages that its input imports or installs. */
  readonly libraries: readonly string[];
  readonly images: readonly Image[];
  /** Finds a repeated delivery. */
  readonly hash: string;
  /** Whose a session is that the event brings into being. */
  readonly writer: Writer;
  /** The line of a transcript that the event was read from; undefined for one that a hook sent. */
  readonly importKey: string | undefined;
}

/** Does for an event what needs no transaction. `importKey` names the line that an imported event was read from. */
export async function prepareEvent(
  ground: Ground,
  input: ObserveInput,
  importKey?: string,
): Promise<Arrival> {
  const received = { ...input, data: input.data ?? {} };
  const hash =
    importKey === undefined
      ? contentHash(received, toolNameOf(received))
      : importHash(received.sessionId, importKey);
  const taken = await takeImages(ground, received.data, received.cwd);
  const event = { ...received, data: capStrings(redactValue(taken?.data ?? received.data)) };
  const picked = pickUpFields(event);
  const images = taken?.images ?? [];
  const [image] = images;
  if (image !== undefined) picked.image ??= image.ref;
  const compressed = compressByRules(event, { picked });
  const words = documentWords(observationText(compressed));
  const libraries = librariesOfInput(picked.toolInput);
  const { agentId, defaultAgentId } = input;
  const writer = { agentId, defaultAgentId };
  return { event, picked, compressed, words, images, libraries, hash, writer, importKey };
}
