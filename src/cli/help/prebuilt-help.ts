import { handleClosedOutput } from "../terminal/closed-output.ts";
import { help } from "./help.generated.ts";
import { helpWidth } from "./help-groups.ts";

/** Prints the help text that was generated at build time; false if the terminal is too narrow for it. */
export function printPrebuiltHelp(): boolean {
  if ((process.stdout.columns || helpWidth) < helpWidth) return false;
  handleClosedOutput();
  process.stdout.write(help);
  return true;
}
