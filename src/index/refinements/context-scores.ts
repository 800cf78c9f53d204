import { type Candidate, sumOf } from "../keyword/candidate.ts";

/*
 * A message or a tool call is rarely understood alone: one contains a question, the next its answer. So a document is
 * scored by its own words and by those of its nearest neighbours in the session. Of each word of the query only the
 * best occurrence counts, so that several neighbours that say the same count no more than one. The documents before it
 * say more about a document than those after it; a question that it answers says most.
 *
 * Messages of a conversation depend on their neighbours, the more so the shorter they are: "three times a week" says
 * nothing alone, a page of advice says nearly everything. A tool call mostly speaks for itself: giving it more of the
 * words around it would hide the event that was asked for.
 *
 * Neighbours are found by document ids, which ascend in the order of writing. The rows of two sessions that run at the
 * same time alternate, so the nearest neighbours may be a few ids away.
 */

const nearRows = 2;
const decayBefore = 0.8;
const decayAfter = 0.7;
const questionShare = 1.2;
const nearShare = 1;
/** The weight of the nearest messages for a message of hardly any words, relative to the message's own score. */
const messageShare = 5;
/** With this many words more, a message depends half as much on its neighbours. */
const halfLeaningWords = 12;

/** The scores of candidates in their context, in the order of the candidates. */
interface Placed {
  /** On the same scale as the candidates' own scores. */
  readonly scores: Float64Array;
  /** For each word of the query, its largest contribution in the document or its nearest neighbours. */
  readonly near: readonly Float64Array[];
}

/**
 * Scores candidates with their neighbours among the candidates. `answers`: ids of candidates that answer another, each
 * with the id of its question.
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

/** The score of a candidate with its neighbours on both sides, and the largest contribution of each word. */
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

/** The share of a neighbour's parts that counts for a candidate; 0 if the neighbour is too far away. */
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

/** The candidates of each session with more than one candidate, by ascending id. */
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
