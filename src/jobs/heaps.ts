import { setFlagsFromString } from "node:v8";

/*
 * V8 reads these flags whenever a heap could grow, those of threads too, so they hold from then on.
 *
 * A daemon stays for weeks beside its user's own programs. By itself V8 lets the heap double before it collects old
 * objects, and gives new ones 32 MB. Kept small, the heap takes 50 MB less and the program a few hundredths more time.
 * But imports, which leave 200 kB of garbage for every row, would take a quarter more time, and exports a fifth: while
 * one runs, new objects get their usual room and the heap grows by half before it is collected, for 20 to 30 MB more.
 *
 * V8 also guesses which objects will live long and puts them among the old at once (pretenuring). Of what a search holds
 * the guess is wrong: old objects were collected twice as often, and each time V8 dropped code that it had to compile
 * again.
 */

let isHeldShort = false;
let roomyWorks = 0;

export function keepHeapsSmall(): void {
  isHeldShort = true;
  setFlagsFromString("--no-allocation-site-pretenuring");
  setFlags();
}

/** Gives heaps room for a work that leaves much behind, until what it gives is called. */
export function giveHeapsRoom(): () => void {
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
  // 0: as V8 sees fit.
  setFlagsFromString(`--heap-growing-percent=${isRoomy ? 50 : 0}`);
}
