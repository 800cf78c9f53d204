import type { Candidate } from "./ranked-candidates.ts";

/*
 * A message or a tool call is rarely understood alone: the question stands in one, its answer in the next. So a
 * document is judged by its own words and by the best that each word of the query finds among its nearest neighbours
 * in the session. Each word counts once, by its best place: neighbours that all say the same are no more than one.
 * What came before says more about a document than what follows, and most of all a question that it answers.
 *
 * The messages of a conversation lean on each other, and the more so the shorter they are: "three times a week" says
 * nothing alone, a page of advice says nearly all. What a tool did mostly stands for itself, and where it took more of
 * the words around it, it hid the event that was asked for.
 *
 * Neighbours are told by the order in which the rows were written. Where two sessions run at the same time their rows
 * alternate, and the nearest are a little farther away.
 */

const nearRows = 2;
const decayBefore = 0.8;
const decayAfter = 0.7;
const questionShare = 1.2;
const nearShare = 1;
/** Of the nearest messages, for a message of hardly any words. */
const messageShare = 5;
/** By so many words more, a message leans on the others half as much. */
const halfLeaningWords = 12;
const messageType = "conversation";

/** What a candidate is worth where it stands. */
export interface Placed {
  /** On the scale of one document's own score. */
  readonly score: number;
  /** The best that each word finds in the document or among its nearest neighbours. */
  readonly near: Float64Array;
}

/**
 * Judges the candidates, in their order, with what stands around them. `answers`: ids of candidates that answer
 * another, each with the id of its question.
 */
export function judgeInSurroundings(
  candidates: readonly Candidate[],
  answers: ReadonlyMap<number, number>,
): Placed[] {
  const placed: Placed[] = candidates.map(({ score, parts }) => ({ score, near: parts }));
  for (const members of sessionsOf(candidates)) {
    for (const [place, { at, candidate }] of members.entries()) {
      const near = Float64Array.from(candidate.parts);
      const messages = Float64Array.from(candidate.parts);
      let leaning = 0;
      const meet = (other: Member | undefined) => {
        if (other === undefined) return false;
        const rowsAhead = other.candidate.id - candidate.id;
        const distance = Math.abs(rowsAhead);
        if (distance > nearRows) return false;
        const isQuestion = answers.get(candidate.id) === other.candidate.id;
        const share = isQuestion ? questionShare : (rowsAhead < 0 ? decayBefore : decayAfter) ** distance;
        raise(near, other.candidate.parts, share);
        if (candidate.type === messageType && other.candidate.type === messageType) {
          raise(messages, other.candidate.parts, share);
          leaning = messageShare * 2 ** (-wordsOf(candidate) / halfLeaningWords);
        }
        return true;
      };
      for (let before = place - 1; meet(members[before]); ) before -= 1;
      for (let after = place + 1; meet(members[after]); ) after += 1;
      const sum = candidate.score + nearShare * sumOf(near) + leaning * sumOf(messages);
      placed[at] = { score: sum / (1 + nearShare + leaning), near };
    }
  }
  return placed;
}

interface Member {
  readonly at: number;
  readonly candidate: Candidate;
}

/** Sessions with more than one candidate, each in the order of its rows. */
function sessionsOf(candidates: readonly Candidate[]): Member[][] {
  const sessions = new Map<string, Member[]>();
  for (const [at, candidate] of candidates.entries()) {
    if (candidate.sessionId === null) continue;
    const members = sessions.get(candidate.sessionId);
    if (members === undefined) sessions.set(candidate.sessionId, [{ at, candidate }]);
    else members.push({ at, candidate });
  }
  return [...sessions.values()]
    .filter(({ length }) => length > 1)
    .map((members) => members.sort((a, b) => a.candidate.id - b.candidate.id));
}

function wordsOf({ document: { lengths } }: Candidate): number {
  return lengths.title + lengths.body;
}

function raise(best: Float64Array, parts: Float64Array, share: number): void {
  for (let word = 0; word < best.length; word++) {
    best[word] = Math.max(best[word] ?? 0, share * (parts[word] ?? 0));
  }
}

function sumOf(parts: Float64Array): number {
  let total = 0;
  for (const part of parts) total += part;
  return total;
}
