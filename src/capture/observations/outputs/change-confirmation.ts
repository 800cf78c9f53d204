/*
 * What editing tools say of a change that succeeded, which is nothing beyond the call: `Successfully modified file:
 * src/cart.ts (1 replacements).` (Gemini CLI and its forks), `Success. Updated the following files:` (Codex), `The file
 * src/cart.ts has been updated successfully.` (Claude Code), `Edit applied successfully.` (OpenCode). Any other line,
 * such as one about an error that the file has now, is not part of it.
 */

const header = String.raw`(?:Exit code: 0\n(?:Wall time: [^\n]{0,40}\n)?Output:\n)?`;
const firstLine = [
  String.raw`Success(?:fully (?:modified|created|overwrote|wrote)|\. Updated the following files:)[^\n]*`,
  String.raw`(?:The )?[Ff]ile (?:[^\n]{1,400} )?(?:has been )?(?:created|updated|written|edited) successfully[^\n]*`,
  "Created new file[^\\n]*",
  "Edit applied successfully[^\\n]*",
  "Wrote file successfully[^\\n]*",
].join("|");
const listedFile = String.raw`\n(?:[AMDR] [^\n]*)?`;
const confirmation = new RegExp(`^${header}(?:${firstLine})(?:${listedFile})*$`, "u");
const longest = 4_000;

/** Whether the output of a tool only says that a change was made. */
export function onlyConfirmsChange(output: string): boolean {
  return output.length <= longest && confirmation.test(output.trim());
}
