INSERT INTO documents_fts (documents_fts, rank) VALUES ('automerge', 0);
