/**
 * Where a program other than a shell is given a text that is written into the command: `<<EOF`, `<<-'EOF'`; but not
 * `<<<`.
 */
const opening =
  /(?<!<|(?:^|[\s;&|(/])(?:ba|z|da|k)?sh(?:\s{1,4}-\w{1,8}){0,4}\s{0,4})<<-?[ \t]{0,8}(["']?)([A-Za-z_]\w{0,63})\1/g;
/** Bounds the search for ends that do not exist. */
const mostWithoutEnd = 16;

/**
 * The command without the texts that are written into it, which are input of a program: from the line after `<<EOF` to
 * that with `EOF`. A text without an end stays.
 */
export function withoutHereDocuments(command: string): string {
  if (!command.includes("<<")) return command;
  let kept = "";
  let from = 0;
  let withoutEnd = 0;
  opening.lastIndex = 0;
  while (withoutEnd < mostWithoutEnd) {
    const word = opening.exec(command)?.[2];
    if (word === undefined) break;
    const begin = command.indexOf("\n", opening.lastIndex);
    const end = begin < 0 ? undefined : endAfter(command, word, begin);
    if (end === undefined) withoutEnd += 1;
    else {
      kept += command.slice(from, begin);
      from = end;
      opening.lastIndex = end;
    }
  }
  return kept + command.slice(from);
}

/** The end of the next line that consists of the word. */
function endAfter(command: string, word: string, from: number): number | undefined {
  const last = new RegExp(`\\n[ \\t]{0,80}${word}(?=[ \\t\\r]{0,8}(?:[\\n)]|$))`, "g");
  last.lastIndex = from;
  return last.test(command) ? last.lastIndex : undefined;
}
