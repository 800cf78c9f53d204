/** The JSON text of a body, for callers of `runOnBody` operations that hold it as a value. */
export async function* bodyText(body: unknown): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(JSON.stringify(body));
}
