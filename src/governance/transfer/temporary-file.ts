import { randomBytes } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { removeUnfinished } from "../../paths/remove-unfinished.ts";

const pieceBytes = 256 * 1024;

/**
 * A file for what an import does not hold in memory. It is unlinked while it is open, so that nothing is left
 * behind however the process ends; where the system does not allow that, close() removes it.
 */
export class TemporaryFile {
  readonly #handle: FileHandle;
  readonly #path: string;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#path = path;
  }

  static async open(folder: string): Promise<TemporaryFile> {
    // Left by a process that was killed before it could unlink its file.
    await removeUnfinished(folder, (name) => /^import-[0-9a-f]{16}\.tmp$/u.test(name));
    const path = join(folder, `import-${randomBytes(8).toString("hex")}.tmp`);
    const handle = await open(path, "wx+", 0o600);
    // Windows does not unlink an open file; there close() removes it.
    await rm(path, { force: true }).catch(() => undefined);
    return new TemporaryFile(handle, path);
  }

  /** The file descriptor, from which all threads of this process may read. */
  get descriptor(): number {
    return this.#handle.fd;
  }

  async append(bytes: Uint8Array): Promise<void> {
    await this.#handle.appendFile(bytes);
  }

  /** All bytes, in chunks. */
  async *pieces(): AsyncGenerator<Buffer> {
    for (let position = 0; ; ) {
      const { bytesRead, buffer } = await this.#handle.read({ buffer: Buffer.alloc(pieceBytes), position });
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      position += bytesRead;
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
    await rm(this.#path, { force: true });
  }
}
