import type { Settings } from "../../config/load.ts";
import type { JsonParts } from "../../json/json-splitter.ts";
import type { ByteStream } from "../../operation/define.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { type FileHead, FileReader } from "./read-file.ts";
import { splitBody } from "./split-body.ts";
import type { TemporaryFile } from "./temporary-file.ts";
import { Warnings } from "./warnings.ts";

/** A member of the export in a body: from its first byte to after its last one. */
export interface Member {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** What is known of a body before its rows are read: its head, and where its collections are. */
export interface Outline extends FileHead {
  readonly members: readonly Member[];
}

/**
 * Writes the body of an import to a file as it arrives, and finds where its collections are. Errors:
 * invalid_input with the first faults in the body; too_large.
 */
export async function keepBody(
  { settings }: { readonly settings: Pick<Settings, "maxImportBytes"> },
  body: ByteStream,
  file: TemporaryFile,
  warnings: Warnings,
): Promise<Outline> {
  const members: Member[] = [];
  const reader = new FileReader(warnings);
  const parts: JsonParts = {
    descends: (path, kind) => path.length < 2 && reader.descends(path, kind),
    opened: (path) => reader.opened(path),
    value: (path, value) => reader.value(path, value),
    leaves: (path, kind) => path.length === 2 && reader.descends(path, kind),
    left: ([, member], from, to) => {
      const name = String(member);
      reader.noteMember(name);
      members.push({ name, from, to });
    },
  };
  await splitBody(body, parts, (piece) => file.append(piece), {
    maxBytes: settings.maxImportBytes,
    tooLarge,
  });
  try {
    return { ...reader.head(), members };
  } catch (error) {
    // The rows may have faults that come earlier in the body: those are reported instead.
    await checkBody(file);
    throw error;
  }
}

/** Checks a body from beginning to end. Error: invalid_input with the first faults. */
export async function checkBody(file: TemporaryFile): Promise<void> {
  const reader = new FileReader(new Warnings());
  await splitBody(file.pieces(), reader, async () => undefined, {
    maxBytes: Number.POSITIVE_INFINITY,
    tooLarge,
  });
  reader.head();
}

function tooLarge(maxBytes: number): MemsvcError {
  return new MemsvcError("too_large", `the import is larger than ${maxBytes} bytes`, {
    hint: "raise MEMSVC_MAX_IMPORT_BYTES, or import it in pages (export with maxSessions and offset)",
  });
}
