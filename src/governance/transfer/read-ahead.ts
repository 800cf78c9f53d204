/** How many reads run at once: a view of the store runs two at a time. */
const atOnce = 2;

/** The results of reads, in their order; the next read runs while one result is awaited and used. */
export async function* readAhead<Result>(
  readings: AsyncIterable<() => Promise<Result>>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  for await (const read of readings) {
    const reading = read();
    // The error reaches whoever awaits this read. If an earlier read failed, nobody does.
    reading.catch(() => undefined);
    underWay.push(reading);
    if (underWay.length < atOnce) continue;
    const [first] = underWay.splice(0, 1);
    if (first !== undefined) yield await first;
  }
  for (const reading of underWay) yield await reading;
}
