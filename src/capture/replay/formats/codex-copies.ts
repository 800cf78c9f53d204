import { parseTime } from "../../../operation/fields.ts";
import { type Fields, objectOf, textOf } from "../transcript-line.ts";

/*
 * The transcript of a fork or a sub-agent of Codex may begin with a copy of the one that it comes from: after its own
 * first line the first lines of that one and of those before it, and then all of their lines, with the time of the copy
 * instead of their own. Ids of threads and turns are UUIDs of version 7, which sort by time: a turn with an id before
 * that of its thread was copied. Older versions name no turns; a copy is written in milliseconds, and a turn of the
 * thread's own begins when its model or its user has thought.
 */

const shortestThoughtMs = 1_000;
const version7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

export class CodexCopies {
  readonly #own: string;
  /** The thread that was copied. Undefined if none was. */
  #origin: string | undefined;
  #isCopying = false;
  #lastTime = Number.POSITIVE_INFINITY;

  /** `own` is the id of the thread that the transcript belongs to. */
  constructor(own: string) {
    this.#own = own;
  }

  /** The thread that a line, which is read in its turn, was copied from; undefined if it is the thread's own. */
  originOf({ type, payload, timestamp }: Fields): string | undefined {
    const time = parseTime(textOf(timestamp)) ?? this.#lastTime;
    const { id, turn_id: turn } = objectOf(payload);
    if (type === "session_meta") {
      this.#isCopying = id !== this.#own;
      if (this.#isCopying) this.#origin ??= textOf(id);
    } else if (version7.test(textOf(turn)) && version7.test(this.#own)) {
      this.#isCopying = this.#origin !== undefined && textOf(turn) < this.#own;
    } else if (time - this.#lastTime > shortestThoughtMs) this.#isCopying = false;
    this.#lastTime = time;
    return this.#isCopying ? this.#origin : undefined;
  }
}
