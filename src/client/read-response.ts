import type { IncomingMessage } from "node:http";
import { hintHeader } from "../operation/hint-header.ts";
import type { WireAnswer } from "./http-call.ts";

/** Reads an answer of Node's HTTP client to its end. */
export async function readResponse(response: IncomingMessage): Promise<WireAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(Buffer.from(chunk));
  const hint = response.headers[hintHeader.toLowerCase()];
  return {
    status: response.statusCode ?? 0,
    body: Buffer.concat(chunks).toString("utf8"),
    hintHeader: typeof hint === "string" ? hint : undefined,
  };
}
