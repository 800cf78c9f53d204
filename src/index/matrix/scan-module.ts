import { headerBytes, rowHeader } from "./row-header.ts";

/*
 * The WebAssembly module behind the scan, assembled here instruction by instruction. In TypeScript it would be:
 *
 *   function scan(
 *     headers, count, coarse, fine, planeBytes, query, allowed, out, offset, reach, now, since, until, floor, tilt,
 *   ) {
 *     const headersEnd = headers + 40 * count;
 *     while (headers !== headersEnd) {
 *       let sums;                                                         // of four rows' coarse halves
 *       if (inVain < 64 && headers + 160 <= headersEnd) {                 // else coarse halves tell too few rows apart
 *         const isAllowed = (row) => load8(allowed + load32(headers + 40 * row + 4)); // class
 *         if (isAllowed(0) | isAllowed(1) | isAllowed(2) | isAllowed(3)) sums = coarseDots();
 *       }
 *       for (let left = 4; left > 0 && headers !== headersEnd; left -= 1) {
 *         next: {
 *           if (!load8(allowed + load32(headers + 4))) break next;        // class
 *           if (!(loadF64(headers + 24) > now)) break next;               // hiddenAfter
 *           if (!(loadF64(headers + 16) >= since)) break next;            // createdAt
 *           if (!(loadF64(headers + 16) <= until)) break next;
 *           if (sums) {
 *             inVain -= 1;
 *             if (!(scoreOf(16 * sums[0] + offset + reach) >= floor)) break next;
 *             inVain += 4;
 *           }
 *           const score = scoreOf(dot() + offset);
 *           if (!(score >= floor)) break next;
 *           storeF64(out, loadF64(headers + 8));                          // document
 *           storeF64(out + 8, score);
 *           out += 16;
 *         }
 *         sums &&= [...sums.slice(1), sums[0]];
 *         headers += 40;
 *         coarse += planeBytes;
 *         fine += planeBytes;
 *       }
 *     }
 *     return out;
 *   }
 *
 *   function scoreOf(dot) {
 *     return f32(dot) * loadF32(headers) + loadF32(headers + 32) * tilt;  // scale, along the axis
 *   }
 *
 *   function coarseDots() {                                               // as planes.ts has it
 *     for (let p = coarse, at = query + 4 * planeBytes; p !== coarse + planeBytes; p += 16, at += 64) { // 32 dimensions
 *       for (let row = 0; row < 4; row += 1) {
 *         const w = load16x8(p + row * planeBytes);
 *         sums[row] += pairwiseDot(w, load16x8(at));                      // eight lanes become four
 *         sums[row] += pairwiseDot(w >> 4, load16x8(at + 16));
 *         sums[row] += pairwiseDot(w >> 8, load16x8(at + 32));
 *         sums[row] += pairwiseDot(w >> 12, load16x8(at + 48));
 *       }
 *     }
 *     return sums.map(sumOfLanes);
 *   }
 *
 *   function dot() {                                                      // of both halves, as planes.ts has it
 *     for (let p = coarse, other = fine, at = query; …; p += 16, other += 16, at += 64) {
 *       const mixtures = at + 8 * planeBytes;
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
 * The dot product of both halves of a row takes about twice as long as that of the coarse halves of four rows.
 * Comparing coarse halves is worth it if they exclude more than three rows of four. If they have not done so in a
 * block, the rest of its rows are compared by both halves at once (`inVain`).
 *
 * Sums are 32-bit integers. An overflow on the way does no harm if the final sum fits, because sums wrap around.
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
/** Sets a local, and leaves its value on the stack. */
const tee = (local: number) => [0x22, local];
const drop = 0x1a;
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
const i32Above = 0x4b;
const i32Or = 0x72;
const i32Multiply = 0x6c;
const i32ShiftLeft = 0x74;
const f32AtLeast = 0x60;
const f64Above = 0x64;
const f64AtMost = 0x65;
const f64AtLeast = 0x66;
const f32Multiply = 0x94;
const f32Add = 0x92;
const f32FromI32 = 0xb2;
const f64FromF32 = 0xbb;
const v128Load = (offset: number) => [0xfd, 0x00, 0, offset];
const i8x16Shuffle = [0xfd, 0x0d];
const v128And = [0xfd, 0x4e];
const v128Xor = [0xfd, 0x51];
const i16x8Splat = [0xfd, 0x10];
const i16x8ShiftRight = [0xfd, 0x8c, 0x01];
const i32x4ExtractLane = (lane: number) => [0xfd, 0x1b, lane];
const i32x4Add = [0xfd, 0xae, 0x01];
const i32x4DotI16x8 = [0xfd, 0xba, 0x01];

const [headers, count, coarse, fine, planeBytes, query, allowed, out] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const [offset, reach, now, since, until, floor, tilt] = [8, 9, 10, 11, 12, 13, 14] as const;
const parameters = [i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, f64, f64, f64, f32, f32];
const [headersEnd, plane, planeEnd, other, at, mixtures, inVain, left, hasSums] = [
  15, 16, 17, 18, 19, 20, 21, 22, 23,
] as const;
const planes = [plane, 24, 25, 26] as const;
const score = 27;
const sums = [28, 29, 30, 31] as const;
const queries = [32, 33, 34, 35] as const;
const [words, x, y, swapped, everyOther, coarseSums] = [36, 36, 37, 38, 39, 40] as const;
const locals = [3, 12, i32, 1, f32, 13, v128];
/** The limit of `inVain`: a coarse comparison that does not exclude its row adds 3, one that does subtracts 1. */
const mostInVain = 64;
/** How many rows' coarse halves are compared at once. */
const rowsAtOnce = 4;

const advance = (local: number, by: readonly number[]) => [...get(local), ...by, i32Add, ...set(local)];
const splat = (local: number, value: number) => [...constant(value), ...i16x8Splat, ...set(local)];
/** Leaves the innermost block unless the condition on the stack holds. */
const orSkip = [i32IsZero, ...branchIf(0)];
/** Adds to the local `lanes` the pairwise dot product of the two vectors that `part` and `asked` push on the stack. */
const addDot = (lanes: number, part: readonly number[], asked: readonly number[]) => [
  ...[...part, ...asked, ...i32x4DotI16x8],
  ...[...get(lanes), ...i32x4Add, ...set(lanes)],
];
const part = (from: number, queryOffset: number) => [...get(from), ...v128Load(queryOffset)];
const shiftedWords = (of: number, by: number) =>
  by === 0 ? get(of) : [...get(of), ...constant(by), ...i16x8ShiftRight];
const sumOfLanes = (vector: number) => [
  ...[0, 1, 2, 3].flatMap((lane) => [...get(vector), ...i32x4ExtractLane(lane)]),
  ...[i32Add, i32Add, i32Add],
];
/** A loop over a row of the coarse plane and the query, 32 dimensions per turn. */
const overRow = (turn: readonly number[]) => [
  ...sums.flatMap((lanes) => splat(lanes, 0)),
  ...[...get(coarse), ...set(plane), ...get(coarse), ...get(planeBytes), i32Add, ...set(planeEnd)],
  ...loop,
  ...turn,
  ...[...advance(plane, constant(16)), ...advance(at, constant(64))],
  ...[...get(plane), ...get(planeEnd), i32NotEqual, ...branchIf(0)],
  end,
];
/** Pushes the position of a part of the query. A part is as long as four planes of a row. */
const queryPart = (number: number) => [
  ...[...get(query), ...get(planeBytes), ...constant(4 * number), i32Multiply, i32Add],
];
/** Pushes four 32-bit lanes of two vectors; the lanes of the second are numbered from 4. */
const shuffled = (a: number, b: number, lanes: readonly number[]) => [
  ...[...get(a), ...get(b), ...i8x16Shuffle],
  ...lanes.flatMap((lane) => [0, 1, 2, 3].map((byte) => 4 * lane + byte)),
];
/** Adds pairs of lanes within each of two vectors. The sums of the first and of the second alternate. */
const folded = (a: number, b: number) => [
  ...[...shuffled(a, b, [0, 4, 1, 5]), ...shuffled(a, b, [2, 6, 3, 7]), ...i32x4Add],
];
const [ofFirst, ofSecond, ofThird, ofFourth] = sums;
/** Computes the sums of four rows' coarse halves into the lanes of `coarseSums`. */
const coarseDots = [
  ...[...queryPart(1), ...set(at)],
  ...get(coarse),
  ...planes.slice(1).flatMap((pointer) => [...get(planeBytes), i32Add, ...tee(pointer)]),
  drop,
  ...overRow([
    ...queries.flatMap((asked, number) => [...part(at, 16 * number), ...set(asked)]),
    ...sums.flatMap((sum, row) => [
      ...[...get(planes[row] ?? plane), ...v128Load(0), ...set(words)],
      ...queries.flatMap((asked, number) => addDot(sum, shiftedWords(words, 4 * number), get(asked))),
    ]),
    ...planes.slice(1).flatMap((pointer) => advance(pointer, constant(16))),
  ]),
  ...[...folded(ofFirst, ofSecond), ...set(ofFirst), ...folded(ofThird, ofFourth), ...set(ofThird)],
  ...[...shuffled(ofFirst, ofThird, [0, 1, 4, 5]), ...shuffled(ofFirst, ofThird, [2, 3, 6, 7]), ...i32x4Add],
  ...set(coarseSums),
];
const dot = [
  ...[...get(fine), ...set(other), ...get(query), ...set(at), ...queryPart(2), ...set(mixtures)],
  ...overRow([
    ...[...get(plane), ...v128Load(0), ...set(y), ...get(other), ...v128Load(0), ...set(x)],
    ...[...get(y), ...get(x), ...v128Xor, ...get(everyOther), ...v128And, ...set(swapped)],
    ...[...get(x), ...get(swapped), ...v128Xor, ...set(x)],
    ...[...get(y), ...get(swapped), ...v128Xor, ...set(y)],
    ...addDot(ofFirst, get(x), part(at, 16)),
    ...addDot(ofSecond, shiftedWords(x, 8), part(mixtures, 0)),
    ...addDot(ofThird, get(y), part(mixtures, 16)),
    ...addDot(ofFourth, shiftedWords(y, 4), part(mixtures, 32)),
    ...addDot(ofFirst, shiftedWords(y, 12), part(mixtures, 48)),
    ...[...advance(other, constant(16)), ...advance(mixtures, constant(64))],
  ]),
  ...[...get(ofFirst), ...get(ofSecond), ...i32x4Add, ...get(ofThird), ...i32x4Add],
  ...[...get(ofFourth), ...i32x4Add, ...set(ofFirst), ...sumOfLanes(ofFirst)],
];
/** Replaces the sum on the stack by a score. */
const scaled = [
  ...[f32FromI32, ...get(headers), ...f32Load(rowHeader.scale), f32Multiply],
  ...[...get(headers), ...f32Load(rowHeader.along), ...get(tilt), f32Multiply, f32Add],
];

/** Pushes 1 if the class of a row is allowed, else 0. `row` counts from the current row. */
const isAllowed = (row: number) => [
  ...[...get(allowed), ...get(headers), ...i32Load(headerBytes * row + rowHeader.class)],
  ...[i32Add, ...i32Load8(0)],
];
const body = [
  ...[...get(headers), ...get(count), ...constant(headerBytes), i32Multiply, i32Add, ...set(headersEnd)],
  ...splat(everyOther, 0xf0f0),
  ...block,
  ...loop,
  ...[...get(headers), ...get(headersEnd), i32Equal, ...branchIf(1)],
  ...[...constant(0), ...set(hasSums)],
  ...block,
  ...[...get(inVain), ...constant(mostInVain), i32AtLeast, ...branchIf(0)],
  ...[
    ...get(headers),
    ...constant(rowsAtOnce * headerBytes),
    i32Add,
    ...get(headersEnd),
    i32Above,
    ...branchIf(0),
  ],
  ...[...isAllowed(0), ...isAllowed(1), i32Or, ...isAllowed(2), i32Or, ...isAllowed(3), i32Or, ...orSkip],
  ...[...coarseDots, ...constant(1), ...set(hasSums)],
  end,
  ...[...constant(rowsAtOnce), ...set(left)],
  ...loop,
  ...block,
  ...[...isAllowed(0), ...orSkip],
  ...[...get(headers), ...f64Load(rowHeader.hiddenAfter), ...get(now), f64Above, ...orSkip],
  ...[...get(headers), ...f64Load(rowHeader.createdAt), ...get(since), f64AtLeast, ...orSkip],
  ...[...get(headers), ...f64Load(rowHeader.createdAt), ...get(until), f64AtMost, ...orSkip],
  ...block,
  ...[...get(hasSums), i32IsZero, ...branchIf(0)],
  ...advance(inVain, constant(-1)),
  ...[...get(coarseSums), ...i32x4ExtractLane(0), ...constant(4), i32ShiftLeft],
  ...[...get(offset), i32Add, ...get(reach), i32Add],
  ...[...scaled, ...get(floor), f32AtLeast, i32IsZero, ...branchIf(1)],
  ...advance(inVain, constant(4)),
  end,
  ...[...dot, ...get(offset), i32Add, ...scaled, ...set(score)],
  ...[...get(score), ...get(floor), f32AtLeast, ...orSkip],
  ...[...get(out), ...get(headers), ...f64Load(rowHeader.document), ...f64Store(0)],
  ...[...get(out), ...get(score), f64FromF32, ...f64Store(8)],
  ...advance(out, constant(16)),
  end,
  ...[...shuffled(coarseSums, coarseSums, [1, 2, 3, 0]), ...set(coarseSums)],
  ...[...advance(coarse, get(planeBytes)), ...advance(fine, get(planeBytes))],
  ...advance(headers, constant(headerBytes)),
  ...advance(left, constant(-1)),
  ...[...get(left), i32IsZero, ...branchIf(1)],
  ...[...get(headers), ...get(headersEnd), i32NotEqual, ...branchIf(0)],
  end,
  ...branch(0),
  end,
  end,
  ...get(out),
];

/** Unsigned LEB128: seven bits per byte, the lowest first. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** Signed LEB128: like the unsigned one, but the second highest bit of the last byte is the sign. */
function signed(value: number): number[] {
  const [byte, rest] = [value & 0x7f, value >> 7];
  const isLast = rest === ((byte & 0x40) === 0 ? 0 : -1);
  return isLast ? [byte] : [byte | 0x80, ...signed(rest)];
}

const sized = (bytes: readonly number[]) => [...unsigned(bytes.length), ...bytes];
const section = (id: number, bytes: readonly number[]) => [id, ...sized(bytes)];
const text = (value: string) => sized([...new TextEncoder().encode(value)]);

const header = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** The most pages of a WebAssembly memory: 4 GiB. */
export const mostPages = 65_536;
const sharedMemory = [0x02, 0x03, 0x00, ...unsigned(mostPages)];

/** The bytes of the module. It imports `env.memory`, a shared memory, and exports `scan`. */
export const scanModule: Uint8Array = Uint8Array.from([
  ...header,
  ...section(1, [1, 0x60, ...sized(parameters), ...sized([i32])]),
  ...section(2, [1, ...text("env"), ...text("memory"), ...sharedMemory]),
  ...section(3, [1, 0]),
  ...section(7, [1, ...text("scan"), 0x00, 0]),
  ...section(10, [1, ...sized([...locals, ...body, end])]),
]);
