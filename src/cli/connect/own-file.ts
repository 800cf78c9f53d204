import { jsonIn } from "../../json/json-in.ts";
import { MemsvcError } from "../../operation/errors.ts";
import type { SettingsContent } from "./settings-content.ts";

interface OwnFile {
  readonly label: string;
  readonly text: string;
  /** Tells our file from another one with the same name. */
  readonly isOurs: (text: string) => boolean;
}

/** The command in our text, where it is written as a list of words; a user may have made something else of it. */
function commandsIn(text: string): string[][] {
  const list = jsonIn(/= (\[".*?\]);/u.exec(text)?.[1] ?? "");
  return Array.isArray(list) && list.every((word) => typeof word === "string") ? [list] : [];
}

/** A file with nothing but our content, in a folder where the agent looks for such files. */
export function ownFile({ label, text: wanted, isOurs }: OwnFile): SettingsContent {
  return {
    label,
    connected: (text) => {
      if (text === undefined || isOurs(text)) return wanted;
      throw new MemsvcError("conflict", "it was not written by memsvc", {
        hint: "rename it, then connect again",
      });
    },
    holds: isOurs,
    disconnected: () => undefined,
    commands: commandsIn,
  };
}
