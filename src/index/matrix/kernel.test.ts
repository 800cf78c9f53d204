import fc from "fast-check";
import { expect, test } from "vitest";
import { javaScriptKernel, type Kernel, webAssemblyKernel } from "./kernel.ts";
import { dotBoundsOf, largestValue, queryParts, splitIntoPlanes, withMixtures } from "./planes.ts";
import { headerBytes, rowHeader } from "./row-header.ts";

interface Row {
  readonly vector: readonly number[];
  readonly scale: number;
  readonly along: number;
  readonly class: number;
  readonly createdAt: number;
  readonly hiddenAfter: number;
}

interface Asked {
  readonly query: readonly number[];
  readonly allowed: readonly number[];
  readonly now: number;
  readonly since: number;
  readonly until: number;
  readonly floor: number;
  readonly tilt: number;
}

/** Documents and scores, alternating, that a kernel finds; a row's document is its number. */
function scanned(kernel: Kernel, rows: readonly Row[], { query, allowed, ...test }: Asked): number[] {
  const planeBytes = query.length / 2;
  const [allowedAt, headers] = [2_048, 4_096];
  const coarse = headers + headerBytes * rows.length;
  const fine = coarse + planeBytes * rows.length;
  const out = fine + planeBytes * rows.length;
  kernel.grow(out + 16 * rows.length);
  const asked = Int16Array.from(query);
  new Int16Array(kernel.bytes, 0, queryParts * query.length).set(withMixtures(asked));
  new Uint8Array(kernel.bytes, allowedAt, allowed.length).set(allowed);
  rows.forEach((row, number) => {
    const header = new DataView(kernel.bytes, headers + headerBytes * number, headerBytes);
    header.setFloat32(rowHeader.scale, row.scale, true);
    header.setUint32(rowHeader.class, row.class, true);
    header.setFloat64(rowHeader.document, number, true);
    header.setFloat64(rowHeader.createdAt, row.createdAt, true);
    header.setFloat64(rowHeader.hiddenAfter, row.hiddenAfter, true);
    header.setFloat32(rowHeader.along, row.along, true);
    const planeRow = (plane: number) =>
      new Uint16Array(kernel.bytes, plane + planeBytes * number, planeBytes / 2);
    splitIntoPlanes(Int8Array.from(row.vector), planeRow(coarse), planeRow(fine));
  });
  const found = kernel.scan(
    { headers, count: rows.length, coarse, fine, planeBytes },
    { query: 0, bounds: dotBoundsOf(asked), allowed: allowedAt, out, ...test },
  );
  return [...new Float64Array(kernel.bytes, out, 2 * found)];
}

/** The expected result of a scan, computed from its definition. */
function expected(rows: readonly Row[], { query, allowed, now, since, until, floor, tilt }: Asked): number[] {
  return rows.flatMap((row, number) => {
    const dot = row.vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0);
    const beside = Math.fround(Math.fround(dot) * Math.fround(row.scale));
    const score = Math.fround(beside + Math.fround(Math.fround(row.along) * tilt));
    const isInTime = row.createdAt >= since && row.createdAt <= until && row.hiddenAfter > now;
    return allowed[row.class] === 1 && isInTime && score >= floor ? [number, score] : [];
  });
}

const step = fc.integer({ min: -largestValue, max: largestValue });
const time = fc.integer({ min: 0, max: 9 });
const given = fc.integer({ min: 1, max: 6 }).chain((packs) => {
  const values = fc.array(step, { minLength: 32 * packs, maxLength: 32 * packs });
  const row = fc.record({
    vector: values,
    scale: fc.constantFrom(0.001, 0.5, 1, Number.NaN),
    along: fc.constantFrom(0, 0.3, -1, Number.NaN),
    class: fc.nat(3),
    createdAt: time,
    hiddenAfter: fc.oneof(time, fc.constant(Infinity)),
  });
  return fc.record({
    rows: fc.array(row, { maxLength: 12 }),
    // Nine copies are enough rows for the kernel to stop comparing coarse halves.
    copies: fc.constantFrom(1, 9),
    asked: fc.record({
      query: values,
      allowed: fc.array(fc.constantFrom(0, 1), { minLength: 4, maxLength: 4 }),
      now: time,
      since: fc.oneof(time, fc.constant(-Infinity)),
      until: fc.oneof(time, fc.constant(Infinity)),
      floor: fc.oneof(fc.constantFrom(-Infinity, 0, 5), fc.integer({ min: -100_000, max: 100_000 })),
      tilt: fc.constantFrom(0, 100, -1_000).map(Math.fround),
    }),
  });
});

test("the WebAssembly and JavaScript kernels find the rows and scores of the definition", () => {
  fc.assert(
    fc.property(given, ({ rows: some, copies, asked }) => {
      const rows = Array.from({ length: copies }, () => some).flat();
      const quick = webAssemblyKernel();
      if (quick === undefined) throw new Error("this runtime has no WebAssembly with SIMD");
      expect(scanned(quick, rows, asked)).toEqual(expected(rows, asked));
      expect(scanned(javaScriptKernel(), rows, asked)).toEqual(expected(rows, asked));
    }),
  );
});

test.each([
  { value: -largestValue, asked: largestValue },
  { value: largestValue, asked: largestValue },
])("the largest dot products do not overflow: $value times $asked", ({ value, asked }) => {
  const dimensions = 65_536;
  const query = new Int16Array(dimensions).fill(asked);
  expect(largestValue ** 2 * dimensions).toBeLessThan(2 ** 31);
  for (const kernel of [webAssemblyKernel(), javaScriptKernel()]) {
    if (kernel === undefined) continue;
    kernel.grow(2 ** 20);
    const [coarse, fine, queryAt] = [2 ** 17, 2 ** 18, 2 ** 19];
    new Int16Array(kernel.bytes, queryAt, queryParts * dimensions).set(withMixtures(query));
    const header = new DataView(kernel.bytes, 0, headerBytes);
    header.setFloat32(rowHeader.scale, 1, true);
    header.setFloat64(rowHeader.hiddenAfter, Infinity, true);
    const planeRow = (at: number) => new Uint16Array(kernel.bytes, at, dimensions / 4);
    splitIntoPlanes(new Int8Array(dimensions).fill(value), planeRow(coarse), planeRow(fine));
    new Uint8Array(kernel.bytes, 512, 1).set([1]);
    const found = kernel.scan(
      { headers: 0, count: 1, coarse, fine, planeBytes: dimensions / 2 },
      {
        ...{ query: queryAt, bounds: dotBoundsOf(query), allowed: 512, out: 768 },
        ...{ now: 0, since: 0, until: 0, floor: -Infinity, tilt: 0 },
      },
    );
    expect(found).toBe(1);
    expect(new Float64Array(kernel.bytes, 768, 2)[1]).toBe(value * asked * dimensions);
  }
});

test("memory keeps its contents when it grows", () => {
  for (const kernel of [webAssemblyKernel(), javaScriptKernel()]) {
    if (kernel === undefined) continue;
    new Uint8Array(kernel.bytes).set([1, 2, 3]);
    kernel.grow(10 * 2 ** 20);
    expect(kernel.bytes.byteLength).toBeGreaterThanOrEqual(10 * 2 ** 20);
    expect([...new Uint8Array(kernel.bytes, 0, 4)]).toEqual([1, 2, 3, 0]);
  }
});
