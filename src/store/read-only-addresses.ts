import { pathToFileURL } from "node:url";
import { fileSize } from "../paths/file-size.ts";

/**
 * SQLite URIs for reading a file, to be tried in this order. To read a file with a write-ahead log, SQLite needs the
 * log's index, which it would have to create. A file without a log, or with an empty one, can be opened as immutable,
 * which needs no index.
 */
export function readOnlyAddresses(path: string): string[] {
  const address = pathToFileURL(path).href;
  const hasLog = fileSize(`${path}-wal`) > 0;
  return [`${address}?mode=ro`, ...(hasLog ? [] : [`${address}?immutable=1`])];
}
