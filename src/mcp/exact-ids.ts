/*
 * Parsing JSON rounds whole numbers beyond 2^53, but an answer must carry the id of its request as it was sent, and
 * some programs number their requests by nanoseconds. So such an id is read as a text that stands for it, and written
 * as the number again.
 */

/** Begins the texts; no program begins an id with this control character. */
const mark = "\u0002exact id ";
const writtenMark = JSON.stringify(mark).slice(1, -1).replaceAll("\\", "\\\\");

const mayHoldLongId = /"(?:id|requestId)"\s*:\s*-?[1-9]\d{15}/u;
const longId = /^(\s*:\s*)(-?[1-9]\d{15,})(?=\s*(?:,|$))/u;
/** An escaped character, a quote, a bracket, or what is between them. */
const piece = /\\.|["{}[\]]|[^"\\{}[\]]+/gsu;
const standIn = new RegExp(`"id":"${writtenMark}(-?\\d+)"`, "gu");

/** The JSON text of a message, or of several, with a text in place of each of their ids that parsing would round. */
export function withReadableIds(json: string): string {
  if (!mayHoldLongId.test(json)) return json;
  const depthOfMessages = /^\s*\[/u.test(json) ? 2 : 1;
  let depth = 0;
  let stringAt: number | undefined;
  let before = "";
  return json.replace(piece, (one, at: number) => {
    if (one === '"') {
      before = stringAt === undefined ? "" : json.slice(stringAt, at + 1);
      stringAt = stringAt === undefined ? at : undefined;
      return one;
    }
    if (stringAt !== undefined) return one;
    // A cancellation names the request in its parameters.
    const named = { '"id"': depthOfMessages, '"requestId"': depthOfMessages + 1 }[before];
    const isOfId = named === depth;
    before = "";
    if (one === "{" || one === "[") depth += 1;
    if (one === "}" || one === "]") depth -= 1;
    return isOfId ? one.replace(longId, readable) : one;
  });
}

/** The JSON text of an answer, or of several, with the ids as they were sent. */
export function withExactIds(json: string): string {
  return json.replace(standIn, '"id":$1');
}

function readable(all: string, colon: string, digits: string): string {
  return Number.isSafeInteger(Number(digits)) ? all : colon + JSON.stringify(mark + digits);
}
