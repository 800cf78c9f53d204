import type { Rule } from "../rule.ts";
import { type Place, placeRule } from "./place.ts";

/*
 * The parts of an Authorization header that prove who sends it, in schemes of several parameters. Nonces, users, realms
 * and key ids stay.
 */
const places: readonly Place[] = [
  {
    name: "response of digest authorization",
    triggers: ["response="],
    pattern: /(?<=\bdigest\s[^\n]{0,1000}[\s,])response=\\{0,7}["']?([\da-f]{32,128})(?![\w])/diy,
  },
  {
    name: "signature of a signed header",
    triggers: ["signature="],
    pattern:
      /(?<=(?:\baws4-[\w-]{1,40}|\bsignature|hmac[\w-]{0,20})\s[^\n]{0,2000}[\s,])signature=\\{0,7}["']?([\w+/=-]{32,1024})/diy,
  },
  {
    name: "code of hawk authorization",
    triggers: ["mac="],
    pattern: /(?<=\b(?:hawk|mac)\s[^\n]{0,1000}[\s,])mac=\\{0,7}["']?([\w+/=-]{20,200})/diy,
  },
  {
    // The other schemes with a single value. Words without a digit occur in prose and as names of schemes.
    name: "credentials of an authorization header",
    triggers: ["authorization:", 'authorization":', "authorization':", 'authorization\\":'],
    pattern:
      /authorization\\{0,7}["']?:\s{0,4}\\{0,7}["'`]?(?:(?:negotiate|ntlm|kerberos)\s{1,4}([A-Za-z\d+/=]{20,16384})|(?:key|api-?key|token|sharedkey(?:lite)?|bot|ssws|geniekey|splunk|dpop|[\w-]{1,24}-key)\s{1,4}(?:token=\\{0,7}["']?)?(?=[^\s"']{0,200}\d)(?=[^\s"']{0,200}[a-z])([^\s"'`\\,;<>{}]{8,16384}))/diy,
  },
];

/** Secrets among the parameters of an Authorization header. */
export const authorizationParameters: readonly Rule[] = places.map(placeRule);
