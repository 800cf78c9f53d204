interface Bounds {
  readonly maxBytes: number;
  readonly tooLong: () => Error;
  readonly signal: AbortSignal | undefined;
}

/**
 * The body of an answer, limited to `maxBytes` and ended by the signal. fetch's own signal does not suffice: in Node 20
 * it no longer affects the body of a request with `redirect: "error"` once the request was garbage-collected, so a body
 * that trickles in would be read forever.
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
