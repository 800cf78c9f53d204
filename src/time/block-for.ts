const never = new Int32Array(new SharedArrayBuffer(4));

/** Blocks this thread, for code that cannot wait in another way. */
export function blockFor(pauseMs: number): void {
  Atomics.wait(never, 0, 0, pauseMs);
}
