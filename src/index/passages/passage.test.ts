import { expect, test } from "vitest";
import { passageFinder } from "./passage.ts";
import { wordFinder } from "./word-places.ts";

function passage(weights: Readonly<Record<string, number>>, body: string, title = ""): string | undefined {
  const words = Object.entries(weights).map(([term, weight]) => ({ forms: [{ term }], weight }));
  return passageFinder(words, wordFinder(words), 80)({ title, body });
}

const aside = "It was a grey day with some wind. ".repeat(4);

test("selects the passage whose words weigh most together", () => {
  const body = `${aside}One crow. ${aside}A crow and a gull met a heron. ${aside}One gull, one heron. ${aside}`;
  expect(passage({ crow: 1, gull: 1, heron: 1 }, body)).toBe("… A crow and a gull met a heron. …");
  expect(
    passage({ crow: 5, gull: 1, heron: 1 }, `${aside}Gull, heron. ${aside}One crow. ${aside}`),
  ).toContain("One crow.");
});

test("prefers a passage about words that the title lacks", () => {
  const body = `${aside}A crow met a gull. ${aside}One heron. ${aside}`;
  expect(passage({ crow: 1, gull: 1, heron: 1 }, body, "Crow and gull")).toContain("One heron.");
});

test("prefers adjacent words to words apart", () => {
  const body = `${aside}A crow is, as ever, no gull. ${aside}The crow gull test. ${aside}`;
  expect(passage({ crow: 1, gull: 1 }, body)).toContain("The crow gull test.");
});

test("selects no passage if title and beginning say nearly as much", () => {
  const body = `A crow met a gull and a heron. ${aside}A crow met a gull, a heron, a wren. ${aside}`;
  expect(passage({ crow: 1, gull: 1, heron: 1, wren: 0.1 }, body)).toBeUndefined();
  expect(passage({ crow: 1, gull: 1, heron: 1, wren: 3 }, body)).toContain("a wren.");
});

test("limits the comparisons in a text of repeated words", () => {
  let compared = 0;
  const places = Array.from({ length: 39_000 }, (_, at) => ({
    ...{ at, end: at + 2 },
    get word() {
      compared += 1;
      return at % 2;
    },
  }));
  const find = (text: string) => (text === "" ? [] : places);
  passageFinder([{ weight: 1 }, { weight: 1 }], find)({ title: "", body: "认证".repeat(20_000) });
  expect(compared).toBeLessThan(3_000_000);
});
