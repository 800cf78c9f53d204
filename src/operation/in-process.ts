import { featureOff, isEffective } from "../config/flags.ts";
import type { Core } from "../core.ts";
import type { Answer, Call, Operation } from "./define.ts";
import { errorTable, isMemsvcError } from "./errors.ts";
import { withCleanStrings } from "./json.ts";
import { parseInput } from "./parse.ts";

/** The seam in process: checks the input, runs the operation, and says `success: true` where the operation does. */
export function callInProcess(core: Core): Call {
  return async (operation, input, caller) => {
    const startedAt = performance.now();
    let failed = false;
    let qualityScore: number | undefined;
    try {
      refuseFeatureOff(core, operation);
      // Over HTTP the reader of the body has done this; SQLite would end a text at its first NUL.
      const given = caller.face === "http" ? input : withCleanStrings(input);
      const parsed = parseInput(operation.input, given);
      const output = await operation.run(core, parsed, caller);
      qualityScore = qualityScoreOf(output);
      const isBare = operation.bare ?? operation.bareWhen?.(parsed) ?? false;
      // The answer is the output with one more field, which the generic spread cannot express.
      return (isBare ? output : { success: true, ...(output as object) }) as Answer<typeof operation.output>;
    } catch (raised) {
      const error = core.ground.store.faultOf(raised);
      // What the client got wrong is no failure of the function.
      failed = !isMemsvcError(error) || errorTable[error.code].status >= 500;
      throw error;
    } finally {
      core.metrics.record(functionIdOf(operation), performance.now() - startedAt, failed, qualityScore);
    }
  };
}

function qualityScoreOf(output: unknown): number | undefined {
  if (typeof output !== "object" || output === null || !("qualityScore" in output)) return undefined;
  return typeof output.qualityScore === "number" ? output.qualityScore : undefined;
}

function functionIdOf(operation: Operation): string {
  if (operation.functionId !== undefined) return operation.functionId;
  return operation.http === undefined
    ? operation.id
    : `route:${operation.http.method} ${operation.http.path}`;
}

function refuseFeatureOff(core: Core, { features = [] }: Operation): void {
  const off = features.find((key) => !isEffective(key, core.ground.settings, core.capabilities()));
  if (off !== undefined) throw featureOff(off);
}
