import { spawnSync } from "node:child_process";
import { makeCorpus, makeQueries } from "../corpus.ts";
import { ownEnvironment, program, startDaemon } from "./daemon.ts";
import { makeEvents } from "./events.ts";
import { type Figure, median } from "./figures.ts";
import type { StoreShelf } from "./stores.ts";

const storeSize = 10_000;
const runsPerRound = 15;

interface Command {
  readonly name: string;
  readonly targetMs: number;
  readonly args: readonly string[];
  readonly stdin?: () => string;
}

/** The time that commands take beyond a bare start of Node, which is measured in turn with them. */
export async function measureCommandLine(shelf: StoreShelf, rounds: number): Promise<Figure[]> {
  const home = await shelf.home(storeSize);
  const alone = await shelf.home(storeSize);
  const daemon = await startDaemon(home);
  const commands = commandsFor(home, alone);
  const overheads = commands.map((): number[] => []);
  try {
    for (let round = 0; round < rounds; round += 1) {
      measureRound(commands).forEach((overheadMs, at) => {
        overheads[at]?.push(overheadMs);
      });
    }
  } finally {
    await daemon.stop();
  }
  return commands.map(({ name, targetMs }, at) => ({
    section: "command line",
    name: `${name}, above node`,
    unit: "ms",
    target: targetMs,
    rounds: overheads[at] ?? [],
  }));
}

function commandsFor(home: string, alone: string): Command[] {
  const events = makeEvents({ documents: 100_000, seed: 99 });
  const event = () => JSON.stringify(events.next().value);
  const there = ["--home", home];
  const [words = ""] = makeQueries(makeCorpus({ documents: 0 }).vocabulary, "mixed", 1);
  return [
    { name: "--version", targetMs: 10, args: ["--version"] },
    { name: "--help", targetMs: 15, args: ["--help"] },
    { name: "observe through the daemon", targetMs: 12, args: ["observe", ...there], stdin: event },
    { name: "search through the daemon", targetMs: 30, args: ["search", words, ...there] },
    { name: "session list through the daemon", targetMs: 30, args: ["session", "list", ...there] },
    { name: "memory list through the daemon", targetMs: 30, args: ["memory", "list", ...there] },
    {
      name: "search that opens 10,000 documents",
      targetMs: 45,
      args: ["search", words, "--offline", "--home", alone],
    },
  ];
}

function measureRound(commands: readonly Command[]): number[] {
  const bare: number[] = [];
  const times = commands.map((): number[] => []);
  for (let run = 0; run < runsPerRound; run += 1) {
    bare.push(elapsedMs(["-e", "0"], undefined));
    commands.forEach(({ args, stdin }, at) => {
      times[at]?.push(elapsedMs([program, ...args], stdin?.()));
    });
  }
  return times.map((own) => median(own) - median(bare));
}

function elapsedMs(args: readonly string[], stdin: string | undefined): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: ownEnvironment(),
    encoding: "utf8",
    ...(stdin === undefined ? {} : { input: stdin }),
  });
  const tookMs = performance.now() - startedAt;
  // A search that finds nothing exits with 3.
  if ((status !== 0 && status !== 3) || stderr !== "") throw new Error(`${args.join(" ")} failed: ${stderr}`);
  return tookMs;
}
