import type { MemsvcError } from "../operation/errors.ts";
import { inodeOf } from "../paths/inode.ts";
import { isReadable } from "../paths/is-readable.ts";
import type { Driver } from "./driver.ts";
import { sqliteCode } from "./faults.ts";
import { openFileView } from "./file-view.ts";
import { LocalConnection, type LocalDriverOptions, lazyConnection } from "./local-connection.ts";
import { isCurrent } from "./migrate.ts";
import { readOnlyAddresses } from "./read-only-addresses.ts";
import type { Sql } from "./sql.ts";

/** Reads a file that cannot be written to; every write fails with the reason. */
export class ReadOnlyDriver implements Driver {
  readonly kind = "file";
  readonly reader: Sql;
  readonly #options: LocalDriverOptions;
  readonly #fault: MemsvcError;
  readonly #path: string;
  #inode: bigint | undefined;
  #replaced: () => void = () => undefined;
  #connection: LocalConnection | undefined;

  /** `address`: the SQLite URI for reading the file; `fault`: why it cannot be written to. */
  constructor(path: string, address: string, fault: MemsvcError) {
    this.#path = path;
    this.#inode = inodeOf(path);
    this.#options = { path: address, durability: "full", isReadOnly: true };
    this.#fault = fault;
    const connection = () => {
      this.#connection ??= new LocalConnection(this.#options);
      return this.#connection;
    };
    this.reader = lazyConnection(connection);
  }

  get reason(): string {
    return this.#fault.message;
  }

  openView(): ReturnType<Driver["openView"]> {
    return openFileView(this.#options);
  }

  async begin(): Promise<never> {
    throw this.#fault;
  }

  reconnect(): void {
    // Nothing to do: a file that is only read is never busy.
  }

  followFile(): void {
    const inode = inodeOf(this.#path);
    if (inode === undefined || inode === this.#inode) return;
    this.close();
    this.#inode = inode;
    this.#replaced();
  }

  onReplaced(listener: () => void): void {
    this.#replaced = listener;
  }

  async emptyLog(): Promise<never> {
    throw this.#fault;
  }

  async settled(): Promise<void> {
    // Nothing runs in the background.
  }

  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }
}

/** Undefined if the file cannot be read either, or has another schema than this program's. */
export async function openReadOnly(path: string, fault: MemsvcError): Promise<ReadOnlyDriver | undefined> {
  if (!isReadable(path)) return undefined;
  for (const address of readOnlyAddresses(path)) {
    const driver = new ReadOnlyDriver(path, address, fault);
    try {
      if (await isCurrent(driver.reader)) return driver;
    } catch (error) {
      if (sqliteCode(error) === undefined) throw error;
    }
    driver.close();
  }
  return undefined;
}
