/** A position in the drawing. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Tie {
  readonly from: number;
  readonly to: number;
}

export interface Room {
  readonly width: number;
  readonly height: number;
  readonly margin: number;
  /** The node that must not be moved. */
  readonly pinned?: number | undefined;
}

const rounds = 220;

/**
 * Places nodes by a force-directed layout (Fruchterman and Reingold 1991): all nodes repel each other, edges attract,
 * and everything is pulled to the middle, just so much that nodes without edges stay near the others. It starts from a
 * spiral, so the same graph always looks the same. `pinned` stays in the middle. All positions are within the margins.
 */
export function layOut(
  count: number,
  ties: readonly Tie[],
  { width, height, margin, pinned }: Room,
): Point[] {
  const [middleX, middleY] = [width / 2, height / 2];
  const [spanX, spanY] = [middleX - margin, middleY - margin];
  const xs = new Float64Array(count);
  const ys = new Float64Array(count);
  for (let node = 0; node < count; node += 1) {
    const [turn, reach] = [node * 2.399963, Math.sqrt((node + 0.5) / count)];
    xs[node] = node === pinned ? middleX : middleX + spanX * reach * Math.cos(turn);
    ys[node] = node === pinned ? middleY : middleY + spanY * reach * Math.sin(turn);
  }
  const wished = 0.55 * Math.sqrt((4 * spanX * spanY) / Math.max(1, count));
  const moveX = new Float64Array(count);
  const moveY = new Float64Array(count);
  const push = (node: number, byX: number, byY: number): void => {
    moveX[node] = at(moveX, node) + byX;
    moveY[node] = at(moveY, node) + byY;
  };
  for (let round = 0; round < rounds; round += 1) {
    moveX.fill(0);
    moveY.fill(0);
    for (let one = 0; one < count; one += 1) {
      for (let other = one + 1; other < count; other += 1) {
        const [apartX, apartY] = [at(xs, one) - at(xs, other), at(ys, one) - at(ys, other)];
        const squared = Math.max(1, apartX * apartX + apartY * apartY);
        const force = (wished * wished) / squared;
        push(one, apartX * force, apartY * force);
        push(other, -apartX * force, -apartY * force);
      }
      push(one, ((middleX - at(xs, one)) * spanY) / spanX, ((middleY - at(ys, one)) * spanX) / spanY);
    }
    for (const { from, to } of ties) {
      const [apartX, apartY] = [at(xs, from) - at(xs, to), at(ys, from) - at(ys, to)];
      const force = Math.hypot(apartX, apartY) / wished / 2;
      push(from, -apartX * force, -apartY * force);
      push(to, apartX * force, apartY * force);
    }
    const most = (Math.min(width, height) / 8) * (1 - round / rounds);
    for (let node = 0; node < count; node += 1) {
      if (node === pinned) continue;
      const length = Math.hypot(at(moveX, node), at(moveY, node));
      const step = length === 0 ? 0 : Math.min(length, most) / length;
      xs[node] = at(xs, node) + at(moveX, node) * step;
      ys[node] = at(ys, node) + at(moveY, node) * step;
    }
  }
  spread(xs, margin, width - margin, pinned !== undefined);
  spread(ys, margin, height - margin, pinned !== undefined);
  return Array.from({ length: count }, (_, node) => ({ x: at(xs, node), y: at(ys, node) }));
}

function at(values: Float64Array, index: number): number {
  return values[index] ?? 0;
}

/** Scales values to the range from `low` to `high`; if `keepsMiddle`, the middle keeps its position. */
function spread(values: Float64Array, low: number, high: number, keepsMiddle: boolean): void {
  const middle = (low + high) / 2;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const reach = Math.max(middle - least, most - middle);
  const [from, length] = keepsMiddle ? [middle - reach, 2 * reach] : [least, most - least];
  values.forEach((value, index) => {
    values[index] = length === 0 ? middle : low + ((value - from) / length) * (high - low);
  });
}
