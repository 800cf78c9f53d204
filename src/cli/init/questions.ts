import { MemsvcError } from "../../operation/errors.ts";

/** Asks questions, or accepts their defaults (--yes), so that the steps of the set-up need not distinguish these. */
export interface Questions {
  confirm(message: string, offered: boolean): Promise<boolean>;
  text(message: string, offered: string): Promise<string>;
  /** A multiple choice; the offered answer is the marked choices. */
  several(message: string, choices: readonly Choice[]): Promise<string[]>;
}

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly isOffered: boolean;
}

export const takingDefaults: Questions = {
  confirm: (_message, offered) => Promise.resolve(offered),
  text: (_message, offered) => Promise.resolve(offered),
  several: (_message, choices) =>
    Promise.resolve(choices.filter(({ isOffered }) => isOffered).map(({ value }) => value)),
};

/** Asks on the terminal. Error: interrupted if the user cancels. */
export async function askingOnTerminal(): Promise<Questions> {
  const { confirm, isCancel, multiselect, text } = await import("../terminal/prompts.ts");
  const answered = <T>(answer: T): Exclude<T, symbol> => {
    if (isCancel(answer))
      throw new MemsvcError("interrupted", "setup ended; what was done so far is kept", {
        hint: "run memsvc init to continue; it leaves alone what is set up",
      });
    // The only symbol is the one for a cancelled prompt.
    return answer as Exclude<T, symbol>;
  };
  return {
    confirm: async (message, offered) => answered(await confirm({ message, initialValue: offered })),
    text: async (message, offered) => {
      const answer = answered(await text({ message, initialValue: offered }));
      return answer.trim() === "" ? offered : answer.trim();
    },
    several: async (message, choices) =>
      answered(
        await multiselect({
          message,
          options: choices.map(({ value, label }) => ({ value, label })),
          initialValues: choices.filter(({ isOffered }) => isOffered).map(({ value }) => value),
          required: false,
        }),
      ),
  };
}
