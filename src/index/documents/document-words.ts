import { scanText } from "../../text/tokens.ts";
import { encodeForward } from "../words/forward.ts";

/** The texts of a document that are indexed. */
export interface DocumentText {
  readonly title: string;
  readonly concepts: readonly string[];
  readonly files: readonly string[];
  readonly body: string;
}

/** The words of a document in the forms in which they are stored. */
export interface DocumentWords {
  /** Term frequencies: see forward.ts. */
  readonly forward: Uint8Array;
  /** The index tokens of title, concepts, files and body, each joined by blanks. */
  readonly fields: readonly string[];
  /** The distinct stop words of all fields. */
  readonly stops: readonly string[];
}

/** Finds the words of a document. Needs no database, so a writer can call it before its transaction. */
export function documentWords(text: DocumentText): DocumentWords {
  const title = scanText(text.title);
  const concepts = scanText(text.concepts.join("\n"));
  const files = scanText(text.files.join("\n"));
  const body = scanText(text.body);
  const fields = [title, concepts, files, body];
  const stops = new Set(fields.flatMap((field) => field.stops));
  const forward = encodeForward(
    { title: title.tokens, concepts: concepts.tokens, files: files.tokens, body: body.tokens },
    stops,
  );
  return { forward, fields: fields.map(({ tokens }) => tokens.join(" ")), stops: [...stops] };
}
