import { Core } from "../../core.ts";
import type { Caller } from "../../operation/define.ts";
import { callOnBody, callToText } from "../../operation/in-process.ts";
import { loadOperation } from "../operations/families.ts";
import type { CallerOptions, OpenCaller } from "./caller.ts";
import { runDueJobs } from "./due-jobs.ts";

/** Opens the store of a home and runs operations in this process. */
export async function callCore({
  home,
  settings,
  cwd,
}: Pick<CallerOptions, "home" | "settings" | "cwd">): Promise<OpenCaller> {
  const cli: Caller = { face: "cli", cwd };
  const core = await Core.open({ home, settings, orReadOnly: true });
  let isWorkWaiting = false;
  core.ground.wakeJobs = () => {
    isWorkWaiting = true;
  };
  return {
    // The family's operation with that id is the one from which the entry was made.
    call: async (entry, input) => core.call(await loadOperation(entry), input, cli) as never,
    callOnBody: async (entry, body) => callOnBody(core, await loadOperation(entry), body, cli),
    callToText: async (entry, input) => callToText(core, await loadOperation(entry), input, cli),
    where: { kind: "process" },
    close: async () => {
      // After the answer was printed, which need not wait for the jobs.
      const hindrance = isWorkWaiting ? await runDueJobs(core) : undefined;
      await core.close();
      if (hindrance !== undefined) process.stderr.write(`memsvc: ${hindrance}\n`);
    },
  };
}
