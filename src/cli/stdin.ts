import { readFileSync } from "node:fs";

/** All of standard input as text. */
export async function readStdin(): Promise<string> {
  try {
    return readFileSync(0, "utf8");
  } catch (error) {
    if (!isAgain(error)) throw error;
  }
  // A pipe that its writer made non-blocking cannot be read in one go.
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

function isAgain(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EAGAIN" || error.code === "EOF");
}
