import type { Rule } from "../rule.ts";
import { beforeKey, passwordWords } from "../secret-words.ts";
import { type Place, placeRule } from "./place.ts";

const quote = "\\\\?[\"']";
const telling = `(?<!(?:reset|forgot|change|show)[_-]?)(?:${passwordWords}|secret|token|credentials?|(?:${beforeKey})_?key)(?![a-z0-9_.])`;
const nameEnd = `(?<=${quote}?(?:name|key|parameterkey)${quote}?[ \\t]{0,4}[:=][ \\t]{0,4}${quote}?[\\w.-]{0,64})`;
const gapInPair = "[ \\t]{0,4},?\\s{0,80}";

const places: readonly Place[] = [
  {
    // Environment lists of Kubernetes, ECS and compose: {"name": "DB_PASSWORD", "value": "…"}, in JSON and YAML.
    name: "name and value",
    triggers: [
      ...["passw", "passphrase", "secret", "token", "credential"],
      ...["apikey", "api_key", "accesskey", "access_key", "privatekey", "private_key"],
    ],
    pattern: new RegExp(
      `(?=${telling}(?:${quote})?${gapInPair}(?:\\\\n\\s{0,80})?(?:${quote})?(?:parameter)?value)${nameEnd}${telling}(?:${quote})?${gapInPair}(?:\\\\n\\s{0,80})?(?:${quote})?(?:parameter)?value(?:${quote})?[ \\t]{0,4}[:=][ \\t]{0,4}(?:\\\\?"([^"\\n\\\\]{4,4096})\\\\?"|'([^'\\n]{4,4096})'|([^\\s"'\\\\{}\\[\\],]{4,4096}))`,
      "diy",
    ),
  },
  {
    // In a list of assignments the value ends where the item does, so it may contain blanks.
    name: "password in a list of an environment",
    triggers: ["password=", "passwd=", "_pass=", "_pwd=", "passphrase="],
    pattern:
      /(?<=(?:^|\n)[ \t]{0,40}- {1,4}["']?[A-Z0-9_]{0,64})(?:PASSWORD|PASSWD|_PASS|_PWD|PASSPHRASE)=(?:(?<=- {1,4}\w{1,80}=)([^\n"'`#{}&|;<>]{4,200}?)(?=[ \t]{0,8}(?:#|\r?\n|$))|(?<="\w{1,80}=)([^"\\\n]{4,200})(?=")|(?<='\w{1,80}=)([^'\n]{4,200})(?='))|(?<=[[,]\s{0,80}"[A-Z0-9_]{0,64})(?:PASSWORD|PASSWD|_PASS|_PWD|PASSPHRASE)=([^"\\\n]{4,200})(?="\s{0,80}[,\]])/dy,
  },
  {
    // An assignment in upper case without blanks is one of an environment, so its value is a literal.
    name: "password of an environment",
    triggers: ["password=", "passwd=", "_pass=", "sshpass=", "_pwd=", "_pw=", "passphrase=", "cli_auth="],
    pattern:
      /(?<=(?<![\w.])(?:[A-Z][A-Z0-9_]{0,64})?)(?<!\bOLD)(?:PASSWORD|PASSWD|_PASS|SSHPASS|_PWD|_PW|PASSPHRASE|CLI_AUTH)=(?:"([^"\n]{4,256})"|\$?'([^'\n]{4,256})'|([^\s"'`;&|<>(){}[\]\\,]{4,256})(?=[\s"'`;&|\\]|$))/dy,
  },
  {
    // The environment of a container or job in YAML, whose values may be plain words.
    name: "password in an environment of YAML",
    triggers: ["password:", "passwd:", "_pass:", "_pwd:", "passphrase:"],
    pattern:
      /(?<=(?:^|\n)[ \t]{0,40}(?:environment|env|env_vars|env_variables):[ \t]{0,8}\r?\n(?:[ \t][^\n]{0,160}\n){0,12}[ \t]{1,40}[A-Z0-9_]{0,64})(?:PASSWORD|PASSWD|_PASS|_PWD|PASSPHRASE): {1,8}(?:"([^"\\\n]{4,200})"|'([^'\n]{4,200})'|([^\s"'`{}[\]!&*|>%@#-][^\n"'`#:]{2,199}[^\s"'`#:]))(?=[ \t]{0,8}(?:#|\r?\n|$))/dy,
  },
  {
    // The default of a variable in a shell or compose file: ${DB_PASSWORD:-…}.
    name: "default of a variable",
    triggers: [
      "password:",
      "passwd:",
      "_pass:",
      "_pwd:",
      "_pw:",
      "passphrase:",
      "secret:",
      "token:",
      "_key:",
    ],
    pattern:
      /(?:(?:PASSWORD|PASSWD|_PASS|_PWD|_PW|PASSPHRASE):[-=]|(?:SECRET|TOKEN|_KEY):[-=](?=[^}\n]{0,200}\d))(?<=\$\{\w{0,64}:[-=])["']?([^\s{}"'$]{4,200})["']?(?=\})/dy,
  },
  {
    // In braces it may contain a semicolon.
    name: "password of a connection string",
    triggers: ["password=", "pwd="],
    pattern:
      /(?<=user=[^\s,()]{1,60} )password=([^;\s"'&,()<>\\]{4,200})(?=\))|(?<=(?:server|data source|user id|uid|user|username|host|dbname|database)=[^\n"']{0,200}[;?& ,]{1,2})(?:password|pwd)=(?:\{(?=[^}\n]{0,200}[;@!#%^&~])([^{}\s"'\\]{3,200})(?=\})|(?<=;\s?\w{3,8}=)([^;\s"'<>\\]{3,200})(?=[;\s"'\\]|$)|([^;\s"'&,()<>\\]{3,200})(?=[;\s&"'\\]|$))/diy,
  },
  {
    name: "password option",
    triggers: ["password=", "passwd=", "passphrase="],
    pattern:
      /(?<=(?<![\w-])--[\w-]{0,40})(?:password|passwd|passphrase)=(?:'([^'\n]{4,200})'|"([^"\\\n]{4,200})"|([^\s"'`;&|<>(){}[\]\\,]{4,200})(?=[\s"'`;&|\\]|$))/dy,
  },
  {
    name: "password given to a deployment",
    triggers: ["password=", "_pass=", "secret="],
    pattern:
      /(?<=(?:--set|--set-string|-var|-e|--extra-vars|-F|-d|config:set)[ =]["']?[\w.,=&-]{0,100})(?:password|_pass|(?<!existing)secret)=([^\s"'`;&|<>(){}[\]\\,]{4,200})/diy,
  },
  {
    // Commands that store a secret: aws secretsmanager, gh secret set, kubectl create secret, npm config set.
    name: "secret to be stored",
    triggers: ["--secret-string", "--body", "--from-literal", ":_authtoken", ":_password"],
    pattern:
      /(?:--secret-string|(?<=gh secret set [\w -]{1,100})--body|--from-literal[ =]{1,4}["']?[\w.-]{1,80}(?==)|:_authtoken|:_password)[ =]{1,4}(?:"([^"\n]{3,4096})"|'([^'\n]{3,4096})'|([^\s"'`;&|<>()]{3,4096}))/diy,
  },
  {
    // `--password …` of any program. The value must contain letters and digits: in a help text a plain word follows.
    name: "password after its option",
    triggers: ["-password ", "-passphrase ", "-passwd ", "-pass "],
    pattern:
      /(?<=(?<![\w-])(?:-[\w-]{0,40})?)-pass(?:word|phrase|wd)? {1,4}(?=["']?[^\s"']{0,200}\d)(?=["']?[^\s"']{0,200}[A-Za-z])(?:'([^\s']{6,200})(?=')|["']?([^\s"'`;&|<>(){}[\]\\,=-][^\s"'`;&|<>(){}[\]\\]{5,200})(?=[\s"'`;&|\\]|$))/diy,
  },
  {
    // Such options may also take files and ids.
    name: "token after its option",
    triggers: [
      "-token ",
      "-authtoken ",
      "api-key ",
      "-apikey ",
      "-secret ",
      "secret-key ",
      "access-key ",
      "-authkey ",
    ],
    pattern:
      /(?<=(?<![\w-])(?:-[\w-]{0,40})?)(?:-(?:auth)?token|(?<=-)api-key|-apikey|-secret|(?<=-)(?:secret|access)-key|-authkey) {1,4}["']?(?![./~]|\w{1,20}=\w)(?=[^\s"']{0,200}\d)(?=[^\s"']{0,200}[A-Za-z])([^\s"'`;&|<>(){}[\]\\,=-][^\s"'`;&|<>(){}[\]\\,:]{7,4096})(?=[\s"'`;&|\\]|$)/diy,
  },
  {
    // The same in a list of arguments, written as code or JSON.
    name: "argument after its option in a list",
    triggers: ["-password", "-passphrase", "-passwd", "-token", "-api-key", "-apikey", "-secret"],
    pattern:
      /(?<=["']-[\w-]{0,40})-(?:password|passphrase|passwd|token|api-?key|secret)\\{0,3}["'],\s{0,40}\\{0,3}["'](?=[^\s"']{0,200}\d)(?=[^\s"']{0,200}[A-Za-z])([^\s"'\\$./-][^\s"'\\]{5,4096})(?=\\{0,3}["'])/diy,
  },
  {
    // Variables set in fish, csh or Windows: `set -gx DB_PASSWORD …`, `setenv …`, `setx …`.
    name: "variable set by a shell",
    triggers: ["set -", "setenv ", "setx "],
    pattern:
      /(?:set -\w{1,4}|setenv|setx) {1,4}["']?\w{0,64}(?:PASSWORD|PASSWD|_PASS|_PWD|_PW|PASSPHRASE|SECRET|TOKEN|_KEY)["']? {1,4}["']?(?=[^\s"']{0,200}\d)([^\s"'`;&|<>(){}[\]\\,$]{6,4096})/dy,
  },
  {
    // Secrets piped to a program: echo … | sudo -S, docker login --password-stdin <<< ….
    name: "secret piped in",
    triggers: ["echo ", "printf ", "<<< "],
    pattern:
      /(?:echo|printf)(?: -\w{1,3})? {1,4}(?:"(?:[\w.@-]{1,64}:)?([^"\n$`]{4,200})"|'(?:[\w.@-]{1,64}:)?([^'\n]{4,200})'|(?:[\w.@-]{1,64}:)?([^\s"'`$|;&<>()]{4,200})) {0,4}\| {0,4}(?=[^\n|]{0,200}?(?:sudo -S|su -c|cryptsetup|--password-stdin|--with-token|chpasswd|passwd --stdin|--passphrase-fd 0|secret (?:put|set) \w|env add \w))|(?<=(?:sudo -S|--password-stdin|--with-token|chpasswd|--passphrase-fd 0|secret (?:put|set) \w{1,64}|env add \w{1,64})[^\n|]{0,40})<<< {1,4}["']?([^\s"'`$|;&<>()]{4,200})/dy,
  },
  {
    name: "machine of a netrc file",
    triggers: ["password "],
    pattern: /(?<=login[ \t]{1,8}\S{1,100}\s{1,8})password[ \t]{1,8}([^\s"'`<>]{3,200})/dy,
  },
  {
    name: "line of a password file of PostgreSQL",
    triggers: [":5432:", ":5433:", ":6432:", "*:*:", ":*:*:"],
    pattern:
      /(?<=(?:^|[\s"'])[\w.*-]{0,255})(?:(?<=[\w*]):\d{4}|\*:\*|(?<=\w):\*):[\w*.-]{1,63}:[\w*.-]{1,63}:([^\s:"'\\]{3,200})(?=[\s"'\\]|$)/dy,
  },
  {
    name: "password of a Redis configuration",
    triggers: ["requirepass ", "masterauth "],
    pattern: /(?:requirepass|masterauth) {1,4}["']?([^\s"'<>\\]{4,200})/dy,
  },
  {
    name: "variable of a container file",
    triggers: ["password ", "passwd ", "_pass ", "_pwd ", "secret ", "_token ", "_key "],
    pattern:
      /(?<=(?:^|[\s"'])ENV [A-Z0-9_]{0,64})(?:PASSWORD|PASSWD|_PASS|_PWD|SECRET|_TOKEN|_KEY) (?=[^\s]{0,200}\d)([^\s"'\\$]{6,200})/dy,
  },
  {
    name: "password of an Oracle connection",
    triggers: ["oracle:thin:", "oracle:oci:", "sqlplus ", "impdp ", "expdp "],
    pattern:
      /(?:oracle:(?:thin|oci):[\w$]{1,64}\/([^\s@"'<>$]{3,100})(?=@)|(?:sqlplus|impdp|expdp)(?: -\w{1,8}){0,4} {1,4}\w{1,64}\/([^\s@"'<>$/]{3,100})(?=[\s@]|$))/dy,
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
    name: "password in sql",
    triggers: ["dentified", "password '", "password('"],
    pattern:
      /(?<=set password [^;\n]{0,80}= {0,2})password\('([^'\n]{3,200})'\)|(?:dentified (?:with \w{1,40} )?by(?: password)?|(?<=(?:user|role) [\w"'@%`-]{1,80} (?:with )?(?:(?:no)?(?:login|encrypted|superuser|createdb|createrole|inherit|replication|bypassrls) ){0,8})password|(?<=\boptions ?\([^()]{0,200})password) '([^'\n]{3,200})'|(?<=(?:create|alter) user [\w".]{1,80} i)dentified by (?:"([^"\n]{3,200})"|(?!values?\b|password\b|externally\b|globally\b)([^\s;'"&:]{3,200})(?=\s{0,4}(?:[;"']|$|\n|\\n|default\b|quota\b|account\b|profile\b|temporary\b|container\b)))/diy,
  },
  {
    name: "password field in json",
    triggers: ['password"', 'password\\"'],
    pattern:
      /(?<=")password\\?"[ ]{0,2}:[ ]{0,2}(?:"(?=(?:[^"\\|]|\\.){0,64}?\d)(?=(?:[^"\\|]|\\.){0,64}?[A-Za-z])((?:[^"\\\s|`]|\\[^nrt\s]){4,64})"|\\"(?=[^"|]{0,64}\d)(?=[^"|]{0,64}[A-Za-z])((?:[^"\\\s|`]|\\\\(?:\\["\\]|[^nrt\s\\"`])){4,64})\\")/dy,
  },
  {
    name: "request header",
    triggers: ["authorization:", "-key:", "-token:"],
    pattern:
      /(?<=(?:^|[\n"'])(?:[<>] )?(?:x-|proxy-)?[\w-]{0,40})(?:authorization:[ \t]{1,4}(?:basic|bearer|token|apikey)|(?<=x-[\w-]{0,40})(?:-key|-token):)[ \t]{1,4}(?=[^\s"']{0,100}\d)([^\s"'`,;\\<>(){}$]{8,4096})(?=[\s"'\\]|$)/diy,
  },
  {
    // A line of an environment file; a shell would end the value at the separators.
    name: "password on its line of an environment file",
    triggers: ["password=", "passwd=", "_pass=", "_pwd="],
    pattern:
      /(?<=(?:^|\n)(?:export )?[A-Z0-9_]{0,64})(?:PASSWORD|PASSWD|_PASS|_PWD)=(?=[^\n]{0,200}[,;])([^\s"'`(){}[\]<>|&\\]{6,200})(?=\r?\n|$)/dy,
  },
  {
    // A field of a multipart form.
    name: "part of a form",
    triggers: [
      'name="password"',
      'name="passwd"',
      'name="token"',
      'name="secret"',
      'name="api_key"',
      'name="client_secret"',
    ],
    pattern:
      /(?<=form-data; )name="[\w-]{3,40}"\r?\n(?:[^\r\n]{1,200}\r?\n)?\r?\n(?=[^\r\n]{0,200}\d)([^\r\n]{6,4096})(?=\r?\n|$)/diy,
  },
  {
    name: "secret of a one-time password",
    triggers: ["otpauth://"],
    pattern: /otpauth:\/\/[^\s"'<>]{1,400}?[?&]secret=([A-Za-z2-7]{8,128}={0,6})/diy,
  },
  {
    name: "assertion of a single sign-on",
    triggers: ["samlresponse", "samlassertion"],
    pattern: /saml(?:response|assertion)(?:%3D|["']?[=:]) ?["']?([A-Za-z0-9+/=%]{40,65536})/diy,
  },
  {
    // The code that a client exchanges for tokens.
    name: "code of an authorization",
    triggers: ["?code=", "&code=", "?ticket="],
    pattern:
      /(?<=[?&]state=[^\s&"'<>]{1,512}|(?:callback|oauth|redirect|auth|login)[^\s"'<>]{0,200})[?&](?:code|ticket)=(?=[\w.~%-]{0,40}\d)(?=[\w.~%-]{0,40}[A-Za-z])([\w.~%/-]{16,2048})|[?&]code=(?=[\w.~%-]{0,40}\d)(?=[\w.~%-]{0,40}[A-Za-z])([\w.~%/-]{16,2048})(?=&state=)/diy,
  },
  {
    name: "token in the path of a link that was mailed",
    triggers: [
      "reset-password/",
      "password-reset/",
      "password/reset/",
      "reset_password/",
      "magic-link/",
      "verify-email/",
    ],
    pattern:
      /(?<=:\/\/[^\s"'<>]{1,200})(?:reset[-_]password|password[-_]reset|password\/reset|magic-link|verify-email)\/(?=[\w.-]{0,200}\d)(?=[\w.-]{0,200}[A-Z]|[\da-f-]{20})([\w.-]{20,512})/dy,
  },
  {
    name: "cookie of an Erlang node",
    triggers: ["-setcookie "],
    pattern: /-setcookie {1,4}["']?([^\s"'$]{6,200})/dy,
  },
  {
    // A random password in the state of Terraform.
    name: "result of a random password",
    triggers: ['"random_password"'],
    pattern: /"random_password"[^\0]{0,1500}?"result":\s{0,2}"([^"\n]{6,400})"/dy,
  },
  {
    name: "password of a proxy",
    triggers: ["--proxy-auth ", "--proxy-auth="],
    pattern: /--proxy-auth[ =]{1,4}["']?[\w.@-]{1,64}:([^\s"'$]{4,200})/dy,
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
  {
    // A cookie in a browser's storage state, written to a file.
    name: "value of a cookie",
    triggers: ['"httponly"'],
    pattern: /(?<="value":\s{0,2}"([^"\n\\]{6,1024})",[^{}]{0,300})"httponly"/diy,
  },
  {
    name: "secret of a secrets manager",
    triggers: ['secretstring"'],
    pattern: /secretstring"\s?:\s?"([^"\\{\n]{4,4096})"/diy,
  },
  {
    name: "secure parameter of AWS",
    triggers: ['"securestring"'],
    pattern: /"securestring",\s{0,40}"value":\s?"([^"\\\n]{4,4096})"/diy,
  },
  {
    name: "secret of an Azure key vault",
    triggers: [".vault.azure.net/secrets/"],
    pattern:
      /\.vault\.azure\.net\/secrets\/(?:[^{}]|\{[^{}]{0,300}\}){0,600}?"value":\s?"([^"\\\n]{4,4096})"/diy,
  },
  { name: "key of a wireless network", triggers: ["psk="], pattern: /(?<!\w)psk="([^"\n]{8,63})"/dy },
  {
    name: "password at the prompt of Redis",
    triggers: ["> auth "],
    pattern: /(?<=\d)> auth (?:[\w-]{1,64} )?([^\s"']{4,200})(?=[\s"']|$)/diy,
  },
  { name: "telegram bot", triggers: [":aa"], pattern: /(?<=(?<!\d)\d{8,10}):(AA[\w-]{32,33})(?![\w-])/dy },
  {
    name: "private part of a JSON web key",
    triggers: ['"d":', '"d" :'],
    pattern: /"d" ?: ?"([\w-]{30,1024})"(?:(?<="kty"[^{}]{0,3000})|(?=[^{}]{0,3000}"kty"))/dy,
  },
  {
    name: "putty private key",
    triggers: ["private-lines:"],
    pattern: /private-lines: \d{1,3}(?:\r?\n|\\r?\\n)((?:[A-Za-z0-9+/=]{1,64}(?:\r?\n|\\r?\\n|$)){1,200})/diy,
  },
];

/** Secrets that a format announces so clearly that plain words count too. */
export const writtenValues: readonly Rule[] = places.map(placeRule);
