import { historyFolders } from "../../capture/replay/formats/transcript-folders.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { withTilde } from "../../paths/with-tilde.ts";
import type { OpenCaller } from "../callers/caller.ts";
import type { Places } from "../connect/places.ts";
import { operations } from "../operations/operations.ts";
import { counted } from "../render/quantity.ts";
import type { Questions } from "./questions.ts";

const mostFiles = 1_000;

interface HistoryRequest {
  /** The agents that were connected now. */
  readonly agents: readonly { readonly name: string }[];
  readonly places: Places;
  readonly caller: () => Promise<OpenCaller>;
  /** Tells the user what is being done, which may take minutes. */
  readonly say: (line: string) => void;
  /** The answer that is offered. */
  readonly isOffered: boolean;
}

/** Offers to import what agents did before they were connected. Returns a line for each folder that was read. */
export async function offerHistory(
  { agents, places, caller, say, isOffered }: HistoryRequest,
  questions: Questions,
): Promise<string[]> {
  const folders = [...new Set(agents.flatMap(({ name }) => historyFolders(places, name)))];
  if (folders.length === 0) return [];
  const shown = folders.map((folder) => withTilde(folder, places.home));
  const question = `Should the sessions from before be imported? They are only read: ${shown.join(", ")}`;
  if (!(await questions.confirm(question, isOffered))) return [];
  const { call, close } = await caller();
  try {
    const told: string[] = [];
    for (const [at, path] of folders.entries()) {
      say(`importing ${shown[at]} …`);
      told.push(`${shown[at]}: ${await imported(call, path)}`);
    }
    return told;
  } finally {
    await close();
  }
}

async function imported(call: OpenCaller["call"], path: string): Promise<string> {
  try {
    const answer = await call(operations.importTranscripts, { path, maxFiles: mostFiles });
    const problems = answer.errors.length === 0 ? "" : `, ${counted(answer.errors.length, "problem")}`;
    const found = counted(answer.observations, "observation");
    return `${found} in ${counted(answer.sessionIds.length, "session")}${problems}`;
  } catch (error) {
    // What cannot be imported must not prevent the rest of the set-up.
    if (!isMemsvcError(error)) throw error;
    return error.message;
  }
}
