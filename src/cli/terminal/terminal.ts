import { Chalk, type ChalkInstance } from "chalk";

/** The only place that knows whether a terminal is attached, and of which kind. */
export interface Terminal {
  /** Whether a person can be asked something. */
  readonly isInteractive: boolean;
  /** Whether a person rather than a program reads the results. */
  readonly isForPeople: boolean;
  /** The width of lines; infinite for a pipe or a file. */
  readonly columns: number;
  readonly paint: ChalkInstance;
  /** Prints a result to standard output. */
  print(text: string): void;
  /** Prints anything else to standard error; silent with --quiet. */
  say(text: string): void;
  /** Prints a problem to standard error, even with --quiet. */
  complain(text: string): void;
}

/** The width of a terminal that does not know its own and reports 0. */
export const usualColumns = 100;

interface TerminalFlags {
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
    columns: isForPeople ? process.stdout.columns || usualColumns : Number.POSITIVE_INFINITY,
    paint: new Chalk({ level: withColour ? 1 : 0 }),
    print: (text) => write(process.stdout, text),
    say: (text) => {
      if (!flags.quiet) write(process.stderr, text);
    },
    complain: (text) => write(process.stderr, text),
  };
}

/** Whether the terminal understands control sequences; a "dumb" one would show them as text. */
export function supportsEscapeSequences(): boolean {
  return process.env.TERM !== "dumb";
}

function write(stream: NodeJS.WriteStream, text: string): void {
  stream.write(text.endsWith("\n") ? text : `${text}\n`);
}
