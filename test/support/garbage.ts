import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const everyMs = 40;

/** Collects garbage again and again while the work is done, as a busy process does by itself. */
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
