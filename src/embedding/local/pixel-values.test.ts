import { expect, test } from "vitest";
import { type Pixels, pixelValues } from "./pixel-values.ts";

const means = [0.48145466, 0.4578275, 0.40821073];
const deviations = [0.26862954, 0.26130258, 0.27577711];

function picture(
  width: number,
  height: number,
  colourAt: (x: number, y: number) => readonly number[],
): Pixels {
  const rows = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_x, x) => colourAt(x, y)),
  );
  return { width, height, data: Uint8ClampedArray.from(rows.flat(2)) };
}

/** What a value stands for, 0 to 255. */
function colourOf(values: Float32Array, size: number, x: number, y: number): number[] {
  return means.map((mean, colour) => {
    const value = values[(colour * size + y) * size + x] ?? Number.NaN;
    return Math.round((value * (deviations[colour] ?? 1) + mean) * 255);
  });
}

test.each([
  [1, 1],
  [3, 40],
  [500, 7],
  [224, 224],
  [300, 210],
])("a single colour is kept at %i × %i pixels", (width, height) => {
  const values = pixelValues(
    picture(width, height, () => [200, 100, 50, 255]),
    8,
  );
  expect(values).toHaveLength(3 * 8 * 8);
  for (const [x, y] of [
    [0, 0],
    [7, 3],
    [4, 7],
  ] as const)
    expect(colourOf(values, 8, x, y)).toEqual([200, 100, 50]);
});

test("a picture of the right size keeps its pixels", () => {
  const values = pixelValues(
    picture(4, 4, (x, y) => [x * 60 + 1, y * 60 + 1, 9, 255]),
    4,
  );
  expect(colourOf(values, 4, 3, 1)).toEqual([181, 61, 9]);
  expect(colourOf(values, 4, 0, 2)).toEqual([1, 121, 9]);
});

test("only the middle of a wide picture is used", () => {
  const values = pixelValues(
    picture(300, 100, (x) => (x < 90 || x > 210 ? [0, 0, 0, 255] : [255, 255, 255, 255])),
    10,
  );
  expect(colourOf(values, 10, 0, 5)).toEqual([255, 255, 255]);
  expect(colourOf(values, 10, 9, 5)).toEqual([255, 255, 255]);
});

test("fine stripes become their mean colour", () => {
  const values = pixelValues(
    picture(120, 120, (x) => (x % 2 === 0 ? [0, 0, 0, 255] : [255, 255, 255, 255])),
    8,
  );
  for (const share of colourOf(values, 8, 3, 3)) expect(Math.abs(share - 128)).toBeLessThan(3);
});

test("transparent pixels become white", () => {
  const values = pixelValues(
    picture(8, 8, () => [0, 0, 0, 0]),
    8,
  );
  expect(colourOf(values, 8, 2, 2)).toEqual([255, 255, 255]);
});
