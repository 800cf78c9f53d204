import packageFile from "../package.json" with { type: "json" };

/* Runs before any bundle is loaded, so it must not use anything that an old Node lacks. */

/** The message for a Node version that memsvc does not support; undefined for supported ones. */
export function complaintAboutNode(version: string): string | undefined {
  const ranges = packageFile.engines.node.split(" || ");
  if (ranges.some((range) => isWithin(version, range))) return undefined;
  const least = ranges.map((range) => numbers(range).join(".")).join(", or ");
  return `Node ${version} is not supported; use Node ${least} or newer`;
}

/** Whether a version is in a range: `^20.19` means only that major version, `>=22.3` later ones too. */
function isWithin(version: string, range: string): boolean {
  const [major = 0, minor = 0] = numbers(version);
  const [leastMajor = 0, leastMinor = 0] = numbers(range);
  if (major === leastMajor) return minor >= leastMinor;
  return range.startsWith(">=") && major > leastMajor;
}

function numbers(text: string): number[] {
  return (text.match(/\d+/gu) ?? []).map(Number);
}
