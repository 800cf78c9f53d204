import { closeSync, openSync, readSync } from "node:fs";

export { nativePackage } from "./native-package.ts";

/*
 * Which of libsql's native packages fits this machine. The build puts this in the place of the two packages by
 * which libsql finds out (`@neon-rs/load`, `detect-libc`): they ask for a diagnostic report of the whole process
 * and read one word of it, which takes 8 ms of every command that opens a store.
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
    // Without /proc, as in a sandbox, Node does not know where its program lies; or it may be run and not read.
    const { header } = process.report.getReport() as { readonly header?: object };
    return header !== undefined && !("glibcVersionRuntime" in header);
  }
}

/** libsql asks for a build of its own only where LIBSQL_JS_DEV is set. */
export function load(): null {
  return null;
}

/** A program names its dynamic loader, which belongs to the C library, on its first page. */
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
