import fs from "node:fs";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { openBundles } from "../../src/cli/startup/bundle-loader.ts";

/*
 * The built program without a process of its own: all of it but its entry, in some eight milliseconds of processor
 * time where a process takes a hundred and ten. One command at a time, since each has the whole of this process:
 * environment, folder, streams. The connections to a store that it has closed have its files open until they are
 * collected: a test of what lies in a home, or of who has it open, runs processes.
 */

const dist = fileURLToPath(new URL("../../dist", import.meta.url));

type Program = typeof import("../../src/cli/program.ts");
type Observe = typeof import("../../src/cli/observe/observe-fast.ts");

export interface CommandLine {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin: string;
}

export interface Outcome {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

let bundles: ReturnType<typeof openBundles> | undefined;
let last: Promise<unknown> = Promise.resolve();

export function runHere(line: CommandLine): Promise<Outcome> {
  const outcome = last.then(() => runNow(line));
  last = outcome.catch(() => undefined);
  return outcome;
}

async function runNow({ args, env, cwd, stdin }: CommandLine): Promise<Outcome> {
  const { argv } = process;
  const [ownFolder, ownEnv] = [process.cwd(), { ...process.env }];
  const [stdout, stderr] = [captured(process.stdout), captured(process.stderr)];
  const giveBackInput = giveInput(stdin);
  replaceEnvironment(env);
  try {
    process.argv = [process.execPath, `${dist}/main.cjs`, ...args];
    process.chdir(cwd);
    const exit = await carriedOut(args);
    return { exit, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.chdir(ownFolder);
    process.argv = argv;
    replaceEnvironment(ownEnv);
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

/** Its own variables are changed, since the native parts of Node read those. */
function replaceEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

function captured(stream: NodeJS.WriteStream): { text(): string; giveBack(): void } {
  const { write } = stream;
  const chunks: Buffer[] = [];
  stream.write = (chunk: string | Uint8Array, ...more: unknown[]) => {
    chunks.push(Buffer.from(chunk));
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

/** Commands read their input from descriptor 0 as far as that does not make them wait, and then as a stream. */
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
