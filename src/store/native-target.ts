import { closeSync, openSync, readSync } from "node:fs";

export { nativePackage } from "./native-package.ts";

/*
 * Determines which of libsql's native packages fits this machine. The build substitutes this for the two packages that
 * libsql uses (`@neon-rs/load`, `detect-libc`), which create a diagnostic report of the whole process to read one word
 * of it: 8 ms in every command that opens a store.
 */

export const GLIBC = "glibc";
export const MUSL = "musl";

/** The name of the native package without its scope, such as `linux-x64-gnu`. */
export function currentTarget(): string {
  const { platform, arch } = process;
  if (platform === "win32") return `win32-${arch}-msvc`;
  if (platform !== "linux") return `${platform}-${arch}`;
  const isMusl = familySync() === MUSL;
  if (arch === "arm") return isMusl ? "linux-arm-musleabihf" : "linux-arm-gnueabihf";
  return `linux-${arch}-${isMusl ? "musl" : "gnu"}`;
}

let family: typeof GLIBC | typeof MUSL | undefined;

/** The C library that this Node was built for. */
export function familySync(): typeof GLIBC | typeof MUSL {
  family ??= isForMusl() ? MUSL : GLIBC;
  return family;
}

function isForMusl(): boolean {
  try {
    return startOf(process.execPath).includes("/ld-musl-");
  } catch {
    // Without /proc, as in some sandboxes, Node does not know where its executable is; or the file may be executable
    // but not readable. Then the diagnostic report has to be used.
    const { header } = process.report.getReport() as { readonly header?: object };
    return header !== undefined && !("glibcVersionRuntime" in header);
  }
}

/** libsql asks for a local build only if LIBSQL_JS_DEV is set. */
export function load(): null {
  return null;
}

/** The first page of an executable, which names its dynamic loader, a part of the C library. */
function startOf(file: string): string {
  const start = Buffer.alloc(4_096);
  const opened = openSync(file, "r");
  try {
    readSync(opened, start);
  } finally {
    closeSync(opened);
  }
  return start.toString("latin1");
}
