import { setFlagsFromString } from "node:v8";

/*
 * V8 reads these flags whenever a heap could grow, those of threads too, so they hold from then on.
 *
 * A daemon stays for weeks beside its user's own programs. Left alone, V8 lets its heap double before it collects what
 * is old, and gives what is new 32 MB; held short, it takes 50 MB less for a few hundredths of the time. Of an import,
 * which leaves 200 kB behind for every row, that becomes a quarter, and of an export a fifth: while one runs, what is
 * new has its room, and the heap grows by half before it is collected, which takes 20 to 30 MB more.
 *
 * V8 also guesses what will live long and puts it among the old at once. What a search holds is such a guess, a wrong
 * one: the old were collected twice as often, and each time V8 forgot code that it then compiled anew.
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
