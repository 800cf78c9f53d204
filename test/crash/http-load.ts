import type { Ledger } from "./ledger.ts";
import { spelled } from "./words.ts";

/*
 * Clients that write as fast as the daemon answers and record what it acknowledges. A client ends when it is told to,
 * or when the connection breaks because the daemon was killed.
 */

const answerTimeoutMs = 60_000;
const wordsPerMemory = 7;

export interface ClientOptions {
  readonly url: string;
  readonly sessionId: string;
  /** Seeded random numbers from 0 to 1, which choose what is written next. */
  readonly random: () => number;
  readonly nextWord: () => string;
  readonly isOver: () => boolean;
}

export async function writeOverHttp(options: ClientOptions, ledger: Ledger): Promise<void> {
  while (!options.isOver()) {
    const choice = options.random();
    const isAnswered =
      choice < 0.65
        ? await observe(options, ledger)
        : choice < 0.95
          ? await remember(options, ledger)
          : await endSession(options, ledger);
    if (!isAnswered) return;
  }
}

/** An event as hooks send it, with the word in the tool's output. */
export function eventWith(word: string, sessionId: string): Record<string, unknown> {
  return {
    hookType: "post_tool_use",
    sessionId,
    project: "crash",
    cwd: "/srv/crash",
    timestamp: new Date().toISOString(),
    data: { toolName: "Bash", toolInput: { command: `run ${word}` }, toolOutput: `done with ${word}` },
  };
}

/** The text of a memory, unlike any other, so that no memory counts as a new version of another. */
export function memoryWith(word: string): string {
  return Array.from({ length: wordsPerMemory }, (_, at) => word + spelled(at))
    .join(" ")
    .concat(" ", word);
}

async function observe({ url, sessionId, nextWord }: ClientOptions, ledger: Ledger): Promise<boolean> {
  const word = nextWord();
  const answer = await post(`${url}/observe`, eventWith(word, sessionId), ledger);
  if (typeof answer?.observationId === "string") {
    ledger.observations.push({ id: answer.observationId, sessionId, word });
  }
  return answer !== undefined;
}

async function remember({ url, nextWord }: ClientOptions, ledger: Ledger): Promise<boolean> {
  const word = nextWord();
  const answer = await post(`${url}/remember`, { content: memoryWith(word), project: "crash" }, ledger);
  if (typeof answer?.memoryId === "string") ledger.memories.push({ id: answer.memoryId, word });
  return answer !== undefined;
}

async function endSession({ url, sessionId }: ClientOptions, ledger: Ledger): Promise<boolean> {
  // A session exists once one of its events was acknowledged. Its end is recorded once.
  if (!ledger.observations.some((one) => one.sessionId === sessionId)) return true;
  const answer = await post(`${url}/session/end`, { sessionId }, ledger);
  if (answer?.success === true) ledger.endedSessions.add(sessionId);
  return answer !== undefined;
}

/** Posts JSON. Undefined when the daemon is gone; a refusal is recorded in the ledger and returned. */
async function post(
  url: string,
  body: Record<string, unknown>,
  ledger: Ledger,
): Promise<Record<string, unknown> | undefined> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    if (!response.ok) ledger.refusals.push(`${url}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError") {
      ledger.refusals.push(`${url}: no answer within ${answerTimeoutMs} ms`);
    }
    return undefined;
  }
}
