/**
 * Statements that create the inverted index over `documents`, to be run in this order once that table exists.
 *
 * The index stores no text (`content=''`). It is fed with index tokens joined by blanks, so its tokenizer has nothing
 * to do but split at blanks: `ascii` takes every character beyond ASCII as part of a word, whatever the Unicode
 * version, and the separators inside compounds are declared as token characters. Writers replace the row of a changed
 * document; the trigger deletes the row of a deleted one.
 */
export const ftsSchemaSql: readonly string[] = [
  `CREATE VIRTUAL TABLE documents_fts USING fts5(
  title, concepts, files, body, scope,
  content='', contentless_delete=1, detail=full,
  tokenize="ascii tokenchars '_-./\\'"
)`,
  `CREATE VIRTUAL TABLE documents_terms USING fts5vocab('documents_fts', 'row')`,
  `CREATE TRIGGER documents_delete_fts AFTER DELETE ON documents BEGIN
  DELETE FROM documents_fts WHERE rowid = old.id;
END`,
  // See segments.ts.
  `INSERT INTO documents_fts (documents_fts, rank) VALUES ('automerge', 0)`,
];
