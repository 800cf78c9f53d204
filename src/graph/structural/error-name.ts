import { cutCodePoints } from "../../text/code-points.ts";

const longestName = 120;
const longestRead = 400;
// A run of path characters with a separator inside. The part after the last separator is kept as the name.
const path = /[^\s"'`()[\]{}<>,;:=|]*[\\/][^\s"'`()[\]{}<>,;:=|]*/gu;

/**
 * The name of an error, the same for messages that differ only in line numbers or temporary folders: paths are cut to
 * their last part, and numbers become `#`. At most 120 characters.
 */
export function errorName(message: string): string {
  const short = cutCodePoints(message, longestRead)
    .replace(path, (found) => found.split(/[\\/]+/u).findLast((part) => part !== "") ?? found)
    .replace(/\d+/gu, "#")
    .replace(/\s+/gu, " ")
    // Linters put the place in the file before the message.
    .replace(/^ ?#:# /u, "")
    .trim();
  return cutCodePoints(short, longestName).trim();
}
