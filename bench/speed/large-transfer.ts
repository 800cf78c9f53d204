import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCorpus } from "../corpus.ts";
import type { RunningDaemon } from "./daemon.ts";
import type { Figure } from "./figures.ts";
import { exportTo, importFrom, type Watched, withDaemon } from "./transfer.ts";

const observations = 1_000_000;
const wordsEach = 40;
const perSession = 40;
const pieceLength = 256 * 1024;

/**
 * Imports a file of a gigabyte into an empty daemon, exports it again, and imports that export into another daemon, to
 * see that memory does not grow with the size of the file. The observations name neither files nor concepts, so most
 * of the time goes to rows and words and little to the graph. But all are of one project, whose node has them all as
 * sources.
 */
export async function measureLargeTransfer(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "memsvc-large-"));
  const home = join(folder, "home");
  const file = join(folder, "export.json");
  const taking = (text: () => AsyncIterable<Uint8Array>) => async (daemon: RunningDaemon) => {
    await importFrom(text(), daemon);
  };
  try {
    const imported = await withDaemon(home, taking(fileText));
    const exported = await withDaemon(home, (daemon) => exportTo(file, daemon));
    const importedAgain = await withDaemon(
      join(folder, "other"),
      taking(() => createReadStream(file)),
    );
    const section = "daemon, 1,000,000 observations";
    const perSecond = ({ seconds }: Watched) => [observations / seconds];
    return [
      { section, name: "imported and indexed", unit: "per s", target: 10_000, rounds: perSecond(imported) },
      { section, name: "memory that the import adds", unit: "MiB", target: 200, rounds: [imported.grownMib] },
      { section, name: "exported", unit: "per s", target: 50_000, rounds: perSecond(exported) },
      { section, name: "memory that the export adds", unit: "MiB", target: 200, rounds: [exported.grownMib] },
      {
        section,
        name: "its export imported",
        unit: "per s",
        target: 10_000,
        rounds: perSecond(importedAgain),
      },
      { section, name: "memory that this adds", unit: "MiB", target: 200, rounds: [importedAgain.grownMib] },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The text of an export in the format of this program, in pieces. */
async function* fileText(): AsyncGenerator<Uint8Array> {
  let text = '{"version":"0.1.0","observations":{';
  let number = 0;
  for (const { title, body, createdAt } of makeCorpus({
    documents: observations,
    wordsPerDocument: wordsEach,
  }).documents()) {
    const sessionId = `session-${Math.floor(number / perSession)}`;
    if (number % perSession === 0) text += `${number === 0 ? "" : "],"}"${sessionId}":[`;
    else text += ",";
    const timestamp = new Date(createdAt).toISOString();
    text += JSON.stringify({
      id: `obs_${String(number).padStart(26, "0")}`,
      timestamp,
      receivedAt: timestamp,
      hookType: "prompt_submit",
      type: "conversation",
      title,
      facts: [],
      narrative: body,
      concepts: [],
      files: [],
      importance: 5,
      confidence: 0.8,
      raw: { hookType: "prompt_submit", userPrompt: body, data: {} },
    });
    number += 1;
    if (text.length < pieceLength) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(`${text}]}}`);
}
