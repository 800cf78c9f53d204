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

/** Makes an id for a kind of record. */
export type IdSource = (kind: RecordKind) => string;

/** Loads the module when the first id is made: 4 ms that a command which only reads does not pay. */
function randomBytes(size: number): Uint8Array {
  return process.getBuiltinModule("node:crypto").randomBytes(size);
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * Ids of the form `mem_<26 characters>`: 48 bits of time, then 80 random bits, in lower-case base 32 (the ULID
 * layout), so that they sort by creation. Within one millisecond the random part counts up.
 */
export function idSource(
  now: () => number = Date.now,
  random: (size: number) => Uint8Array = randomBytes,
): IdSource {
  let lastTime = -1;
  let tail: number[] = [];
  return (kind) => {
    const time = Math.max(now(), lastTime);
    if (time === lastTime) countUp(tail);
    else tail = Array.from(random(16), (byte) => byte % 32);
    lastTime = time;
    return `${idPrefixes[kind]}_${timePart(time)}${tail.map((digit) => alphabet[digit]).join("")}`;
  };
}

function timePart(time: number): string {
  let rest = time;
  let text = "";
  for (let position = 0; position < 10; position += 1) {
    text = alphabet[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function countUp(digits: number[]): void {
  for (let position = digits.length - 1; position >= 0; position -= 1) {
    const next = (digits[position] ?? 0) + 1;
    digits[position] = next % 32;
    if (next < 32) return;
  }
}
