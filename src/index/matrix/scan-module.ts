/*
 * The WebAssembly module behind the scan, assembled here instruction by instruction. In TypeScript it would be:
 *
 *   function scan(headers, count, coarse, fine, planeBytes, query, allowed, out, offset, reach, now, since, until, floor) {
 *     const headersEnd = headers + 32 * count;
 *     for (; headers !== headersEnd; headers += 32, coarse += planeBytes, fine += planeBytes) {
 *       if (!load8(allowed + load32(headers + 4))) continue;              // class
 *       if (!(loadF64(headers + 24) > now)) continue;                     // hiddenAfter
 *       if (!(loadF64(headers + 16) >= since)) continue;                  // createdAt
 *       if (!(loadF64(headers + 16) <= until)) continue;
 *       const sum = 16 * dot(coarse) + offset;
 *       if (!(f32(sum + reach) * loadF32(headers) >= floor)) continue;    // scale; the most that it can be
 *       const score = f32(sum + dot(fine)) * loadF32(headers);
 *       if (!(score >= floor)) continue;
 *       storeF64(out, loadF64(headers + 8));                              // document
 *       storeF64(out + 8, score);
 *       out += 16;
 *     }
 *     return out;
 *   }
 *
 *   function dot(plane) {
 *     let sums = [[0, 0, 0, 0], …];                                       // four times four lanes
 *     for (let p = plane, at = query; p !== plane + planeBytes; p += 16, at += 64) { // 32 dimensions a turn
 *       const nibbles = load16x8(p);                                      // four in each of eight lanes
 *       sums[0] += pairwiseDot(nibbles & 0x000f, load16x8(at));
 *       sums[1] += pairwiseDot(nibbles & 0x00f0, load16x8(at + 16));      // 16 times too large
 *       sums[2] += pairwiseDot(nibbles & 0x0f00, load16x8(at + 32));      // 256 times
 *       sums[3] += pairwiseDot(nibbles >>> 12, load16x8(at + 48));
 *     }
 *     return sumOfLanes(sums[0] + (sums[1] >> 4) + (sums[2] >> 8) + sums[3]);
 *   }
 *
 * Sums are 32-bit. None that is kept overflows: the largest, sums[2], is below 2 · 256 · 15 · 127 · 2,048 turns < 2³¹ for
 * 65,536 dimensions, and what overflows on the way to a sum that fits comes back.
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
const constant = (value: number) => [0x41, ...signed(value)];
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
const v128And = [0xfd, 0x4e];
const i16x8Splat = [0xfd, 0x10];
const i16x8ShiftRightUnsigned = [0xfd, 0x8d, 0x01];
const i32x4ExtractLane = (lane: number) => [0xfd, 0x1b, lane];
const i32x4ShiftRight = [0xfd, 0xac, 0x01];
const i32x4Add = [0xfd, 0xae, 0x01];
const i32x4DotI16x8 = [0xfd, 0xba, 0x01];

const [headers, count, coarse, fine, planeBytes, query, allowed, out] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const [offset, reach, now, since, until, floor] = [8, 9, 10, 11, 12, 13] as const;
const [headersEnd, plane, planeEnd, at, sum, score] = [14, 15, 16, 17, 18, 19] as const;
const [nibbles, first, second, third, fourth, lowest, low, high] = [20, 21, 22, 23, 24, 25, 26, 27] as const;
const parameters = [i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, f64, f64, f64, f32];
const locals = [3, 5, i32, 1, f32, 8, v128];

const advance = (local: number, by: readonly number[]) => [...get(local), ...by, i32Add, ...set(local)];
const splat = (local: number, value: number) => [...constant(value), ...i16x8Splat, ...set(local)];
/** Goes on with the next row unless what was compared holds. */
const orSkip = [i32IsZero, ...branchIf(0)];
const addDot = (lanes: number, part: readonly number[], queryOffset: number) => [
  ...[...get(nibbles), ...part],
  ...[...get(at), ...v128Load(queryOffset), ...i32x4DotI16x8],
  ...[...get(lanes), ...i32x4Add, ...set(lanes)],
];
const shifted = (lanes: number, by: number) => [...get(lanes), ...constant(by), ...i32x4ShiftRight];
const sumOfLanes = (vector: number) => [
  ...[0, 1, 2, 3].flatMap((lane) => [...get(vector), ...i32x4ExtractLane(lane)]),
  ...[i32Add, i32Add, i32Add],
];
/** Leaves the dot product of the row of one plane with the query. */
const dot = (row: number) => [
  ...[first, second, third, fourth].flatMap((lanes) => splat(lanes, 0)),
  ...[...get(query), ...set(at), ...get(row), ...set(plane)],
  ...[...get(row), ...get(planeBytes), i32Add, ...set(planeEnd)],
  ...loop,
  ...[...get(plane), ...v128Load(0), ...set(nibbles)],
  ...addDot(first, [...get(lowest), ...v128And], 0),
  ...addDot(second, [...get(low), ...v128And], 16),
  ...addDot(third, [...get(high), ...v128And], 32),
  ...addDot(fourth, [...constant(12), ...i16x8ShiftRightUnsigned], 48),
  ...[...advance(plane, constant(16)), ...advance(at, constant(64))],
  ...[...get(plane), ...get(planeEnd), i32NotEqual, ...branchIf(0)],
  end,
  ...[...get(first), ...get(fourth), ...i32x4Add, ...shifted(second, 4), ...i32x4Add],
  ...[...shifted(third, 8), ...i32x4Add, ...set(first)],
  ...sumOfLanes(first),
];
/** Leaves the score that belongs to the sum on the stack. */
const scaled = [f32FromI32, ...get(headers), ...f32Load(0), f32Multiply];

const body = [
  ...[...get(headers), ...get(count), ...constant(5), i32ShiftLeft, i32Add, ...set(headersEnd)],
  ...[...splat(lowest, 0x000f), ...splat(low, 0x00f0), ...splat(high, 0x0f00)],
  ...block,
  ...loop,
  ...[...get(headers), ...get(headersEnd), i32Equal, ...branchIf(1)],
  ...block,
  ...[...get(allowed), ...get(headers), ...i32Load(4), i32Add, ...i32Load8(0), ...orSkip],
  ...[...get(headers), ...f64Load(24), ...get(now), f64Above, ...orSkip],
  ...[...get(headers), ...f64Load(16), ...get(since), f64AtLeast, ...orSkip],
  ...[...get(headers), ...f64Load(16), ...get(until), f64AtMost, ...orSkip],
  ...[...dot(coarse), ...constant(4), i32ShiftLeft, ...get(offset), i32Add, ...set(sum)],
  ...[...get(sum), ...get(reach), i32Add, ...scaled, ...get(floor), f32AtLeast, ...orSkip],
  ...[...dot(fine), ...get(sum), i32Add, ...scaled, ...set(score)],
  ...[...get(score), ...get(floor), f32AtLeast, ...orSkip],
  ...[...get(out), ...get(headers), ...f64Load(8), ...f64Store(0)],
  ...[...get(out), ...get(score), f64FromF32, ...f64Store(8)],
  ...advance(out, constant(16)),
  end,
  ...[...advance(coarse, get(planeBytes)), ...advance(fine, get(planeBytes))],
  ...advance(headers, constant(32)),
  ...branch(0),
  end,
  end,
  ...get(out),
];

/** Lengths and counts: seven bits a byte, the lowest first. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** The same for a number that may be negative: its last byte's second highest bit is its sign. */
function signed(value: number): number[] {
  const [byte, rest] = [value & 0x7f, value >> 7];
  const isLast = rest === ((byte & 0x40) === 0 ? 0 : -1);
  return isLast ? [byte] : [byte | 0x80, ...signed(rest)];
}

const sized = (bytes: readonly number[]) => [...unsigned(bytes.length), ...bytes];
const section = (id: number, bytes: readonly number[]) => [id, ...sized(bytes)];
const text = (value: string) => sized([...new TextEncoder().encode(value)]);

const header = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** As many pages as a memory can have: 4 GiB. */
export const mostPages = 65_536;
const sharedMemory = [0x02, 0x03, 0x00, ...unsigned(mostPages)];

/** Imports `env.memory`, which threads may share, exports `scan`. */
export const scanModule: Uint8Array = Uint8Array.from([
  ...header,
  ...section(1, [1, 0x60, ...sized(parameters), ...sized([i32])]),
  ...section(2, [1, ...text("env"), ...text("memory"), ...sharedMemory]),
  ...section(3, [1, 0]),
  ...section(7, [1, ...text("scan"), 0x00, 0]),
  ...section(10, [1, ...sized([...locals, ...body, end])]),
]);
