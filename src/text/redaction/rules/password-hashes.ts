import type { TokenFormat } from "../token-format.ts";

/** Password hashes, which allow weak passwords to be guessed: crypt(3), Argon2, Django, LDAP. */
export const passwordHashes: readonly TokenFormat[] = [
  { name: "bcrypt", starts: ["$2a$", "$2b$", "$2y$"], body: "\\d\\d\\$[./A-Za-z0-9]{20,}" },
  { name: "md5-crypt", starts: ["$1$", "$apr1$"], body: "[./A-Za-z0-9]{1,8}\\$[./A-Za-z0-9]{22}" },
  {
    name: "sha-crypt",
    starts: ["$5$", "$6$"],
    body: "(?:rounds=\\d{1,9}\\$)?[./A-Za-z0-9]{1,16}\\$[./A-Za-z0-9]{43,}",
  },
  {
    name: "yescrypt",
    starts: ["$y$", "$7$"],
    body: "[./A-Za-z0-9]{1,16}\\$[./A-Za-z0-9]{1,86}\\$[./A-Za-z0-9]{43,}",
  },
  {
    name: "argon2",
    starts: ["$argon2id$", "$argon2i$", "$argon2d$"],
    body: "(?:v=\\d+\\$)?[mtp=,\\d]{5,40}\\$[A-Za-z0-9+/]{8,}\\$[A-Za-z0-9+/]{16,}",
  },
  {
    name: "django",
    starts: ["pbkdf2_sha256$", "pbkdf2_sha1$"],
    body: "\\d+\\$[A-Za-z0-9]{6,}\\$[A-Za-z0-9+/]{20,}=*",
  },
  { name: "ldap", starts: ["{ssha}", "{ssha256}", "{ssha512}", "{smd5}"], body: "[A-Za-z0-9+/]{20,}=*" },
];
