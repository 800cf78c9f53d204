import type { SearchScope } from "../scope.ts";
import type { Kernel } from "./kernel.ts";
import { blockRows, Layout } from "./layout.ts";
import type { Nearest } from "./nearest.ts";
import { type DotBounds, queryParts } from "./planes.ts";
import { headerBytes } from "./row-header.ts";

/** A scan of a matrix: the data that every thread taking part in it gets. */
export interface Scan {
  readonly rows: number;
  /** The query's parts (see planes.ts). */
  readonly asked: Int16Array;
  readonly bounds: DotBounds;
  /** Factor of a row's component along the axis in its score. */
  readonly tilt: number;
  /** One byte per class: 1 if the scope admits the class, else 0. */
  readonly allowed: Uint8Array;
  readonly times: Required<Pick<SearchScope, "now" | "since" | "until">>;
  readonly wanted: number;
  /** The first row that no thread has taken yet; shared memory, changed by Atomics. */
  readonly next: Int32Array;
  /**
   * A floor for scores that a thread has found; shared memory. Threads may overwrite each other's: any floor is valid.
   */
  readonly highestFloor: Float64Array;
}

/** Bytes that are read per turn of the event loop, which takes some milliseconds. */
const turnBytes = 24 * 2 ** 20;

/**
 * Takes and scans blocks for one turn of the event loop. Returns the number of rows scanned; 0 if no rows were left to
 * take. No row may be added or removed until all taken rows have been scanned.
 */
export function scanForATurn(kernel: Kernel, laneNumber: number, scan: Scan, nearest: Nearest): number {
  const { rows, asked, bounds, tilt, allowed, times, next, highestFloor } = scan;
  const layout = new Layout(asked.length / queryParts);
  const lane = layout.lane(laneNumber);
  let scanned = 0;
  for (let bytesLeft = turnBytes; bytesLeft > 0; ) {
    const row = Atomics.add(next, 0, blockRows);
    if (row >= rows) break;
    // Another scan may have used the lane since the last turn, so the query is written again.
    if (scanned === 0) {
      new Int16Array(kernel.bytes, lane.query, asked.length).set(asked);
      new Uint8Array(kernel.bytes, lane.allowed, allowed.length).set(allowed);
    }
    const block = layout.block(row, rows);
    nearest.floor = Math.max(nearest.floor, highestFloor[0] ?? 0);
    const found = kernel.scan(block, { ...lane, ...times, bounds, tilt, floor: nearest.floor });
    nearest.addAll(new Float64Array(kernel.bytes, lane.out, 2 * found));
    highestFloor[0] = nearest.floor;
    scanned += block.count;
    bytesLeft -= block.count * (layout.planeBytes + headerBytes);
  }
  return scanned;
}
