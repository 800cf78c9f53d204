/** Of the names that were suggested for a mistyped one, those that a slip of the finger leads to. */
export function similarNames(typed: string, suggested: readonly string[]): string[] {
  const word = bare(typed);
  // One slip in a short word, two in a longer one; what differs more is another word.
  const mostSlips = word.length > 5 ? 2 : 1;
  return suggested.filter((name) => slips(word, bare(name)) <= mostSlips);
}

/** More would be a list to read rather than a hint. */
const mostMeant = 4;

/** Which of the known names may have been meant by one that is not among them. */
export function didYouMean(named: string, known: readonly string[]): string | undefined {
  const typed = named.toLowerCase();
  const names = [...new Set(known)];
  const near = names.find((name) => similarNames(typed, [name.toLowerCase()]).length > 0);
  if (near !== undefined) return `did you mean ${near}?`;
  // `restore` for `snapshot_restore`, `gemini` for `gemini-cli`
  const longer = names.filter((name) => name.toLowerCase().split(/[_-]/u).includes(typed));
  if (longer.length === 0 || longer.length > mostMeant) return undefined;
  return `did you mean ${longer.length > 1 ? "one of " : ""}${longer.join(", ")}?`;
}

function bare(name: string): string {
  return name.replace(/^-+/u, "");
}

/** Letters put in, left out, taken for another or swapped with their neighbour. */
function slips(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= one.length; row++) {
    rows[row] = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(one.length, other.length);
}
