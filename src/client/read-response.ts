import type { IncomingMessage } from "node:http";
import type { WireAnswer } from "./http-call.ts";

/** Reads an answer of Node's HTTP client to its end. */
export async function readResponse(response: IncomingMessage): Promise<WireAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(Buffer.from(chunk));
  return {
    status: response.statusCode ?? 0,
    body: Buffer.concat(chunks).toString("utf8"),
    headers: response.headers,
  };
}
