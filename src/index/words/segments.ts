import type { Transaction } from "../../store/store.ts";

/*
 * Each commit adds a segment to the inverted index, and segments have to be merged before there are too many. FTS5's
 * automerge does that within a write: after every 64 pages written it merges 64 pages per level of segments. Such a
 * commit takes 15 ms or more, and the writers behind it wait. So automerge is off, and after every few documents the
 * thread that commits merges a few pages. Bulk writes turn automerge on (word-buffer.ts).
 */

const everyDocuments = 8;
/** Pages to merge per `everyDocuments`: a document fills up to a page, which is rewritten on about four levels. */
const pagesEach = 64;
/** The most pages that one commit merges, which takes about 15 ms. */
const mostPages = 256;

/** `inserted`: the number of documents inserted, with consecutive ids; `last`: the id of the last of them. */
export function mergeSegments(tx: Transaction, { last, inserted }: { last: number; inserted: number }): void {
  const due = Math.floor(last / everyDocuments) - Math.floor((last - inserted) / everyDocuments);
  if (due === 0) return;
  const pages = Math.min(due * pagesEach, mostPages);
  tx.leaveToCommit(`INSERT INTO documents_fts (documents_fts, rank) VALUES ('merge', ${pages})`);
}
