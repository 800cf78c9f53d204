/** Those of a hundred days of a busy store. */
const mostKept = 10_000;

/**
 * What a model has answered for runs that nobody asked for, or to no use, by the texts that it was asked about, in
 * whatever order. These runs come every few minutes, and find mostly what they found before: asked again, a model
 * would say it in other words, and be paid for that. A daemon that was started anew asks once more.
 */
export class AnsweredQuestions {
  readonly #digests = new Set<string>();

  has(texts: readonly string[]): boolean {
    return this.#digests.has(digestOf(texts));
  }

  add(texts: readonly string[]): void {
    this.#digests.add(digestOf(texts));
    const [oldest] = this.#digests;
    if (oldest !== undefined && this.#digests.size > mostKept) this.#digests.delete(oldest);
  }
}

function digestOf(texts: readonly string[]): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256")
    .update(JSON.stringify([...texts].sort()))
    .digest("base64");
}
