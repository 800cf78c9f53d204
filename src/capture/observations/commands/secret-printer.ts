import { isNamedSecret } from "../../../text/redaction/secret-names.ts";
import { commandParts } from "./command-steps.ts";

/*
 * Commands whose whole output is a secret, as `gh auth token` or `cat initialAdminPassword`: nothing in the output
 * shows that it is one.
 */

/** What comes before a command that is run elsewhere, or by another user. */
const before =
  "(?:\\w+=\\S* )*(?:sudo (?:-\\w+ )*)?(?:(?:docker|podman|kubectl|oc|ssh)\\b.* ['\"]?(?:sudo )?)?";

const secretFile =
  "(?:initialAdminPassword|\\.vault-token|/run/secrets/[\\w./-]+|(?:[\\w-]*[_-])?(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key)(?:\\.(?:txt|key|secret))?)";

const printers = [
  "bw (?:unlock|login)\\b.* --raw\\b",
  "bw get (?:password|totp)\\b",
  "(?:gh|fly|flyctl) auth token\\b",
  "heroku auth:token\\b",
  "vault print token\\b",
  "vault (?:token|read|kv|write)\\b.* -field\\b",
  "op read\\b",
  "(?:pass|gopass) show\\b",
  "aws ecr get-login-password\\b",
  "aws codeartifact get-authorization-token\\b",
  "aws rds generate-db-auth-token\\b",
  "aws configure get \\S*(?:secret|token)",
  "aws (?:secretsmanager get-secret-value|ssm get-parameter)\\b.* --output[ =]text\\b",
  "gcloud (?:beta )?auth (?:application-default )?print-(?:access|identity)-token\\b",
  "gcloud secrets versions access\\b",
  "az (?:account get-access-token|keyvault secret show)\\b",
  "(?:kubectl|oc) (?:-\\S+ \\S+ )*(?:create token|get secrets?\\b.*(?:jsonpath|template))",
  "oc whoami (?:-t|--show-token)\\b",
  "openssl rand\\b",
  "(?:head|dd|tr)\\b.*/dev/u?random\\b",
  "(?:rails|rake|bin/rails) secret\\b",
  "security find-(?:generic|internet)-password\\b.* -\\w*w\\b",
  "secret-tool lookup\\b",
  "terraform output -raw \\S*(?:passw|secret|token|key)",
  `(?:cat|head|tail|less|more|bat)\\b.*[ /'"]${secretFile}['"]?$`,
];
const printer = new RegExp(`^${before}(?:${printers.join("|")})`, "i");
const variable =
  /^(?:echo|printf|printenv|Write-Output)(?: -\w+| ["']%s(?:\\n)?["'])* "?\$?\{?(?:env:)?(\w+)\}?"?$/;

/** What changes the form of a text, but prints nothing of its own. */
const filter = /^(?:base64|base32|xxd|tr|head|tail|cut|jq|sed|awk|grep|xargs|tee)\b/;
/** What prints nothing, or words with blanks. */
const silent = /^(?:cd|export|set|unset|source|\.|true|:|sleep|mkdir|umask|echo ["'][^"'$`]*["']|$|#)(?= |$)/;

/** Bounds the time that the patterns take; commands that print secrets are short. */
const longestRead = 300;

/** Whether a command prints nothing but a secret. */
export function printsOnlySecrets(command: string): boolean {
  let prints = false;
  for (const { after, text } of commandParts(command)) {
    const line = text.trim().replace(/\s+/gu, " ").slice(0, longestRead);
    const isPrinter = after !== "|" && (printer.test(line) || printsVariable(line));
    if (!isPrinter && !(after === "|" ? filter : silent).test(line)) return false;
    prints ||= isPrinter;
  }
  return prints;
}

/** A value that is long enough for every kind of name. */
const anyValue = "x1".repeat(10);

function printsVariable(line: string): boolean {
  const name = variable.exec(line)?.[1];
  return name !== undefined && isNamedSecret(name, anyValue);
}
