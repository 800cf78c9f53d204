import { keepRecent } from "../keep-recent.ts";

/** About a hundred days of a busy store. */
const mostKept = 10_000;

/**
 * Remembers which groups of texts (in any order) a model was asked about in background runs, even if the answer was of
 * no use. Such runs come every few minutes and mostly find the same texts again: asking again would cost money and only
 * give other words. Kept in memory, so a restarted daemon asks once more.
 */
export class AnsweredQuestions {
  readonly #digests = new Map<string, true>();

  has(texts: readonly string[]): boolean {
    return this.#digests.has(digestOf(texts));
  }

  add(texts: readonly string[]): void {
    keepRecent(this.#digests, digestOf(texts), true, mostKept);
  }

  forget(): void {
    this.#digests.clear();
  }
}

function digestOf(texts: readonly string[]): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256")
    .update(JSON.stringify([...texts].sort()))
    .digest("base64");
}
