const credentialHeaders = ["authorization", "x-api-key", "x-goog-api-key"] as const;
const longestAnswerBytes = 16_777_216;

interface Guards {
  /** Servers that are asked without a key get no header for one. */
  readonly withoutCredentials: boolean;
}

/** fetch that follows no redirect, which could carry a key elsewhere, and reads no answer without end. */
export function guardedFetch({ withoutCredentials }: Guards): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    if (withoutCredentials) for (const name of credentialHeaders) headers.delete(name);
    const response = await fetch(input, { ...init, headers, redirect: "error" });
    const { body, status, statusText } = response;
    return new Response(body === null ? null : body.pipeThrough(limited(longestAnswerBytes)), {
      status,
      statusText,
      headers: response.headers,
    });
  };
}

function limited(maxBytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) controller.error(new Error(`the answer is longer than ${maxBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
