import type { Ground } from "../../ground.ts";
import type { Memories } from "../../knowledge/memories/memories.ts";
import { dueForAccess, recordAccess } from "../../knowledge/memories/strength/access-log.ts";
import type { Transaction } from "../../store/store.ts";

const noteAfterMs = 250;

/** A record that a search returned. */
interface HandedOut {
  readonly kind: string;
  readonly ref: string;
}

interface Services {
  readonly memories: Memories;
}

/** Records, after the answer, which memories were recalled and which observations were accessed. */
export class RecallNotes {
  readonly #ground: Ground;
  readonly #services: Services;
  readonly #noting = new Set<Promise<void>>();
  /** Records that were returned and are not noted yet, by kind and id. */
  readonly #waiting = new Map<string, HandedOut>();
  #noteNow: () => void = () => undefined;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /**
   * Notes the returned records, without delaying the answer; a failure is only logged. Searches come in bursts, and a
   * commit costs more than a search, so records returned within a short time are noted together.
   */
  handedOut(hits: readonly HandedOut[]): void {
    if (hits.length === 0) return;
    const isAwaited = this.#waiting.size > 0;
    for (const { kind, ref } of hits) this.#waiting.set(`${kind} ${ref}`, { kind, ref });
    if (isAwaited) return;
    this.afterAnswer("recall was not recorded", async () => {
      await new Promise<void>((resolve) => {
        this.#noteNow = resolve;
        setTimeout(resolve, noteAfterMs).unref();
      });
      const noted = [...this.#waiting.values()];
      this.#waiting.clear();
      await this.#note(noted);
    });
  }

  /** Does bookkeeping without delaying the answer; a failure is only logged. */
  afterAnswer(complaint: string, work: () => Promise<void>): void {
    const noted = work()
      .catch((error: unknown) => this.#ground.log("warn", complaint, { error: String(error) }))
      .finally(() => this.#noting.delete(noted));
    this.#noting.add(noted);
  }

  /** Writes pending notes now, and waits for all that are being written. */
  async settled(): Promise<void> {
    this.#noteNow();
    await Promise.all(this.#noting);
  }

  /** Most found records were already found within the last hour; then there is nothing to write. */
  async #note(hits: readonly HandedOut[]): Promise<void> {
    const { store, now } = this.#ground;
    if (store.isReadOnly) return;
    const refs = hits.filter(({ kind }) => kind !== "lesson").map(({ ref }) => ref);
    const due = new Set(await dueForAccess(store.read.sql, refs, now()));
    if (due.size === 0) return;
    const dueOf = (kind: string) =>
      hits.filter((hit) => hit.kind === kind && due.has(hit.ref)).map(({ ref }) => ref);
    const note = async (tx: Transaction) => {
      await this.#services.memories.recalled(tx, dueOf("memory"));
      await recordAccess(tx, dueOf("observation"), now());
    };
    await store.write(note, { dispensable: true });
  }
}
