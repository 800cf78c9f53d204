import { help } from "./help.generated.ts";
import { helpWidth } from "./help-groups.ts";
import { endWithReader } from "./terminal/end-with-reader.ts";

/** Prints the program's help without making it from the commands; false where the terminal is too narrow for it. */
export function printReadyHelp(): boolean {
  if ((process.stdout.columns || helpWidth) < helpWidth) return false;
  endWithReader();
  process.stdout.write(help);
  return true;
}
