import { answerBody } from "../net/answer-body.ts";

const credentialHeaders = ["authorization", "x-api-key", "x-goog-api-key"] as const;
const longestAnswerBytes = 16_777_216;

interface Guards {
  /** For servers without a key: no header with credentials is sent. */
  readonly withoutCredentials: boolean;
}

/** A fetch that follows no redirects, which could carry the key to another server, and limits the size of answers. */
export function guardedFetch({ withoutCredentials }: Guards): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    if (withoutCredentials) for (const name of credentialHeaders) headers.delete(name);
    const response = await fetch(input, { ...init, headers, redirect: "error" });
    const body = answerBody(response, {
      maxBytes: longestAnswerBytes,
      tooLong: () => new Error(`the answer is longer than ${longestAnswerBytes} bytes`),
      signal: init?.signal ?? undefined,
    });
    const { status, statusText } = response;
    return new Response(body, { status, statusText, headers: response.headers });
  };
}
