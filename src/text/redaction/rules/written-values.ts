import { capturedSpans } from "../captures.ts";
import { noSpans, type Rule } from "../rule.ts";
import { isLiteral } from "./placeholder.ts";

/** A place where, by the format it belongs to, what stands in the group is a secret however it looks. */
interface Place {
  readonly name: string;
  readonly triggers: readonly string[];
  readonly pattern: RegExp;
}

const quote = "\\\\?[\"']";
const telling =
  "(?:passw(?:or)?d|passphrase|secret|token|credentials?|(?:api|access|secret|private)_?key)(?![a-z0-9_.])";
const nameEnd = `(?<=${quote}?(?:name|key|parameterkey)${quote}?[ \\t]{0,4}[:=][ \\t]{0,4}${quote}?[\\w.-]{0,64})`;
const gapInPair = "[ \\t]{0,4},?\\s{0,80}";

const places: readonly Place[] = [
  {
    // Environment lists of Kubernetes, ECS, compose: {"name": "DB_PASSWORD", "value": "…"}, in JSON and YAML.
    name: "name and value",
    triggers: ["passw", "passphrase", "secret", "token", "credential", "key"],
    pattern: new RegExp(
      `(?=${telling}(?:${quote})?${gapInPair}(?:\\\\n\\s{0,80})?(?:${quote})?(?:parameter)?value)${nameEnd}${telling}(?:${quote})?${gapInPair}(?:\\\\n\\s{0,80})?(?:${quote})?(?:parameter)?value(?:${quote})?[ \\t]{0,4}:[ \\t]{0,4}(?:\\\\?"([^"\\n\\\\]{4,4096})\\\\?"|'([^'\\n]{4,4096})'|([^\\s"'\\\\{}\\[\\],]{4,4096}))`,
      "diy",
    ),
  },
  {
    // Values of environments are literals: no code assigns to such a name without blanks around.
    name: "password of an environment",
    triggers: ["password=", "passwd=", "_pass=", "_pwd=", "passphrase=", "cli_auth="],
    pattern:
      /(?<=(?<![\w.])[A-Z][A-Z0-9_]{0,64})(?<!\bOLD)(?:PASSWORD|PASSWD|_PASS|_PWD|PASSPHRASE|CLI_AUTH)=(?:"([^"\n]{4,256})"|'([^'\n]{4,256})'|([^\s"'`;&|<>(){}[\]\\,]{4,256})(?=[\s"'`;&|\\]|$))/dy,
  },
  {
    name: "password of a connection string",
    triggers: ["password=", "pwd="],
    pattern:
      /(?<=(?:server|data source|user id|uid|user|username|host|dbname|database)=[^\n"']{0,200}[;?& ,]{1,2})(?:password|pwd)=([^;\s"'&,()<>\\]{3,200})(?=[;\s&"'\\]|$)/diy,
  },
  {
    name: "password option",
    triggers: ["password=", "passwd=", "passphrase="],
    pattern:
      /(?<=(?<![\w-])--[\w-]{0,40})(?:password|passwd|passphrase)=([^\s"'`;&|<>(){}[\]\\,]{4,200})(?=[\s"'`;&|\\]|$)/dy,
  },
  {
    name: "password given to a deployment",
    triggers: ["password=", "_pass=", "secret="],
    pattern:
      /(?<=(?:--set|--set-string|-var|-e|--extra-vars|-F|-d|config:set)[ =]["']?[\w.,=&-]{0,100})(?:password|_pass|secret)=([^\s"'`;&|<>(){}[\]\\,]{4,200})/diy,
  },
  {
    // The commands that store a secret: aws secretsmanager, gh secret set, kubectl create secret, npm config set.
    name: "secret to be stored",
    triggers: ["--secret-string", "--body", "--from-literal", ":_authtoken", ":_password"],
    pattern:
      /(?:--secret-string|(?<=gh secret set [\w -]{1,100})--body|--from-literal[ =]{1,4}["']?[\w.-]{1,80}(?==)|:_authtoken|:_password)[ =]{1,4}(?:"([^"\n]{3,4096})"|'([^'\n]{3,4096})'|([^\s"'`;&|<>()]{3,4096}))/diy,
  },
  {
    name: "openssl password",
    triggers: ["pass:"],
    pattern:
      /(?<=-pass(?:in|out|word)?[ ]{1,4})pass:([^\s"'$]\S{2,200})|(?<=-pass(?:in|out|word)?[ ]{1,4}["'])pass:([^"'\n$]{3,200})/dy,
  },
  {
    name: "keystore password",
    triggers: ["storepass", "-keypass"],
    pattern: /(?:storepass|-keypass) {1,4}["']?([^\s"'$-][^\s"']{3,100})/dy,
  },
  {
    name: "password element",
    triggers: ["password>"],
    pattern: /(?<=<(?:\w{1,20}:)?[\w.-]{0,40})password>(?:<!\[CDATA\[)?([^\s<>&${}]{4,200})(?:\]\]>)?<\//diy,
  },
  {
    name: "php constant",
    triggers: ["password'", 'password"', "_key'", '_key"', "_salt'", '_salt"'],
    pattern:
      /(?<=define\(\s{0,4}["']\w{0,60})(?:password|_key|_salt)["']\s{0,4},\s{0,4}(?:'([^'\n]{4,200})'|"([^"\n$]{4,200})")/diy,
  },
  {
    name: "password in sql",
    triggers: ["dentified", "password '"],
    pattern:
      /(?:dentified (?:with \w{1,40} )?by|(?<=(?:user|role) [\w"'@%`-]{1,80} (?:with )?(?:(?:login|encrypted|superuser) ){0,3})password) '([^'\n]{3,200})'/diy,
  },
  {
    name: "password field in json",
    triggers: ['password"', 'password\\"'],
    pattern:
      /(?<=")password\\?"[ ]{0,2}:[ ]{0,2}\\?"(?=[^"\\|]{0,64}\d)(?=[^"\\|]{0,64}[A-Za-z])([^"\\\s|<>{}$]{4,64})\\?"/dy,
  },
  {
    name: "request header",
    triggers: ["authorization:", "-key:", "-token:"],
    pattern:
      /(?<=(?:^|[\n"'])(?:[<>] )?(?:x-|proxy-)?[\w-]{0,40})(?:authorization:[ \t]{1,4}(?:basic|bearer|token|apikey)|(?<=x-[\w-]{0,40})(?:-key|-token):)[ \t]{1,4}(?=[^\s"']{0,100}\d)([^\s"'`,;\\<>(){}$]{8,4096})(?=[\s"'\\]|$)/diy,
  },
  {
    name: "signature of a signed url",
    triggers: ["sig="],
    pattern: /(?<=[?&])sig=([A-Za-z0-9%+/=_-]{20,200})/dy,
  },
  {
    name: "signature of a signed request",
    triggers: ["-signature="],
    pattern: /(?<=[?&]X-(?:Amz|Goog))-signature=([A-Fa-f0-9]{32,1024})/diy,
  },
  { name: "telegram bot", triggers: [":aa"], pattern: /(?<=(?<!\d)\d{8,10}):(AA[\w-]{32,33})(?![\w-])/dy },
  {
    name: "putty private key",
    triggers: ["private-lines:"],
    pattern: /private-lines: \d{1,3}(?:\r?\n|\\r?\\n)((?:[A-Za-z0-9+/=]{1,64}(?:\r?\n|\\r?\\n|$)){1,200})/diy,
  },
];

/** Secrets that a format announces so plainly that words count as well. */
export const writtenValues: readonly Rule[] = places.map(({ name, triggers, pattern }) => ({
  name,
  triggers,
  find(text, at) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    return match === null ? noSpans : capturedSpans(match, isLiteral);
  },
}));
