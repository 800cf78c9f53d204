/** Prefixes of the ids that the service makes, one per kind of record. */
export const idPrefixes = {
  memory: "mem",
  observation: "obs",
  session: "ses",
  semantic: "sem",
  procedural: "prc",
  relation: "rel",
  audit: "aud",
  snapshot: "snp",
  lesson: "lsn",
  insight: "ins",
  crystal: "cry",
  graphNode: "gnd",
  graphEdge: "ged",
  action: "act",
  actionEdge: "aed",
  lease: "lea",
  job: "job",
  routine: "rtn",
  routineRun: "run",
  signal: "sig",
  thread: "thr",
  checkpoint: "chk",
  sentinel: "snl",
  sketch: "skt",
  facet: "fct",
  teamItem: "tsi",
  meshPeer: "peer",
} as const;

export type RecordKind = keyof typeof idPrefixes;

/** Whether an id has the form of those that the service makes for a kind of record. */
export function isIdOf(kind: RecordKind, id: string): boolean {
  return id.startsWith(`${idPrefixes[kind]}_`);
}

/** Makes an id for a kind of record. */
export type IdSource = (kind: RecordKind) => string;

/** Loads the module when the first id is made, which saves commands that only read 4 ms. */
function randomBytes(size: number): Uint8Array {
  return process.getBuiltinModule("node:crypto").randomBytes(size);
}

/** Crockford's base 32 in lower case: no two digits look alike. */
export const base32Digits = "0123456789abcdefghjkmnpqrstvwxyz";
const randomDigits = 16;
/** How many ids' worth of random bytes are drawn at once, since each draw costs more than making an id. */
const idsPerDraw = 256;

/**
 * Ids of the form `mem_<26 characters>`: 48 bits of time, then 80 random bits, in lower-case base 32 (the ULID
 * layout), so that they sort by creation. Within one millisecond the random part counts up.
 */
export function idSource(now: () => number = Date.now): IdSource {
  let lastTime = -1;
  let time = "";
  let drawn = new Uint8Array(0);
  let used = 0;
  let tail = drawn;
  return (kind) => {
    const current = Math.max(now(), lastTime);
    if (current === lastTime) countUp(tail);
    else {
      if (used === drawn.length) {
        drawn = Uint8Array.from(randomBytes(randomDigits * idsPerDraw), (byte) => byte % 32);
        used = 0;
      }
      tail = drawn.subarray(used, used + randomDigits);
      used += randomDigits;
      time = timePart(current);
    }
    lastTime = current;
    let text = `${idPrefixes[kind]}_${time}`;
    for (const digit of tail) text += base32Digits[digit];
    return text;
  };
}

function timePart(time: number): string {
  let rest = time;
  let text = "";
  for (let position = 0; position < 10; position += 1) {
    text = base32Digits[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function countUp(digits: Uint8Array): void {
  for (let position = digits.length - 1; position >= 0; position -= 1) {
    const next = (digits[position] ?? 0) + 1;
    digits[position] = next % 32;
    if (next < 32) return;
  }
}
