import fc from "fast-check";
import { expect, test } from "vitest";
import { javaScriptKernel, type Kernel, webAssemblyKernel } from "./kernel.ts";

interface Row {
  readonly vector: readonly number[];
  readonly scale: number;
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
}

/** Documents and scores that a kernel finds; a row's document is its number. */
function scanned(kernel: Kernel, rows: readonly Row[], { query, allowed, ...test }: Asked): number[] {
  const stride = query.length;
  const headers = 1_024;
  const vectors = headers + 32 * rows.length;
  const out = vectors + stride * rows.length;
  kernel.grow(out + 16 * rows.length);
  new Int16Array(kernel.bytes, 0, stride).set(query);
  new Uint8Array(kernel.bytes, 512, allowed.length).set(allowed);
  rows.forEach((row, number) => {
    const header = new DataView(kernel.bytes, headers + 32 * number, 32);
    header.setFloat32(0, row.scale, true);
    header.setUint32(4, row.class, true);
    header.setFloat64(8, number, true);
    header.setFloat64(16, row.createdAt, true);
    header.setFloat64(24, row.hiddenAfter, true);
    new Int8Array(kernel.bytes, vectors + stride * number, stride).set(row.vector);
  });
  const found = kernel.scan(
    { headers, count: rows.length, vectors, stride },
    { query: 0, allowed: 512, out, ...test },
  );
  return [...new Float64Array(kernel.bytes, out, 2 * found)];
}

/** The same from the definition. */
function expected(rows: readonly Row[], { query, allowed, now, since, until, floor }: Asked): number[] {
  return rows.flatMap((row, number) => {
    const dot = row.vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0);
    const score = Math.fround(Math.fround(dot) * Math.fround(row.scale));
    const isInTime = row.createdAt >= since && row.createdAt <= until && row.hiddenAfter > now;
    return allowed[row.class] === 1 && isInTime && score >= floor ? [number, score] : [];
  });
}

const step = fc.integer({ min: -127, max: 127 });
const time = fc.integer({ min: 0, max: 9 });
const given = fc.integer({ min: 1, max: 12 }).chain((words) => {
  const values = fc.array(step, { minLength: 16 * words, maxLength: 16 * words });
  const row = fc.record({
    vector: values,
    scale: fc.constantFrom(0.001, 0.5, 1, Number.NaN),
    class: fc.nat(3),
    createdAt: time,
    hiddenAfter: fc.oneof(time, fc.constant(Infinity)),
  });
  return fc.record({
    rows: fc.array(row, { maxLength: 12 }),
    asked: fc.record({
      query: values,
      allowed: fc.array(fc.constantFrom(0, 1), { minLength: 4, maxLength: 4 }),
      now: time,
      since: fc.oneof(time, fc.constant(-Infinity)),
      until: fc.oneof(time, fc.constant(Infinity)),
      floor: fc.constantFrom(-Infinity, 0, 5),
    }),
  });
});

test("the WebAssembly module and its stand-in find the rows and scores of the definition", () => {
  fc.assert(
    fc.property(given, ({ rows, asked }) => {
      const quick = webAssemblyKernel();
      if (quick === undefined) throw new Error("this runtime has no WebAssembly with SIMD");
      expect(scanned(quick, rows, asked)).toEqual(expected(rows, asked));
      expect(scanned(javaScriptKernel(), rows, asked)).toEqual(expected(rows, asked));
    }),
  );
});

test("the largest dot products do not overflow", () => {
  const vector = Array.from({ length: 65_536 }, () => -127);
  const row = { vector, scale: 1, class: 0, createdAt: 0, hiddenAfter: Infinity };
  const asked = { allowed: [1], now: 0, since: 0, until: 0, floor: -Infinity };
  const kernel = javaScriptKernel();
  expect(127 * 127 * 65_536).toBeLessThan(2 ** 31);
  kernel.grow(2 ** 20);
  for (const each of [webAssemblyKernel(), kernel]) {
    if (each === undefined) continue;
    each.grow(2 ** 20);
    new Int16Array(each.bytes, 2 ** 19, 65_536).fill(127);
    const at = { headers: 0, count: 1, vectors: 1_024, stride: 65_536 };
    const header = new DataView(each.bytes, 0, 32);
    header.setFloat32(0, row.scale, true);
    header.setFloat64(24, row.hiddenAfter, true);
    new Int8Array(each.bytes, 1_024, 65_536).set(vector);
    new Uint8Array(each.bytes, 512, 1).set(asked.allowed);
    const { now, since, until, floor } = asked;
    expect(each.scan(at, { query: 2 ** 19, allowed: 512, out: 768, now, since, until, floor })).toBe(1);
    expect(new Float64Array(each.bytes, 768, 2)[1]).toBe(-127 * 127 * 65_536);
  }
});

test("what lies in memory outlives its growth", () => {
  for (const kernel of [webAssemblyKernel(), javaScriptKernel()]) {
    if (kernel === undefined) continue;
    new Uint8Array(kernel.bytes).set([1, 2, 3]);
    kernel.grow(10 * 2 ** 20);
    expect(kernel.bytes.byteLength).toBeGreaterThanOrEqual(10 * 2 ** 20);
    expect([...new Uint8Array(kernel.bytes, 0, 4)]).toEqual([1, 2, 3, 0]);
  }
});
