import { handleClosedOutput } from "../terminal/closed-output.ts";
import { help } from "./help.generated.ts";
import { helpWidth } from "./help-groups.ts";

/** Prints the program's help without making it from the commands; false where the terminal is too narrow for it. */
export function printPrebuiltHelp(): boolean {
  if ((process.stdout.columns || helpWidth) < helpWidth) return false;
  handleClosedOutput();
  process.stdout.write(help);
  return true;
}
