import type { Rule } from "../rule.ts";
import { placeRule } from "./place.ts";

/* Secrets that programs print once, in sentences or under names of their own, often on a line below. */

const lineEnd = "[ \\t]{0,8}(?:\\r?\\n|\\\\n)";
/** Blank lines and, in the logs of Docker Compose, the name of the service at the beginning of a line. */
const below = `(?:${lineEnd}(?:[\\w.-]{1,60} {1,20}\\|)?){1,3}[ \\t]{0,8}`;
const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
/** Bitwarden's session keys have 64 bytes. */
const bitwardenKey = "([A-Za-z0-9+/]{86}==)";

export const printedSecrets: readonly Rule[] = [
  {
    name: "first password of Jenkins",
    triggers: ["password to proceed to installation"],
    pattern: new RegExp(`password to proceed to installation:${below}([0-9a-f]{32})\\b`, "diy"),
  },
  {
    name: "first password in Jenkins' file",
    triggers: ["initialadminpassword"],
    pattern: new RegExp(`initialAdminPassword["']?(?:${lineEnd}|: )([0-9a-f]{32})\\b`, "diy"),
  },
  {
    name: "password of Elasticsearch",
    triggers: ["password for the elastic user (", "built-in superuser is : "],
    pattern: new RegExp(
      `(?:password for the elastic user \\([^()\\n]{1,120}\\):${below}|built-in superuser is : )([\\w*+=-]{20})(?![\\w*+=-])`,
      "diy",
    ),
  },
  {
    name: "reset password of Elasticsearch",
    triggers: ["user successfully reset."],
    pattern: new RegExp(`user successfully reset\\.${below}New value: ([^\\s"\\\\]{6,64})`, "diy"),
  },
  {
    name: "first password of MySQL",
    triggers: ["temporary password is generated for "],
    pattern: /temporary password is generated for root@localhost: ([^\s"\\]{8,64})/diy,
  },
  {
    name: "first password of Argo CD",
    triggers: ["this password must be only used"],
    pattern:
      /(?<=(?:^|"|\n|\\n)([A-Za-z0-9-]{8,64})(?:[ \t]{0,8}(?:\r?\n|\\n)){1,3}[ \t]{0,8})This password must be only used/diy,
  },
  {
    name: "token of Heroku's command",
    triggers: ["warning: token will expire"],
    pattern: new RegExp(
      `Warning: token will expire (?:(?!\\\\n)[^\\n]){1,60}(?:\\n|\\\\n)(?:(?:(?!\\\\n)[^\\n]){0,120}(?:\\n|\\\\n)){0,2}(${uuid})\\b`,
      "diy",
    ),
  },
  {
    name: "token of Nomad",
    triggers: ["secret id "],
    pattern: new RegExp(`Secret ID {1,12}= (${uuid})\\b`, "dy"),
  },
  {
    name: "session of Bitwarden",
    triggers: ["bw_session", "--session"],
    pattern: new RegExp(
      `(?:BW_SESSION(?:\\\\?["'])?(?: ?[=:] ?| )|--session[ =])(?:\\\\?["'])?${bitwardenKey}`,
      "dy",
    ),
  },
  {
    name: "machine account of Bitwarden",
    triggers: ["token 0.", "token is 0.", "token=0.", "token: 0."],
    pattern: new RegExp(`token(?: is|[:=])? ?(0\\.${uuid}\\.[A-Za-z0-9]{30}:[A-Za-z0-9+/]{22}==)`, "diy"),
  },
].map(placeRule);
