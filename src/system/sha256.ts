/** The SHA-256 of a text or of bytes, in hexadecimal digits. The module is loaded by the first call. */
export function sha256(content: string | Uint8Array): string {
  return process.getBuiltinModule("node:crypto").hash("sha256", content);
}
