import { setFlagsFromString } from "node:v8";

/*
 * V8 reads these flags whenever a heap could grow, also in threads, so they take effect at run time.
 *
 * A daemon runs for weeks beside its user's own programs. By default V8 lets the old generation double before it
 * collects it, and gives the young generation 32 MB. Held short, the daemon takes 50 MB less, at a cost of a few
 * percent of its time. For an import, which leaves 200 kB of garbage per row, the cost would be a quarter of the time,
 * and for an export a fifth. So while one of these runs, the young generation has its usual size, and the heap may grow
 * by half before it is collected, which takes 20 to 30 MB more.
 *
 * V8 also guesses which objects will live long, and allocates them in the old generation at once. For objects of a
 * search that guess was wrong: the old generation was collected twice as often, and each time V8 dropped compiled code.
 */

let isHeldShort = false;
let roomyWorks = 0;

export function keepHeapsSmall(): void {
  isHeldShort = true;
  setFlagsFromString("--no-allocation-site-pretenuring");
  setFlags();
}

/** Gives heaps room for work that makes much garbage, until the function that it returns is called. */
export function enlargeHeaps(): () => void {
  roomyWorks += 1;
  setFlags();
  return () => {
    roomyWorks -= 1;
    setFlags();
  };
}

function setFlags(): void {
  if (!isHeldShort) return;
  const isRoomy = roomyWorks > 0;
  setFlagsFromString(isRoomy ? "--no-optimize-for-size" : "--optimize-for-size");
  // 0 stands for V8's own choice.
  setFlagsFromString(`--heap-growing-percent=${isRoomy ? 50 : 0}`);
}
