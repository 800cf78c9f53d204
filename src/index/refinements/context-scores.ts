import { type Candidate, sumOf } from "../keyword/candidate.ts";

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

/** What candidates are worth where they stand, in their order. */
export interface Placed {
  /** On the scale of one document's own score. */
  readonly scores: Float64Array;
  /** The best that each word finds in the document or among its nearest neighbours. */
  readonly near: readonly Float64Array[];
}

/**
 * Judges the candidates, in their order, with what stands around them. `answers`: ids of candidates that answer
 * another, each with the id of its question.
 */
export function scoreInContext(
  candidates: readonly Candidate[],
  answers: ReadonlyMap<number, number>,
): Placed {
  const scores = new Float64Array(candidates.length);
  const near: Float64Array[] = [];
  for (const [at, { score, parts }] of candidates.entries()) {
    scores[at] = score;
    near.push(parts);
  }
  for (const members of sessionsOf(candidates)) {
    for (const [place, member] of members.entries()) {
      const { score, best } = judgeMember(member, place, members, answers);
      scores[member.at] = score;
      near[member.at] = best;
    }
  }
  return { scores, near };
}

/** What a candidate is worth with its neighbours on both sides, and the best that each word finds among them. */
function judgeMember(
  { candidate }: Member,
  place: number,
  members: readonly Member[],
  answers: ReadonlyMap<number, number>,
): { readonly score: number; readonly best: Float64Array } {
  const best = candidate.parts.slice();
  const messages = candidate.parts.slice();
  let leaning = 0;
  for (const step of [-1, 1]) {
    for (let other = place + step; ; other += step) {
      const neighbour = members[other]?.candidate;
      const share = neighbour === undefined ? 0 : shareOf(neighbour, candidate, answers);
      if (neighbour === undefined || share === 0) break;
      raise(best, neighbour.parts, share);
      if (!candidate.isMessage || !neighbour.isMessage) continue;
      raise(messages, neighbour.parts, share);
      leaning = messageShare * 2 ** (-candidate.words / halfLeaningWords);
    }
  }
  const sum = candidate.score + nearShare * sumOf(best) + leaning * sumOf(messages);
  return { score: sum / (1 + nearShare + leaning), best };
}

/** How much of a neighbour's parts counts for a candidate; 0 where it is too far away. */
function shareOf(neighbour: Candidate, { id }: Candidate, answers: ReadonlyMap<number, number>): number {
  const rowsAhead = neighbour.id - id;
  const distance = Math.abs(rowsAhead);
  if (distance > nearRows) return 0;
  if (answers.get(id) === neighbour.id) return questionShare;
  return (rowsAhead < 0 ? decayBefore : decayAfter) ** distance;
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

function raise(best: Float64Array, parts: Float64Array, share: number): void {
  for (let word = 0; word < best.length; word++) {
    best[word] = Math.max(best[word] ?? 0, share * (parts[word] ?? 0));
  }
}
