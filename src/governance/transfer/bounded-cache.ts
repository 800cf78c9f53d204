/**
 * Caches lookups by text: neighbouring rows of a file often name the same things. The whole cache is cleared
 * when it is full, so that a large file takes no more memory than a small one.
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
