import type { Observation } from "../../src/capture/observations/record.ts";
import type { Sandbox } from "./program-process.ts";

/** What the store of a sandbox holds of a session, with the raw events. */
export async function storedObservations(
  sandbox: Sandbox,
  sessionId: string,
): Promise<readonly Observation[]> {
  const { stdout } = await sandbox.runHere(["session", "show", sessionId, "--raw", "--json"]);
  return (JSON.parse(stdout) as { observations: readonly Observation[] }).observations;
}
