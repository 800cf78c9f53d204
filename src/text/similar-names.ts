/** Of the suggested names, those that differ from the typed one only by typing errors. */
export function similarNames(typed: string, suggested: readonly string[]): string[] {
  const word = bare(typed);
  // One typing error in a short word, two in a longer one; with more it is another word.
  const mostSlips = word.length > 5 ? 2 : 1;
  return suggested.filter((name) => slips(word, bare(name)) <= mostSlips);
}

/** More suggestions would be a list to read instead of a hint. */
const mostMeant = 4;

/** A suggestion from the known names for a name that is not among them; undefined if none is close. */
export function didYouMean(named: string, known: readonly string[]): string | undefined {
  const typed = named.toLowerCase();
  const names = [...new Set(known)];
  const near = names.find((name) => similarNames(typed, [name.toLowerCase()]).length > 0);
  if (near !== undefined) return meantHint([near]);
  // For example `restore` for `snapshot_restore`, or `gemini` for `gemini-cli`.
  const longer = names.filter((name) => name.toLowerCase().split(/[_-]/u).includes(typed));
  if (longer.length === 0 || longer.length > mostMeant) return undefined;
  return meantHint(longer);
}

export function meantHint(names: readonly string[]): string {
  return `did you mean ${names.length > 1 ? "one of " : ""}${names.join(", ")}?`;
}

function bare(name: string): string {
  return name.replace(/^-+/u, "");
}

/** Edit distance in which swapping two adjacent letters counts as one edit. */
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
