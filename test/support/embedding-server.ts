import type { IncomingMessage, ServerResponse } from "node:http";
import { openPeerServer } from "./peer-server.ts";

/** A request that the embedding server received. */
export interface AskedOfServer {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown>;
}

export interface EmbeddingServer {
  readonly url: string;
  readonly asked: readonly AskedOfServer[];
  /** Answers that the next requests get instead of vectors, one each. */
  misbehave(...answers: readonly Misbehaviour[]): void;
  close(): Promise<void>;
}

export type Misbehaviour = (response: ServerResponse, asked: AskedOfServer) => void;

export const serverDimensions = 24;

/** A vector made of a text's words, so that texts that share words are similar. */
export function vectorOfWords(text: string, dimensions = serverDimensions): number[] {
  const sum = new Array<number>(dimensions).fill(0.001);
  for (const word of text.toLowerCase().match(/\w+/gu) ?? []) {
    let state = 17;
    for (const letter of word) state = Math.imul(state ^ letter.charCodeAt(0), 0x9e3779b1) >>> 0;
    for (let index = 0; index < dimensions; index += 1) {
      state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + index) >>> 0;
      sum[index] = (sum[index] ?? 0) + state / 2_147_483_648 - 1;
    }
  }
  return sum;
}

/** Opens a server on this machine that implements the embedding APIs of all vendors, and misbehaves when told to. */
export async function openEmbeddingServer(): Promise<EmbeddingServer> {
  const asked: AskedOfServer[] = [];
  const waiting: Misbehaviour[] = [];
  const { url, close } = await openPeerServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
      const one = { path: request.url ?? "", headers: request.headers, body };
      asked.push(one);
      const misbehaviour = waiting.shift();
      if (misbehaviour !== undefined) misbehaviour(response, one);
      else answer(response, answerTo(one));
    });
  });
  return {
    url,
    asked,
    misbehave: (...answers) => waiting.push(...answers),
    close,
  };
}

export function answer(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** A misbehaviour: answers with a status code and headers. */
export function status(code: number, headers: Readonly<Record<string, string>> = {}): Misbehaviour {
  return (response) => {
    response.writeHead(code, headers);
    response.end("no");
  };
}

interface GeminiRequest {
  readonly content: { readonly parts: readonly { readonly text: string }[] };
  readonly outputDimensionality?: number;
}

function answerTo({ path, body }: AskedOfServer): unknown {
  if (path.endsWith(":batchEmbedContents")) {
    const requests = body.requests as GeminiRequest[];
    return {
      embeddings: requests.map(({ content, outputDimensionality }) => ({
        values: vectorOfWords(content.parts[0]?.text ?? "", outputDimensionality),
      })),
    };
  }
  const dimensions = (body.dimensions ?? body.output_dimension) as number | undefined;
  if (path.endsWith("/embed")) {
    const texts = body.texts as string[];
    return { embeddings: { float: texts.map((text) => vectorOfWords(text, dimensions)) } };
  }
  const input = body.input as string[];
  // In reverse order, as the API allows.
  const data = input.map((text, index) => ({ index, embedding: vectorOfWords(text, dimensions) })).reverse();
  return { data };
}
