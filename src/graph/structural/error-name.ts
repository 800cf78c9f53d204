import { cutCodePoints } from "../../text/code-points.ts";

const longestName = 120;
const longestRead = 400;
// A run of path characters with a separator inside; what stands after the last one is the name.
const path = /[^\s"'`()[\]{}<>,;:=|]*[\\/][^\s"'`()[\]{}<>,;:=|]*/gu;

/**
 * What makes two error messages the same error: paths are cut to their last part, and numbers are `#`, so that line
 * numbers and temporary folders make no difference. At most 120 characters.
 */
export function errorName(message: string): string {
  const short = cutCodePoints(message, longestRead)
    .replace(path, (found) => found.split(/[\\/]+/u).findLast((part) => part !== "") ?? found)
    .replace(/\d+/gu, "#")
    .replace(/\s+/gu, " ")
    .trim();
  return cutCodePoints(short, longestName).trim();
}
