interface Bounds {
  readonly maxBytes: number;
  readonly tooLong: () => Error;
  readonly signal: AbortSignal | undefined;
}

/**
 * The body of an answer, up to so many bytes and until the signal ends it. That is not left to the signal of fetch: in
 * Node 20 it no longer reaches the answer of a request with `redirect: "error"` once that request was collected, and
 * one that trickles would be read for ever.
 */
export function answerBody(
  { body }: Response,
  { maxBytes, tooLong, signal }: Bounds,
): ReadableStream<Uint8Array<ArrayBuffer>> | null {
  if (body === null) return null;
  let bytes = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) controller.error(tooLong());
      else controller.enqueue(chunk);
    },
  });
  return body.pipeThrough(counted, signal === undefined ? {} : { signal });
}
