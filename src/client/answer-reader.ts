import type { WireAnswer } from "./http-call.ts";
import { connectionResetError } from "./request-errors.ts";

/*
 * Reads one HTTP/1.1 answer from a connection that is used once. The length of the body is given by Content-Length, by
 * chunks, or by the end of the connection; interim answers (1xx) are skipped.
 */

interface AnswerReader {
  /** Processes received bytes; returns the answer once it is complete. */
  take(bytes: Buffer): WireAnswer | undefined;
  /** Processes the end of the connection; throws if the answer is incomplete. */
  end(): WireAnswer;
}

interface AnswerHead {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

/** Collects the body of an answer. */
interface Body {
  readonly pieces: Buffer[];
  /** Adds bytes; returns whether the body is complete. */
  take(bytes: Buffer): boolean;
  readonly endsWithConnection: boolean;
}

/** node:http allows as much; more than any answer needs. */
const longestHeadBytes = 65_536;
const nothing = Buffer.alloc(0);

export function answerReader(): AnswerReader {
  let unread: Buffer = nothing;
  let answer: (AnswerHead & { readonly body: Body }) | undefined;
  const text = ({ status, headers, body }: NonNullable<typeof answer>): WireAnswer => ({
    status,
    body: Buffer.concat(body.pieces).toString("utf8"),
    headers: Object.fromEntries(headers),
  });
  return {
    take: (bytes) => {
      if (answer !== undefined) return answer.body.take(bytes) ? text(answer) : undefined;
      unread = joined(unread, bytes);
      for (let end = headEnd(unread); end !== undefined; end = headEnd(unread)) {
        const { status, headers } = readHead(unread.toString("latin1", 0, end));
        unread = unread.subarray(end + 4);
        if (status < 200) continue;
        answer = { status, headers, body: bodyOf(status, headers) };
        return answer.body.take(unread) ? text(answer) : undefined;
      }
      return undefined;
    },
    end: () => {
      if (answer?.body.endsWithConnection !== true) throw connectionResetError();
      return text(answer);
    },
  };
}

function headEnd(bytes: Buffer): number | undefined {
  const end = bytes.indexOf("\r\n\r\n", 0, "latin1");
  if (Math.max(end, end < 0 ? bytes.length : 0) > longestHeadBytes)
    throw new Error("the answer's head is too long");
  return end < 0 ? undefined : end;
}

function readHead(head: string): AnswerHead {
  const [statusLine = "", ...lines] = head.split("\r\n");
  const [, status] = /^HTTP\/1\.[01] (\d{3})(?: |$)/u.exec(statusLine) ?? [];
  if (status === undefined || status === "101") throw new Error("what answers does not speak HTTP/1.1");
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon <= 0) throw new Error("a header of the answer has no name");
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return { status: Number(status), headers };
}

function bodyOf(status: number, headers: ReadonlyMap<string, string>): Body {
  if (status === 204 || status === 304) return sizedBody(0);
  const encoding = headers.get("transfer-encoding")?.toLowerCase();
  if (encoding === "chunked") return chunkedBody();
  if (encoding !== undefined) throw new Error("the answer's transfer encoding is not known");
  const length = headers.get("content-length");
  if (length === undefined) return openBody();
  if (!/^\d{1,15}$/u.test(length)) throw new Error("the answer's length is no number");
  return sizedBody(Number(length));
}

function sizedBody(lengthBytes: number): Body {
  const pieces: Buffer[] = [];
  let missing = lengthBytes;
  return {
    pieces,
    endsWithConnection: false,
    take: (bytes) => {
      const piece = bytes.subarray(0, missing);
      pieces.push(piece);
      missing -= piece.length;
      return missing === 0;
    },
  };
}

function openBody(): Body {
  const pieces: Buffer[] = [];
  return {
    pieces,
    endsWithConnection: true,
    take: (bytes) => {
      pieces.push(bytes);
      return false;
    },
  };
}

/**
 * Chunks have the form `<size in hex>[;extension]\r\n<bytes>\r\n`; after one of size 0 follow trailers and an empty
 * line.
 */
function chunkedBody(): Body {
  const pieces: Buffer[] = [];
  let unread: Buffer = nothing;
  let expected: "size" | "bytes" | "trailer" = "size";
  let missing = 0;
  const nextLine = (): string | undefined => {
    const end = unread.indexOf("\r\n", 0, "latin1");
    if (end < 0 && unread.length > longestHeadBytes) throw new Error("a line of the answer is too long");
    if (end < 0) return undefined;
    const line = unread.toString("latin1", 0, end);
    unread = unread.subarray(end + 2);
    return line;
  };
  return {
    pieces,
    endsWithConnection: false,
    take: (bytes) => {
      unread = joined(unread, bytes);
      for (;;) {
        if (expected === "bytes") {
          const piece = unread.subarray(0, missing);
          pieces.push(piece);
          missing -= piece.length;
          unread = unread.subarray(piece.length);
          if (missing > 0) return false;
        }
        const line = nextLine();
        if (line === undefined) return false;
        if (expected === "size") {
          missing = chunkSize(line);
          expected = missing === 0 ? "trailer" : "bytes";
        } else if (expected === "trailer") {
          if (line === "") return true;
        } else {
          // All bytes of the chunk are read: only the end of its line follows.
          if (line !== "") throw new Error("a chunk of the answer is longer than it says");
          expected = "size";
        }
      }
    },
  };
}

function chunkSize(line: string): number {
  const [, size] = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/iu.exec(line) ?? [];
  if (size === undefined) throw new Error("a chunk of the answer has no size");
  return Number.parseInt(size, 16);
}

function joined(first: Buffer, second: Buffer): Buffer {
  return first.length === 0 ? second : Buffer.concat([first, second]);
}
