import { basename } from "node:path";

const uuidAtEnd = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The session that a transcript's file is named after: its name, or, as with Codex, the UUID at the end of it. */
export function sessionInName(path: string): string {
  const name = basename(path, ".jsonl");
  return uuidAtEnd.exec(name)?.[0] ?? name;
}
