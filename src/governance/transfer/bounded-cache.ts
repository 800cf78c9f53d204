/**
 * Remembers what was found under a text, for a while: rows of a file that stand together name the same things. All of it
 * is forgotten when it has become much, so that a large file takes no more memory than a small one.
 */
export class BoundedCache<Found> {
  readonly #most: number;
  readonly #known = new Map<string, Found>();

  constructor(most: number) {
    this.#most = most;
  }

  get(text: string): Found | undefined {
    return this.#known.get(text);
  }

  set(text: string, found: Found): void {
    if (this.#known.size >= this.#most) this.#known.clear();
    this.#known.set(text, found);
  }
}
