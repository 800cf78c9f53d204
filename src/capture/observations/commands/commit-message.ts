import { isCommitting } from "./made-commits.ts";

/** Longer messages are generated. */
const longest = 20_000;
/** The opening of a text that is written into the command, with the word that ends it. */
const opening = /<<-?[ \t]{0,4}(["']?)(?<word>[A-Za-z_]\w{0,30})\1[^\n]{0,80}\n/g;
/** Among other texts, that of the message is one of the first. */
const mostTexts = 5;
const given = new RegExp(
  String.raw`\s(?:-[a-zA-Z]{0,8}m[ \t]{0,4}|--message[= ][ \t]{0,4})(?:"(?<double>(?:[^"\\]|\\.){0,${longest}})"|'(?<single>[^']{0,${longest}})')`,
  "gs",
);

/** The message that a command gives to `git commit`, in arguments or as a text written into the command. */
export function commitMessageIn(command: string): string | undefined {
  if (!isCommitting(command)) return undefined;
  const written = writtenIn(command);
  if (written !== undefined) return written;
  const parts = [...command.matchAll(given)].map(
    ({ groups }) => groups?.single ?? groups?.double?.replace(/\\(["\\$`])/g, "$1") ?? "",
  );
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

/** The first text that is written into a command and has an end. */
function writtenIn(command: string): string | undefined {
  for (const opened of [...command.matchAll(opening)].slice(0, mostTexts)) {
    const rest = command.slice(opened.index + opened[0].length - 1);
    const ending = new RegExp(String.raw`\n[ \t]{0,40}${opened.groups?.word}[ \t]{0,8}(?:[\n)]|$)`);
    const end = ending.exec(rest)?.index;
    if (end !== undefined && end <= longest) return rest.slice(1, end);
  }
  return undefined;
}
