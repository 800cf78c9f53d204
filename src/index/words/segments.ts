import type { Transaction } from "../../store/store.ts";

/*
 * What a commit adds to the inverted index is a segment of its own, and segments are merged as they become many. Left to
 * itself FTS5 does that in every commit that has written the sixty-fourth page since the last time, 64 pages a level:
 * that commit takes 15 ms and more, and whoever is behind it waits. So that is turned off, and every few documents a few
 * pages are merged on the thread that commits. Works that write thousands have it turned on (word-buffer.ts).
 */

const everyDocuments = 8;
/** A document's words take up to a page, which is written anew on each of four levels or so. */
const pagesEach = 64;
/** Of one commit: some 15 ms. */
const mostPages = 256;

/** `last`: id of the last document of those that were `inserted`, whose ids are consecutive. */
export function mergeSegments(tx: Transaction, { last, inserted }: { last: number; inserted: number }): void {
  const due = Math.floor(last / everyDocuments) - Math.floor((last - inserted) / everyDocuments);
  if (due === 0) return;
  const pages = Math.min(due * pagesEach, mostPages);
  tx.leaveToCommit(`INSERT INTO documents_fts (documents_fts, rank) VALUES ('merge', ${pages})`);
}
