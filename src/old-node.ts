import packageFile from "../package.json" with { type: "json" };

/*
 * Asked before any bundle is loaded, so it uses nothing that an old Node lacks.
 */

/** What to say under a version of Node that memsvc does not run on; undefined under the others. */
export function complaintAboutNode(version: string): string | undefined {
  const ranges = packageFile.engines.node.split(" || ");
  if (ranges.some((range) => isWithin(version, range))) return undefined;
  const least = ranges.map((range) => numbers(range).join(".")).join(", or ");
  return `Node ${version} is not supported; use Node ${least} or newer`;
}

/** Of a range: `^20.19` is that major version alone, `>=22.3` also the later ones. */
function isWithin(version: string, range: string): boolean {
  const [major = 0, minor = 0] = numbers(version);
  const [leastMajor = 0, leastMinor = 0] = numbers(range);
  if (major === leastMajor) return minor >= leastMinor;
  return range.startsWith(">=") && major > leastMajor;
}

function numbers(text: string): number[] {
  return (text.match(/\d+/gu) ?? []).map(Number);
}
