import type { Observation } from "../../src/capture/observations/record.ts";
import type { Sandbox } from "./program-process.ts";

/** The observations of a session in the store of a sandbox, with their raw events. */
export async function storedObservations(
  sandbox: Sandbox,
  sessionId: string,
): Promise<readonly Observation[]> {
  const { stdout } = await sandbox.runHere(["session", "show", sessionId, "--raw", "--json"]);
  return (JSON.parse(stdout) as { observations: readonly Observation[] }).observations;
}
