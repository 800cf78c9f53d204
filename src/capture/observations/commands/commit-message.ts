import { isCommitting } from "./made-commits.ts";

/** Longer messages are generated. */
const longest = 20_000;
const document = new RegExp(
  String.raw`<<-?[ \t]{0,4}(["']?)([A-Za-z_]\w{0,30})\1[^\n]{0,80}\n(?<body>[\s\S]{0,${longest}}?)\n[ \t]{0,40}\2[ \t]{0,8}(?:[\n)]|$)`,
);
const given = new RegExp(
  String.raw`\s(?:-[a-zA-Z]{0,8}m[ \t]{0,4}|--message[= ][ \t]{0,4})(?:"(?<double>(?:[^"\\]|\\.){0,${longest}})"|'(?<single>[^']{0,${longest}})')`,
  "gs",
);

/** The message that a command gives to `git commit`, in arguments or as a text written into the command. */
export function commitMessageIn(command: string): string | undefined {
  if (!isCommitting(command)) return undefined;
  const written = document.exec(command)?.groups?.body;
  if (written !== undefined) return written;
  const parts = [...command.matchAll(given)].map(
    ({ groups }) => groups?.single ?? groups?.double?.replace(/\\(["\\$`])/g, "$1") ?? "",
  );
  return parts.length === 0 ? undefined : parts.join("\n\n");
}
