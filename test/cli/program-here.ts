import fs from "node:fs";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { openBundles } from "../../src/cli/startup/bundle-loader.ts";

/*
 * Runs the built program, all but its entry, inside the test's own process. A command takes about 8 ms of processor
 * time this way, and 110 ms as a process. Commands run one at a time, because each uses the whole process: environment,
 * working folder, streams. Closed connections keep the store's files open until they are garbage-collected, so tests
 * that look at the files of a home, or at who has them open, must start real processes.
 */

const dist = fileURLToPath(new URL("../../dist", import.meta.url));

type Program = typeof import("../../src/cli/program.ts");
type Observe = typeof import("../../src/cli/observe/observe-fast.ts");

export interface CommandLine {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin: string;
  /** The width of a terminal that the command is given for its streams; without one they are pipes. */
  readonly columns?: number;
}

export interface Outcome {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What a terminal shows: both streams in one; absent where they are pipes. */
  readonly shown?: string;
}

let bundles: ReturnType<typeof openBundles> | undefined;
let last: Promise<unknown> = Promise.resolve();

export function runHere(line: CommandLine): Promise<Outcome> {
  const outcome = last.then(() => runNow(line));
  last = outcome.catch(() => undefined);
  return outcome;
}

async function runNow({ args, env, cwd, stdin, columns }: CommandLine): Promise<Outcome> {
  const { argv } = process;
  const [ownFolder, ownEnv] = [process.cwd(), { ...process.env }];
  const shown: Buffer[] = [];
  const [stdout, stderr] = [captured(process.stdout, shown), captured(process.stderr, shown)];
  const giveBackInput = giveInput(stdin);
  const giveBackStreams = [process.stdout, process.stderr, process.stdin].map((stream) =>
    attachTerminal(stream, columns),
  );
  replaceEnvironment(env);
  try {
    process.argv = [process.execPath, `${dist}/main.cjs`, ...args];
    process.chdir(cwd);
    const exit = await carriedOut(args);
    const texts = { exit, stdout: stdout.text(), stderr: stderr.text() };
    return columns === undefined ? texts : { ...texts, shown: Buffer.concat(shown).toString() };
  } finally {
    process.chdir(ownFolder);
    process.argv = argv;
    replaceEnvironment(ownEnv);
    for (const giveBack of giveBackStreams) giveBack();
    giveBackInput();
    stdout.giveBack();
    stderr.giveBack();
  }
}

async function carriedOut(args: readonly string[]): Promise<number> {
  bundles ??= openBundles(dist);
  if (args[0] === "observe") {
    const exit = await (bundles.load("observe") as Observe).observeQuickly(args.slice(1));
    if (exit !== undefined) return exit;
  }
  return (bundles.load("program") as Program).runProgram(args);
}

/** Changes the variables of process.env in place, because native parts of Node read the real environment. */
function replaceEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

function captured(stream: NodeJS.WriteStream, shown: Buffer[]): { text(): string; giveBack(): void } {
  const { write } = stream;
  const chunks: Buffer[] = [];
  stream.write = (chunk: string | Uint8Array, ...more: unknown[]) => {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    shown.push(bytes);
    const done = more.at(-1);
    if (typeof done === "function") done();
    return true;
  };
  return {
    text: () => Buffer.concat(chunks).toString(),
    giveBack: () => {
      stream.write = write;
    },
  };
}

/** Makes a stream look as at a terminal of this width, or as a pipe, until the returned function is called. */
function attachTerminal(stream: object, columns: number | undefined): () => void {
  const names = ["isTTY", "columns"] as const;
  const own = names.map((name) => Object.getOwnPropertyDescriptor(stream, name));
  const values = { isTTY: columns === undefined ? undefined : true, columns };
  for (const name of names)
    Object.defineProperty(stream, name, { configurable: true, writable: true, value: values[name] });
  return () => {
    for (const [at, name] of names.entries()) {
      const descriptor = own[at];
      if (descriptor === undefined) Reflect.deleteProperty(stream, name);
      else Object.defineProperty(stream, name, descriptor);
    }
  };
}

/** Gives a command its input: commands read descriptor 0 as long as that does not block, and then the stream. */
function giveInput(text: string): () => void {
  const { readSync } = fs;
  const stdin = Object.getOwnPropertyDescriptor(process, "stdin");
  const waits = Object.assign(new Error("nothing for the moment"), { code: "EAGAIN" });
  fs.readSync = ((file: number, ...more: [never]) => {
    if (file === 0) throw waits;
    return readSync(file, ...more);
  }) as typeof readSync;
  Object.defineProperty(process, "stdin", { configurable: true, value: Readable.from([Buffer.from(text)]) });
  return () => {
    fs.readSync = readSync;
    if (stdin !== undefined) Object.defineProperty(process, "stdin", stdin);
  };
}
