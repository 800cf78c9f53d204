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

/** Whether any folder on a path, or the file itself, has a name that is typical for secrets. Case is ignored. */
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
