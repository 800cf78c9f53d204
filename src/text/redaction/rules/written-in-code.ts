import type { Rule } from "../rule.ts";
import { type Place, placeRule } from "./place.ts";

const places: readonly Place[] = [
  {
    name: "pair of a name and a password in code",
    triggers: [
      ...["auth=(", "auth = (", "login(", "authenticate(", "basicauth(", "credential(", "credentials("],
      ...["auth=[", "auth = [", "auth: [", 'auth":', "auth':", 'auth\\":'],
    ],
    pattern:
      /(?:auth(?:\\{0,7}["']:| {0,2}[=:]) {0,2}[([]|(?:login|authenticate|basicauth|credentials?)\() {0,4}\\{0,7}["'](?!basic\b|bearer\b|digest\b|oauth)[^"'\n]{1,80}["'],\s{0,4}\\{0,7}["'](?!oauth\d|(?:scram-)?sha-?\d|md5)(?=[^"'\n]{0,100}\d)(?=[^"'\n]{0,100}[A-Za-z])([^\s"'\\]{6,100})\\{0,7}["']/diy,
  },
  {
    name: "php constant",
    triggers: ["password'", 'password"', "_key'", '_key"', "_salt'", '_salt"'],
    pattern:
      /(?<=define\(\s{0,4}["']\w{0,60})(?:password|_key|_salt)["']\s{0,4},\s{0,20}(?:'([^'\n]{4,200})'|"([^"\n$]{4,200})")/diy,
  },
  {
    name: "password of a Go connection string",
    triggers: ["@tcp(", "@unix("],
    pattern: /(?<=[\w.-]{1,64}:([^\s"'`@:/$%{}]{3,100}))@(?:tcp|unix)\(/dy,
  },
  {
    name: "default of a Terraform variable",
    triggers: ['variable "'],
    pattern:
      /variable "[\w-]{0,60}(?:password|passwd|secret|token|_key)"\s{0,4}\{[^{}]{0,400}?\bdefault\s{0,20}=\s{0,4}"([^"\n]{4,4096})"/diy,
  },
  {
    // Database drivers: server, user, password.
    name: "password among the arguments of a call",
    triggers: [
      "getconnection(",
      "new pdo(",
      "mysqli(",
      "mysqli_connect(",
      "create_user(",
      "create_superuser(",
    ],
    pattern:
      /(?:getconnection|new pdo|mysqli(?:_connect)?|create_(?:super)?user)\(\s{0,8}(?:["'][^"'\n]{1,200}["'],\s{0,8}){2}["']([^"'\n]{4,200})["']/diy,
  },
  {
    name: "password given to a builder",
    triggers: ['password("', "password('"],
    pattern:
      /(?<!get_?)password\(["'](?=[^"'\n]{0,100}\d)(?=[^"'\n]{0,100}[A-Za-z])([^\s"'\\]{6,100})["']\)/diy,
  },
  {
    // Tests of forms: cy.get('#password').type('…'), getByLabel('Password').fill('…'), send_keys("…").
    name: "password typed into a field",
    triggers: ["password')", 'password")', "password']", 'password"]', "passwd')", 'passwd")'],
    pattern:
      /passw(?:or)?d["'`\])\s]{2,6}\.(?:clear\(\)\.)?(?:type|fill|send_?keys|set_?value|pressSequentially|typeText)\(\s{0,4}["'`](?=[^"'`\n]{0,100}\d)(?=[^"'`\n]{0,100}[A-Za-z])([^\s"'`{}\\$]{4,100})["'`]/diy,
  },
  {
    // A pair of user and password that is encoded for basic authorization.
    name: "pair to be encoded",
    triggers: ["btoa(", "b64encode(", "buffer.from(", "base64encode("],
    pattern:
      /(?:btoa|b64encode|base64encode|buffer\.from)\(\s{0,4}b?["'`][\w.@-]{1,64}:([^\s"'`\n$:{}\\/]{4,100})["'`](?:\)(?<=(?:btoa|encode)\([^()]{1,200}\))|[^()]{0,20}\)\.toString\(["']base64)/diy,
  },
  {
    name: "password to be hashed",
    triggers: ["bcrypt.hash", "hashpw(", "password_hash(", "make_password(", "hashpassword("],
    pattern:
      /(?:bcrypt\.hash(?:sync)?|hashpw|password_hash|make_password|hashpassword)\(\s{0,4}b?["'](?=[^"'\n]{0,100}\d)(?=[^"'\n]{0,100}[A-Za-z])([^\s"'\\$]{6,100})["']/diy,
  },
  {
    name: "secret of a signature",
    triggers: ["fernet(", "jwt.sign(", "jwt.verify(", "jwt.encode(", "jwt.decode(", "createhmac("],
    pattern:
      /(?:(?:jwt\.(?:sign|verify|encode|decode)\([^"'\n]{1,120}|createhmac\(\s{0,4}["'][\w-]{1,20}["']),\s{0,4}|fernet\(b?)["'](?=[^"'\n]{0,200}\d)(?=[^"'\n]{0,200}[A-Za-z])([^\s"'\\]{6,200})["']/diy,
  },
];

/** Secrets at known positions in code: in calls, declarations and connection strings. */
export const writtenInCode: readonly Rule[] = places.map(placeRule);
