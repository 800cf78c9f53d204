import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const everyMs = 40;

/** Runs garbage collections all the time while `work` runs, as happens by itself in a busy process. */
export async function whileCollecting<T>(work: () => Promise<T>): Promise<T> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const timer = setInterval(collect, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
