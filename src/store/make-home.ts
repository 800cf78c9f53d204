import { makeFolder } from "../paths/make-folder.ts";
import { homeFault } from "./faults.ts";

/** Makes the folder of a store if it does not exist. Errors: those of `homeFault`. */
export function makeHome(home: string): void {
  try {
    makeFolder(home);
  } catch (error) {
    throw homeFault(error, home);
  }
}
