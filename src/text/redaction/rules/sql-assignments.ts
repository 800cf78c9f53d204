import { matchAt } from "../../match-at.ts";
import { closingQuote, openingBefore } from "../quoted-values.ts";
import { noSpans, type Rule } from "../rule.ts";
import { isSecretLiteral, secretColumn } from "./secret-columns.ts";

/* The function that makes a hash of the password may come before it: `SET password = crypt('…', gen_salt('bf'))`. */
const assignment =
  /(\w{3,40})\\{0,3}["`\]]?[ \t]{0,4}=\s{0,4}(?:\w{1,30}\(\s{0,4}){0,2}(?:E|N|_utf8)?\\{0,7}'(?!')/iy;
const nameBefore = /[\w$]{0,40}$/;
const statement =
  /\b(?:update\s+[\w."`[\]\\$-]+(?:\s+as)?(?:\s+\w+)?\s+set|(?:replace|insert)\s+into\s+\S+\s+set|(?:from|update|join)\s[^;]*\swhere|(?:create|alter)\s+(?:login|user|role|master key|certificate|symmetric key)|change\s+(?:master|replication source)\s+to)\b[^;]*$/i;
const statementReach = 400;
const longestLiteral = 1024;

/** Secrets in `UPDATE … SET password = '…'`, in conditions, and in `CREATE LOGIN … WITH PASSWORD = '…'`. */
export const assignedInSql: Rule = {
  name: "assignment in sql",
  triggers: [
    "passw",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "api_key",
    "apikey",
    "access_key",
    "private_key",
  ],
  find(text, at) {
    const rest = matchAt(assignment, text, at)?.[1];
    if (rest === undefined) return noSpans;
    const start = assignment.lastIndex;
    const before = text.slice(Math.max(0, at - statementReach), at);
    const column = secretColumn((nameBefore.exec(before)?.[0] ?? "") + rest);
    if (column === undefined || !statement.test(before)) return noSpans;
    const opening = openingBefore(text, start);
    const end = opening && closingQuote(text, opening, start, start + longestLiteral);
    if (end === undefined || !isSecretLiteral(text.slice(start, end), column)) return noSpans;
    return [{ start, end }];
  },
};
