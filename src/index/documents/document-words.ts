import { scanText } from "../../text/tokens.ts";
import { encodeForward } from "../words/forward.ts";

/** The texts of a document, in which its words are found. */
export interface DocumentText {
  readonly title: string;
  readonly concepts: readonly string[];
  readonly files: readonly string[];
  readonly body: string;
}

/** The words of a document's texts as they are stored. */
export interface DocumentWords {
  /** Term frequencies: see forward.ts. */
  readonly forward: Uint8Array;
  /** Tokens joined by blanks: title, concepts, files, body. */
  readonly fields: readonly string[];
  /** Words that searches leave out. */
  readonly stops: readonly string[];
}

/** Finds the words of a document. It needs no database, so that a writer can do it before its transaction. */
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
