import Database from "libsql";
import { stopWords } from "../../src/text/stop-words.ts";
import type { Pool } from "./pools.ts";

export interface PlainSearch {
  search(query: string, limit: number): string[];
  close(): void;
}

/** The baseline, plain FTS5: porter stemming, any word of the query except stop words, bm25() with default weights. */
export function plainFts({ docs }: Pool): PlainSearch {
  const database = new Database(":memory:");
  database.exec("CREATE VIRTUAL TABLE plain USING fts5(title, body, tokenize='porter unicode61')");
  const insert = database.prepare("INSERT INTO plain (rowid, title, body) VALUES (?, ?, ?)");
  docs.forEach(([, title, body], at) => {
    insert.run([at + 1, title, body]);
  });
  const find = database.prepare(
    "SELECT rowid AS id FROM plain WHERE plain MATCH ? ORDER BY bm25(plain) LIMIT ?",
  );
  return {
    search: (query, limit) => {
      const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
      const telling = [...new Set(words)].filter((word) => !stopWords.has(word));
      if (telling.length === 0) return [];
      const match = telling.map((word) => `"${word}"`).join(" OR ");
      return find
        .all([match, limit])
        .flatMap((row) => docs[Number((row as { id: number }).id) - 1]?.[0] ?? []);
    },
    close: () => database.close(),
  };
}
