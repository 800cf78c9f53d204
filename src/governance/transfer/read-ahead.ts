/** How many readings are under way at once: a view of the store does two at a time. */
const atOnce = 2;

/** What readings give, in their order; while one is waited for and used, the next is under way. */
export async function* readAhead<Result>(
  readings: AsyncIterable<() => Promise<Result>>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  for await (const read of readings) {
    const reading = read();
    // Whoever waits for it is told; when one before it failed, nobody waits.
    reading.catch(() => undefined);
    underWay.push(reading);
    if (underWay.length < atOnce) continue;
    const [first] = underWay.splice(0, 1);
    if (first !== undefined) yield await first;
  }
  for (const reading of underWay) yield await reading;
}
