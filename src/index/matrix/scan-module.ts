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
 *       if (inVain < 64) {                                                // else coarse halves tell too few rows apart
 *         inVain -= 1;
 *         const most = 16 * coarseDot() + offset + reach;
 *         if (!(f32(most) * loadF32(headers) >= floor)) continue;         // scale
 *         inVain += 4;
 *       }
 *       const score = f32(dot() + offset) * loadF32(headers);
 *       if (!(score >= floor)) continue;
 *       storeF64(out, loadF64(headers + 8));                              // document
 *       storeF64(out + 8, score);
 *       out += 16;
 *     }
 *     return out;
 *   }
 *
 *   function coarseDot() {
 *     let sums = [[0, 0, 0, 0], …];                                       // four times four lanes
 *     for (let p = coarse, at = query; p !== coarse + planeBytes; p += 16, at += 64) { // 32 dimensions a turn
 *       const nibbles = load16x8(p);                                      // four in each of eight lanes
 *       sums[0] += pairwiseDot(nibbles & 0x000f, load16x8(at));
 *       sums[1] += pairwiseDot(nibbles & 0x00f0, load16x8(at + 16));      // 16 times too large
 *       sums[2] += pairwiseDot(nibbles & 0x0f00, load16x8(at + 32));      // 256 times
 *       sums[3] += pairwiseDot(nibbles >> 12, load16x8(at + 48));
 *     }
 *     return sumOfLanes(sums[0] + (sums[1] >> 4) + (sums[2] >> 8) + sums[3]);
 *   }
 *
 *   function dot() {                                                      // of both halves, as planes.ts has it
 *     for (let p = coarse, other = fine, at = query; …; p += 16, other += 16, at += 64) {
 *       const mixtures = at + 4 * planeBytes;
 *       const swapped = (load16x8(p) ^ load16x8(other)) & 0xf0f0;
 *       const [x, y] = [load16x8(other) ^ swapped, load16x8(p) ^ swapped];
 *       sums[0] += pairwiseDot(x, load16x8(at + 16));
 *       sums[1] += pairwiseDot(x >> 8, load16x8(mixtures));
 *       sums[2] += pairwiseDot(y, load16x8(mixtures + 16));
 *       sums[3] += pairwiseDot(y >> 4, load16x8(mixtures + 32));
 *       sums[0] += pairwiseDot(y >> 12, load16x8(mixtures + 48));
 *     }
 *     return sumOfLanes(sums[0] + sums[1] + sums[2] + sums[3]);
 *   }
 *
 * The dot product of both halves takes a third longer than that of the coarse ones. Those are worth it where they leave
 * out more than three rows of four; where a block's rows so far were not like that, the others are compared whole.
 *
 * Sums are 32-bit. Of coarseDot's none that is kept overflows: the largest, sums[2], is below 2 · 256 · 15 · 127 · 2,048
 * turns < 2³¹ for 65,536 dimensions. What overflows on the way to a sum that fits comes back, as dot's do.
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
const i32AtLeast = 0x4e;
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
const v128Xor = [0xfd, 0x51];
const i16x8Splat = [0xfd, 0x10];
const i16x8ShiftRight = [0xfd, 0x8c, 0x01];
const i32x4ExtractLane = (lane: number) => [0xfd, 0x1b, lane];
const i32x4ShiftRight = [0xfd, 0xac, 0x01];
const i32x4Add = [0xfd, 0xae, 0x01];
const i32x4DotI16x8 = [0xfd, 0xba, 0x01];

const [headers, count, coarse, fine, planeBytes, query, allowed, out] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const [offset, reach, now, since, until, floor] = [8, 9, 10, 11, 12, 13] as const;
const [headersEnd, plane, planeEnd, other, at, mixtures, inVain, score] = [
  14, 15, 16, 17, 18, 19, 20, 21,
] as const;
const [first, second, third, fourth, lowest, low, high, everyOther] = [
  22, 23, 24, 25, 26, 27, 28, 29,
] as const;
const [nibbles, x, y, swapped] = [30, 30, 31, 32] as const;
const parameters = [i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, f64, f64, f64, f32];
const locals = [3, 7, i32, 1, f32, 11, v128];
/** A coarse half in vain counts for three that left their row out. */
const mostInVain = 64;

const advance = (local: number, by: readonly number[]) => [...get(local), ...by, i32Add, ...set(local)];
const splat = (local: number, value: number) => [...constant(value), ...i16x8Splat, ...set(local)];
/** Goes on with the next row unless what was compared holds. */
const orSkip = [i32IsZero, ...branchIf(0)];
const addDot = (lanes: number, part: readonly number[], from: number, queryOffset: number) => [
  ...part,
  ...[...get(from), ...v128Load(queryOffset), ...i32x4DotI16x8],
  ...[...get(lanes), ...i32x4Add, ...set(lanes)],
];
const shifted = (lanes: number, by: number) => [...get(lanes), ...constant(by), ...i32x4ShiftRight];
const shiftedWords = (words: number, by: number) => [...get(words), ...constant(by), ...i16x8ShiftRight];
const sumOfLanes = (vector: number) => [
  ...[0, 1, 2, 3].flatMap((lane) => [...get(vector), ...i32x4ExtractLane(lane)]),
  ...[i32Add, i32Add, i32Add],
];
/** Goes through a row of the coarse plane and the query, 32 dimensions a turn; `sums` are what is left. */
const overRow = (turn: readonly number[], sums: readonly number[]) => [
  ...[first, second, third, fourth].flatMap((lanes) => splat(lanes, 0)),
  ...[...get(query), ...set(at), ...get(coarse), ...set(plane)],
  ...[...get(coarse), ...get(planeBytes), i32Add, ...set(planeEnd)],
  ...loop,
  ...turn,
  ...[...advance(plane, constant(16)), ...advance(at, constant(64))],
  ...[...get(plane), ...get(planeEnd), i32NotEqual, ...branchIf(0)],
  end,
  ...[...sums, ...set(first), ...sumOfLanes(first)],
];
const coarseDot = overRow(
  [
    ...[...get(plane), ...v128Load(0), ...set(nibbles)],
    ...addDot(first, [...get(nibbles), ...get(lowest), ...v128And], at, 0),
    ...addDot(second, [...get(nibbles), ...get(low), ...v128And], at, 16),
    ...addDot(third, [...get(nibbles), ...get(high), ...v128And], at, 32),
    ...addDot(fourth, shiftedWords(nibbles, 12), at, 48),
  ],
  [
    ...[...get(first), ...get(fourth), ...i32x4Add, ...shifted(second, 4), ...i32x4Add],
    ...[...shifted(third, 8), ...i32x4Add],
  ],
);
const dot = [
  ...[...get(fine), ...set(other)],
  ...[...get(query), ...get(planeBytes), ...constant(2), i32ShiftLeft, i32Add, ...set(mixtures)],
  ...overRow(
    [
      ...[...get(plane), ...v128Load(0), ...set(y), ...get(other), ...v128Load(0), ...set(x)],
      ...[...get(y), ...get(x), ...v128Xor, ...get(everyOther), ...v128And, ...set(swapped)],
      ...[...get(x), ...get(swapped), ...v128Xor, ...set(x)],
      ...[...get(y), ...get(swapped), ...v128Xor, ...set(y)],
      ...addDot(first, get(x), at, 16),
      ...addDot(second, shiftedWords(x, 8), mixtures, 0),
      ...addDot(third, get(y), mixtures, 16),
      ...addDot(fourth, shiftedWords(y, 4), mixtures, 32),
      ...addDot(first, shiftedWords(y, 12), mixtures, 48),
      ...[...advance(other, constant(16)), ...advance(mixtures, constant(64))],
    ],
    [
      ...[...get(first), ...get(second), ...i32x4Add],
      ...[...get(third), ...i32x4Add, ...get(fourth), ...i32x4Add],
    ],
  ),
];
/** Makes a score of the sum on the stack. */
const scaled = [f32FromI32, ...get(headers), ...f32Load(0), f32Multiply];

const body = [
  ...[...get(headers), ...get(count), ...constant(5), i32ShiftLeft, i32Add, ...set(headersEnd)],
  ...[...splat(lowest, 0x000f), ...splat(low, 0x00f0), ...splat(high, 0x0f00), ...splat(everyOther, 0xf0f0)],
  ...block,
  ...loop,
  ...[...get(headers), ...get(headersEnd), i32Equal, ...branchIf(1)],
  ...block,
  ...[...get(allowed), ...get(headers), ...i32Load(4), i32Add, ...i32Load8(0), ...orSkip],
  ...[...get(headers), ...f64Load(24), ...get(now), f64Above, ...orSkip],
  ...[...get(headers), ...f64Load(16), ...get(since), f64AtLeast, ...orSkip],
  ...[...get(headers), ...f64Load(16), ...get(until), f64AtMost, ...orSkip],
  ...block,
  ...[...get(inVain), ...constant(mostInVain), i32AtLeast, ...branchIf(0)],
  ...advance(inVain, constant(-1)),
  ...[...coarseDot, ...constant(4), i32ShiftLeft, ...get(offset), i32Add, ...get(reach), i32Add],
  ...[...scaled, ...get(floor), f32AtLeast, i32IsZero, ...branchIf(1)],
  ...advance(inVain, constant(4)),
  end,
  ...[...dot, ...get(offset), i32Add, ...scaled, ...set(score)],
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
