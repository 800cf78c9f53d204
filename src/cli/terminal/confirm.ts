import { MemsvcError } from "../../operation/errors.ts";
import type { CommandContext } from "../command.ts";
import { nothingChanged } from "../render/dry-run.ts";

/**
 * Asks the user to confirm something irreversible; says that nothing was done if they refuse. Error: invalid_input if
 * there is nobody to ask.
 */
export async function confirmed(
  { terminal, globals }: Pick<CommandContext, "terminal" | "globals">,
  question: string,
): Promise<boolean> {
  if (globals.yes) return true;
  if (!terminal.isInteractive || globals.json) {
    throw new MemsvcError("invalid_input", "this deletes stored data, and there is nobody to confirm it", {
      hint: "add --yes to confirm, or --dry-run to see what would be deleted",
    });
  }
  const { confirm } = await import("./prompts.ts");
  const isAgreed = (await confirm({ message: question, initialValue: false })) === true;
  if (!isAgreed) terminal.say(nothingChanged);
  return isAgreed;
}
