import { resolve } from "node:path";
import { fileSize } from "../../../paths/file-size.ts";
import { smallFile } from "../../../paths/git-files.ts";
import { isReadable } from "../../../paths/is-readable.ts";
import { foundWord, plainWord } from "./plain-word.ts";

const messageFile = new RegExp(
  String.raw`\sgit\s[^;&|\n]{0,300}?\s(?:-[a-zA-Z]{0,8}F\s{0,4}|--file[=\s]\s{0,4})${plainWord}`,
  "gu",
);
const mostFiles = 8;

/** The messages in files that a command gives to git (`git commit -F message.txt`), as far as they exist. */
export function messageFiles(command: string, folder: string): string[] {
  const names = [...` ${command}`.matchAll(messageFile)].slice(0, mostFiles).map(foundWord);
  return names.flatMap((name) => (name === undefined ? [] : (messageIn(resolve(folder, name)) ?? [])));
}

/** Files of the kernel, some of which block their reader, have no size. */
function messageIn(path: string): string | undefined {
  return isReadable(path) && fileSize(path) > 0 ? smallFile(path) : undefined;
}
