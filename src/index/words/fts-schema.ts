/**
 * The inverted index over `documents`, in the order of statements to run after that table exists.
 *
 * It holds no text of its own (`content=''`) and is fed prepared tokens joined by blanks, so its tokenizer has
 * nothing to decide: `ascii` takes every character beyond ASCII as part of a word, in whatever Unicode version,
 * and the separators inside compounds are declared as parts of words too. Writers replace a document's row;
 * the trigger sees to it that no deleted document leaves one behind.
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
