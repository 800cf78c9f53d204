/*
 * The WebAssembly module behind the scan, assembled here instruction by instruction. In TypeScript it would be:
 *
 *   function scan(headers, count, vectors, stride, query, allowed, out, now, since, until, floor) {
 *     const headersEnd = headers + 32 * count;
 *     for (; headers !== headersEnd; headers += 32, vectors += stride) {
 *       if (!load8(allowed + load32(headers + 4))) continue;              // class
 *       if (!(loadF64(headers + 24) > now)) continue;                     // hiddenAfter
 *       if (!(loadF64(headers + 16) >= since)) continue;                  // createdAt
 *       if (!(loadF64(headers + 16) <= until)) continue;
 *       let at = query, even = [0, 0, 0, 0], odd = [0, 0, 0, 0];
 *       for (let v = vectors; v !== vectors + stride; v += 16, at += 32) { // 16 dimensions a turn
 *         even += pairwiseDot(widen(load8x8(v)), load16x8(at));
 *         odd  += pairwiseDot(widen(load8x8(v + 8)), load16x8(at + 16));
 *       }
 *       const score = f32(sumOfLanes(even + odd)) * loadF32(headers);     // scale
 *       if (!(score >= floor)) continue;
 *       storeF64(out, loadF64(headers + 8));                              // document
 *       storeF64(out + 8, score);
 *       out += 16;
 *     }
 *     return out;
 *   }
 *
 * Vectors are 8-bit, the query is 16-bit, sums are 32-bit and cannot overflow: 127² · 65,536 dimensions < 2³¹.
 */

const i32 = 0x7f;
const f32 = 0x7d;
const f64 = 0x7c;
const v128 = 0x7b;
const noResult = 0x40;

const block = [0x02, noResult];
const loop = [0x03, noResult];
const end = 0x0b;
const branch = (depth: number) => [0x0c, depth];
const branchIf = (depth: number) => [0x0d, depth];
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const constant = (value: number) => [0x41, value];
const i32Load = (offset: number) => [0x28, 2, offset];
const i32Load8 = (offset: number) => [0x2d, 0, offset];
const f32Load = (offset: number) => [0x2a, 2, offset];
const f64Load = (offset: number) => [0x2b, 3, offset];
const f64Store = (offset: number) => [0x39, 3, offset];
const i32IsZero = 0x45;
const i32Equal = 0x46;
const i32NotEqual = 0x47;
const i32Add = 0x6a;
const i32ShiftLeft = 0x74;
const f32AtLeast = 0x60;
const f64Above = 0x64;
const f64AtMost = 0x65;
const f64AtLeast = 0x66;
const f32Multiply = 0x94;
const f32FromI32 = 0xb2;
const f64FromF32 = 0xbb;
const v128Load = (offset: number) => [0xfd, 0x00, 0, offset];
const v128Load8x8Signed = (offset: number) => [0xfd, 0x01, 0, offset];
const i32x4Splat = [0xfd, 0x11];
const i32x4ExtractLane = (lane: number) => [0xfd, 0x1b, lane];
const i32x4Add = [0xfd, 0xae, 0x01];
const i32x4DotI16x8 = [0xfd, 0xba, 0x01];

const [headers, count, vectors, stride, query, allowed, out] = [0, 1, 2, 3, 4, 5, 6] as const;
const [now, since, until, floor] = [7, 8, 9, 10] as const;
const [headersEnd, vectorEnd, at, score, even, odd] = [11, 12, 13, 14, 15, 16] as const;
const parameters = [i32, i32, i32, i32, i32, i32, i32, f64, f64, f64, f32];
const locals = [3, 3, i32, 1, f32, 2, v128];

const advance = (local: number, by: number) => [...get(local), ...constant(by), i32Add, ...set(local)];
const zero = (local: number) => [...constant(0), ...i32x4Splat, ...set(local)];
/** Goes on with the next row unless what was compared holds. */
const orSkip = [i32IsZero, ...branchIf(0)];
const addDot = (sum: number, offset: number) => [
  ...[...get(vectors), ...v128Load8x8Signed(offset)],
  ...[...get(at), ...v128Load(2 * offset), ...i32x4DotI16x8],
  ...[...get(sum), ...i32x4Add, ...set(sum)],
];
const sumOfLanes = (vector: number) => [
  ...[0, 1, 2, 3].flatMap((lane) => [...get(vector), ...i32x4ExtractLane(lane)]),
  ...[i32Add, i32Add, i32Add],
];

const body = [
  ...[...get(headers), ...get(count), ...constant(5), i32ShiftLeft, i32Add, ...set(headersEnd)],
  ...block,
  ...loop,
  ...[...get(headers), ...get(headersEnd), i32Equal, ...branchIf(1)],
  ...[...get(vectors), ...get(stride), i32Add, ...set(vectorEnd)],
  ...block,
  ...[...get(allowed), ...get(headers), ...i32Load(4), i32Add, ...i32Load8(0), ...orSkip],
  ...[...get(headers), ...f64Load(24), ...get(now), f64Above, ...orSkip],
  ...[...get(headers), ...f64Load(16), ...get(since), f64AtLeast, ...orSkip],
  ...[...get(headers), ...f64Load(16), ...get(until), f64AtMost, ...orSkip],
  ...[...get(query), ...set(at), ...zero(even), ...zero(odd)],
  ...loop,
  ...[...addDot(even, 0), ...addDot(odd, 8)],
  ...[...advance(vectors, 16), ...advance(at, 32)],
  ...[...get(vectors), ...get(vectorEnd), i32NotEqual, ...branchIf(0)],
  end,
  ...[...get(even), ...get(odd), ...i32x4Add, ...set(even)],
  ...[...sumOfLanes(even), f32FromI32, ...get(headers), ...f32Load(0), f32Multiply, ...set(score)],
  ...[...get(score), ...get(floor), f32AtLeast, ...orSkip],
  ...[...get(out), ...get(headers), ...f64Load(8), ...f64Store(0)],
  ...[...get(out), ...get(score), f64FromF32, ...f64Store(8)],
  ...advance(out, 16),
  end,
  ...[...get(vectorEnd), ...set(vectors)],
  ...advance(headers, 32),
  ...branch(0),
  end,
  end,
  ...get(out),
];

/** Lengths and counts: seven bits a byte, the lowest first. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

const sized = (bytes: readonly number[]) => [...unsigned(bytes.length), ...bytes];
const section = (id: number, bytes: readonly number[]) => [id, ...sized(bytes)];
const text = (value: string) => sized([...new TextEncoder().encode(value)]);

const header = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const anyMemory = [0x02, 0x00, 0x00];

/** Imports `env.memory`, exports `scan`. */
export const scanModule: Uint8Array = Uint8Array.from([
  ...header,
  ...section(1, [1, 0x60, ...sized(parameters), ...sized([i32])]),
  ...section(2, [1, ...text("env"), ...text("memory"), ...anyMemory]),
  ...section(3, [1, 0]),
  ...section(7, [1, ...text("scan"), 0x00, 0]),
  ...section(10, [1, ...sized([...locals, ...body, end])]),
]);
