/*
 * Measures the speed of the built program with real processes: the daemon over HTTP from another process, the commands
 * by starting them. Run `npm run build` first.
 *
 * npx tsx bench/speed.ts [--only floors,command-line,writes,searches,hybrid,lists,vectors,graph,transfer] [--rounds 3]
 * [--shelf <folder>] [--large]
 *
 * `--shelf` keeps the seeded stores for the next run, `--large` adds a million vectors (3 GB of memory), searches among
 * a million documents (20 GB of disk) and a file of a gigabyte (15 GB of disk, an hour at most). Prints a table and
 * writes bench/results/speed.json.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { measureCommandLine } from "./speed/command-line.ts";
import { best, type Figure, isMet, median, rounded, tableOf } from "./speed/figures.ts";
import { measureFloors } from "./speed/floors.ts";
import { measureGraph } from "./speed/graph.ts";
import { measureLargeTransfer } from "./speed/large-transfer.ts";
import { measureLists } from "./speed/lists.ts";
import { hybridSizes, measureHybrid, measureSearches } from "./speed/searches.ts";
import { openShelf, type StoreShelf } from "./speed/stores.ts";
import { measureTransfer } from "./speed/transfer.ts";
import { measureVectors } from "./speed/vectors.ts";
import { measureWrites } from "./speed/writes.ts";

const sections: Readonly<Record<string, (shelf: StoreShelf, rounds: number) => Promise<Figure[]>>> = {
  floors: async (_shelf, rounds) => measureFloors(rounds),
  "command-line": measureCommandLine,
  writes: measureWrites,
  searches: measureSearches,
  hybrid: async (shelf, rounds) => [
    ...(await measureHybrid(shelf, rounds, hybridSizes.usual)),
    ...(values.large ? await measureHybrid(shelf, rounds, hybridSizes.large) : []),
  ],
  lists: measureLists,
  vectors: async (_shelf, rounds) => measureVectors(rounds, values.large),
  graph: measureGraph,
  transfer: async (shelf, rounds) => [
    ...(await measureTransfer(shelf, rounds)),
    ...(values.large ? await measureLargeTransfer() : []),
  ],
};

const { values } = parseArgs({
  options: {
    only: { type: "string", default: Object.keys(sections).join(",") },
    rounds: { type: "string", default: "3" },
    shelf: { type: "string" },
    large: { type: "boolean", default: false },
  },
});

const shelf = openShelf(values.shelf);
const figures: Figure[] = [];
try {
  // Every run measures the floors: they are needed to compare its figures with those of another machine.
  for (const name of new Set(["floors", ...values.only.split(",")])) {
    const measure = sections[name];
    if (measure === undefined)
      throw new Error(`no section ${name}; there are ${Object.keys(sections).join(", ")}`);
    figures.push(...(await measure(shelf, Number(values.rounds))));
  }
} finally {
  shelf.close();
}
console.log(tableOf(figures));
writeResults(figures);
process.exitCode = figures.some((figure) => isMet(figure) === false) ? 1 : 0;

function writeResults(measured: readonly Figure[]): void {
  const folder = new URL("results/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  const results = {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    cpus: cpus().length,
    figures: measured.map((figure) => ({
      section: figure.section,
      name: figure.name,
      unit: figure.unit,
      ...(figure.target === undefined ? {} : { target: figure.target, met: isMet(figure) }),
      best: Number(rounded(best(figure))),
      median: Number(rounded(median(figure.rounds))),
    })),
  };
  writeFileSync(new URL("speed.json", folder), `${JSON.stringify(results, undefined, 2)}\n`);
}
