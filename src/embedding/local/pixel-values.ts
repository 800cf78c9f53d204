/** Decoded pixels: red, green, blue and opacity of each, row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

/** Mean and standard deviation of the three colours in CLIP's training images, as its authors published them. */
const means = [0.481_454_66, 0.457_827_5, 0.408_210_73] as const;
const deviations = [0.268_629_54, 0.261_302_58, 0.275_777_11] as const;

/** How a pixel of the result is computed: weights for the pixels of the source from `from` on. */
interface Mix {
  readonly from: number;
  readonly weights: Float32Array;
}

/**
 * The input of CLIP for an image: scaled so that the shorter side is `size`, cropped to the centre, one plane per
 * colour, normalized by mean and deviation. The scaling is bicubic with antialiasing, as CLIP's authors prepared
 * images. Transparent pixels are put on white.
 */
export function pixelValues({ width, height, data }: Pixels, size: number): Float32Array {
  const scale = size / Math.min(width, height);
  const columns = middleOf(width, Math.max(size, Math.round(width * scale)), size);
  const rows = middleOf(height, Math.max(size, Math.round(height * scale)), size);
  const top = rows[0]?.from ?? 0;
  const last = rows.at(-1);
  const bottom = last === undefined ? top : last.from + last.weights.length;

  // Scales the needed rows horizontally, then all vertically. Plain loops, because they run millions of times.
  const narrow = new Float32Array((bottom - top) * size * 3);
  for (let y = top; y < bottom; y += 1) {
    for (const [x, { from, weights }] of columns.entries()) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let step = 0; step < weights.length; step += 1) {
        const at = (y * width + from + step) * 4;
        const opacity = (data[at + 3] ?? 255) / 255;
        const weight = weights[step] ?? 0;
        const white = weight * 255 * (1 - opacity);
        const visible = weight * opacity;
        red += visible * (data[at] ?? 0) + white;
        green += visible * (data[at + 1] ?? 0) + white;
        blue += visible * (data[at + 2] ?? 0) + white;
      }
      const to = ((y - top) * size + x) * 3;
      narrow[to] = red;
      narrow[to + 1] = green;
      narrow[to + 2] = blue;
    }
  }
  const values = new Float32Array(3 * size * size);
  for (const [y, { from, weights }] of rows.entries()) {
    for (const [colour, mean] of means.entries()) {
      const deviation = deviations[colour] ?? 1;
      for (let x = 0; x < size; x += 1) {
        let sum = 0;
        for (let step = 0; step < weights.length; step += 1)
          sum += (weights[step] ?? 0) * (narrow[((from + step - top) * size + x) * 3 + colour] ?? 0);
        const share = Math.min(255, Math.max(0, sum)) / 255;
        values[(colour * size + y) * size + x] = (share - mean) / deviation;
      }
    }
  }
  return values;
}

/** Weights for the middle `size` pixels, when a side of `length` pixels is scaled to `target` pixels. */
function middleOf(length: number, target: number, size: number): Mix[] {
  const first = Math.floor((target - size) / 2);
  const step = length / target;
  const reach = Math.max(1, step);
  return Array.from({ length: size }, (_, index) => {
    const centre = (first + index + 0.5) * step;
    const from = Math.max(0, Math.floor(centre - 2 * reach + 0.5));
    const to = Math.min(length, Math.floor(centre + 2 * reach + 0.5));
    const weights = Float32Array.from({ length: to - from }, (_unused, at) =>
      cubic((from + at + 0.5 - centre) / reach),
    );
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return { from, weights: weights.map((weight) => weight / sum) };
  });
}

/** Keys' cubic kernel with a = −0.5. */
function cubic(distance: number): number {
  const x = Math.abs(distance);
  if (x < 1) return (1.5 * x - 2.5) * x * x + 1;
  return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}
