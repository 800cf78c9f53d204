const exact = new Set([
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".password-store",
  ".netrc",
  ".npmrc",
  ".pypirc",
  "credentials",
  "credentials.json",
  "token",
  "tokens",
  "token.json",
]);
const beginnings = [".env", "id_rsa", "id_ed25519", "id_ecdsa"] as const;
const parts = ["secret", "credential", "private_key"] as const;
const endings = [".pem", ".key", ".p12", ".pfx", ".kdbx"] as const;

/** Whether a folder or the file on a path has a name that secrets are kept under. Case does not matter. */
export function isSensitive(path: string): boolean {
  return path
    .toLowerCase()
    .split(/[/\\]/u)
    .some(
      (name) =>
        exact.has(name) ||
        beginnings.some((beginning) => name.startsWith(beginning)) ||
        parts.some((part) => name.includes(part)) ||
        endings.some((ending) => name.endsWith(ending)),
    );
}
