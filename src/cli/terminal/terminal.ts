import { Chalk, type ChalkInstance } from "chalk";

/** The only place that knows what kind of terminal, if any, is at the other end. */
export interface Terminal {
  /** True when a person may be asked something. */
  readonly isInteractive: boolean;
  /** True when results are read by a person rather than a program. */
  readonly isForPeople: boolean;
  /** How wide a line may be; a pipe or a file has no width. */
  readonly columns: number;
  readonly paint: ChalkInstance;
  /** A result, on standard output. */
  print(text: string): void;
  /** Anything else, on standard error; silent when quiet. */
  say(text: string): void;
  /** What went wrong, on standard error, always. */
  complain(text: string): void;
}

export interface TerminalFlags {
  readonly color: boolean;
  readonly input: boolean;
  readonly quiet: boolean;
}

export function openTerminal(flags: TerminalFlags): Terminal {
  const isForPeople = process.stdout.isTTY === true;
  const withColour = flags.color && isForPeople && !process.env.NO_COLOR && supportsEscapeSequences();
  return {
    isInteractive: flags.input && isForPeople && process.stdin.isTTY === true,
    isForPeople,
    // Terminals that do not know how wide they are say 0.
    columns: isForPeople ? process.stdout.columns || 100 : Number.POSITIVE_INFINITY,
    paint: new Chalk({ level: withColour ? 1 : 0 }),
    print: (text) => write(process.stdout, text),
    say: (text) => {
      if (!flags.quiet) write(process.stderr, text);
    },
    complain: (text) => write(process.stderr, text),
  };
}

/** Whether the terminal does what control sequences say; one that calls itself dumb shows them as they are. */
export function supportsEscapeSequences(): boolean {
  return process.env.TERM !== "dumb";
}

function write(stream: NodeJS.WriteStream, text: string): void {
  stream.write(text.endsWith("\n") ? text : `${text}\n`);
}
