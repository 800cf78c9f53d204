import { type DotBounds, dotWithCoarse, dotWithFine } from "./planes.ts";
import { headerBytes, rowHeader } from "./row-header.ts";
import { mostPages, scanModule } from "./scan-module.ts";

/** The memory with the rows, and the hot loop over them. All positions are in bytes from the start of `bytes`. */
export interface Kernel {
  /** Views of it are invalid after `grow`. */
  readonly bytes: ArrayBufferLike;
  /** Shared memory over which another thread can open a kernel; absent in the JavaScript kernel. */
  readonly memory?: SharedMemory;
  /** Grows the memory to at least `byteLength`, keeping its contents. Errors: RangeError if memory is exhausted. */
  grow(byteLength: number): void;
  /** Writes two doubles, document id and score, to `out` for each row that passes the test. Returns how many passed. */
  scan(rows: ScannedRows, test: ScanTest): number;
}

/** Contiguous rows: their headers, coarse planes and fine planes (see planes.ts) each follow one another. */
export interface ScannedRows {
  readonly headers: number;
  readonly count: number;
  readonly coarse: number;
  readonly fine: number;
  /** Bytes of one row in one plane; a multiple of 16. */
  readonly planeBytes: number;
}

/** A row passes if its class is allowed, its times fit and its score is at least the floor. */
interface ScanTest {
  /** Position of the query's parts (see planes.ts), of 16-bit numbers. */
  readonly query: number;
  readonly bounds: DotBounds;
  /** Position of one byte per class: 1 if the class is allowed, else 0. */
  readonly allowed: number;
  readonly out: number;
  readonly now: number;
  readonly since: number;
  readonly until: number;
  /** A 32-bit float, as scores are. */
  readonly floor: number;
  /** Factor of a row's component along the axis in its score; a 32-bit float. */
  readonly tilt: number;
}

export const outBytes = 16;

/** The WebAssembly kernel; the one in JavaScript, which is slower, if WebAssembly or its SIMD is missing. */
export function openKernel(): Kernel {
  return webAssemblyKernel() ?? javaScriptKernel();
}

const pageBytes = 65_536;

/** A shared WebAssembly.Memory. When it is sent to another thread, both have the same memory. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

/** The used part of the WebAssembly API, which the types of Node.js do not declare. */
interface WebAssemblyApi {
  validate(bytes: Uint8Array): boolean;
  Module: new (bytes: Uint8Array) => object;
  Memory: new (limits: { initial: number; maximum: number; shared: true }) => SharedMemory;
  Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: { scan(...values: number[]): number } };
}

let compiled: object | undefined;

export function webAssemblyKernel(): Kernel | undefined {
  const api = webAssembly();
  if (api === undefined || !api.validate(scanModule)) return undefined;
  return kernelOver(new api.Memory({ initial: 1, maximum: mostPages, shared: true }));
}

/** A kernel over a memory that may belong to another thread; then only that thread may grow it. */
export function kernelOver(memory: SharedMemory): Kernel {
  const api = webAssembly();
  if (api === undefined) throw new Error("this runtime has no WebAssembly");
  compiled ??= new api.Module(scanModule);
  const { exports } = new api.Instance(compiled, { env: { memory } });
  return {
    memory,
    get bytes() {
      return memory.buffer;
    },
    grow(byteLength) {
      const missing = byteLength - memory.buffer.byteLength;
      if (missing > 0) memory.grow(Math.ceil(missing / pageBytes));
    },
    scan({ headers, count, coarse, fine, planeBytes }, test) {
      const { query, bounds, allowed, out, now, since, until, floor, tilt } = test;
      const end = exports.scan(
        ...[headers, count, coarse, fine, planeBytes, query, allowed, out],
        ...[bounds.offset, bounds.reach, now, since, until, floor, tilt],
      );
      return ((end >>> 0) - out) / outBytes;
    },
  };
}

function webAssembly(): WebAssemblyApi | undefined {
  return (globalThis as { WebAssembly?: WebAssemblyApi }).WebAssembly;
}

export function javaScriptKernel(): Kernel {
  let bytes = new ArrayBuffer(pageBytes);
  return {
    get bytes() {
      return bytes;
    },
    grow(byteLength) {
      if (byteLength <= bytes.byteLength) return;
      const larger = new ArrayBuffer(byteLength);
      new Uint8Array(larger).set(new Uint8Array(bytes));
      bytes = larger;
    },
    scan: (rows, test) => scanInJavaScript(bytes, rows, test),
  };
}

function scanInJavaScript(
  bytes: ArrayBufferLike,
  { headers, count, coarse, fine, planeBytes }: ScannedRows,
  { query, bounds, allowed, out, now, since, until, floor, tilt }: ScanTest,
): number {
  const floats = new Float32Array(bytes, headers, (count * headerBytes) / 4);
  const classes = new Uint32Array(bytes, headers, (count * headerBytes) / 4);
  const doubles = new Float64Array(bytes, headers, (count * headerBytes) / 8);
  const isAllowed = new Uint8Array(bytes, allowed);
  const asked = new Int16Array(bytes, query, 2 * planeBytes);
  const results = new Float64Array(bytes, out, 2 * count);
  let found = 0;
  for (let row = 0; row < count; row += 1) {
    const at = headerBytes * row;
    const double = (field: number) => doubles[(at + field) / 8] ?? 0;
    const createdAt = double(rowHeader.createdAt);
    if (isAllowed[classes[(at + rowHeader.class) / 4] ?? 0] !== 1) continue;
    if (!(double(rowHeader.hiddenAfter) > now)) continue;
    if (!(createdAt >= since && createdAt <= until)) continue;
    const scale = floats[(at + rowHeader.scale) / 4] ?? 0;
    const gain = Math.fround((floats[(at + rowHeader.along) / 4] ?? 0) * tilt);
    const scoreOf = (dot: number) => Math.fround(Math.fround(Math.fround(dot) * scale) + gain);
    const wordsOf = (plane: number) => new Int16Array(bytes, plane + row * planeBytes, planeBytes / 2);
    const sum = 16 * dotWithCoarse(wordsOf(coarse), asked) + bounds.offset;
    if (!(scoreOf(sum + bounds.reach) >= floor)) continue;
    const score = scoreOf(sum + dotWithFine(wordsOf(fine), asked));
    if (!(score >= floor)) continue;
    results[2 * found] = double(rowHeader.document);
    results[2 * found + 1] = score;
    found += 1;
  }
  return found;
}
