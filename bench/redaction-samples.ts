/** A text with a secret in it; the secret counts as redacted when it no longer stands in the output. */
export type SecretSample = readonly [text: string, secret: string];

/** Generated samples for each shape of secret that redaction promises to remove; the same at every run. */
export function generateSamples(perShape: number): [shape: string, samples: SecretSample[]][] {
  const pick = seededPicker(20_240_607);
  const token = (length: number) => pick(letters + letters.toUpperCase() + digits, length);
  const dashed = (length: number) =>
    pick(`${letters}${letters.toUpperCase()}${digits}_-`, length - 1) + pick(letters, 1);
  const hex = (length: number) => pick(`${digits}abcdef`, length);
  const upper = (length: number) => pick(letters.toUpperCase() + digits, length);
  const word = () => pick(letters, 8);
  const chosen = () => pick(letters, 6) + pick(digits, 2) + pick("!#&*+?", 1);
  const itself = (secret: string): SecretSample => [`use ${secret} here`, secret];
  const after = (before: string, secret: string, behind = ""): SecretSample => [
    before + secret + behind,
    secret,
  ];

  const shapes: [string, () => SecretSample][] = [
    ["private tags", () => after("<Private>", token(12), "</PRIVATE> and on")],
    ["unclosed private tag", () => after("note <private> ", token(12), "\nto the end")],
    ["named value", () => after('{"client_secret": "', token(24), '"}')],
    ["environment variable", () => after("export SERVICE_TOKEN=", token(20))],
    ["bearer", () => after("authorization header: Bearer ", token(32))],
    ["basic", () => after("-H 'x: basic ", `${token(30)}==`, "'")],
    ["model provider key", () => itself(`sk-${pick(["proj", "ant"], 1)}-${dashed(24)}`)],
    ["dashed key", () => itself(`${pick(["sk", "pk", "rk", "ak"], 1)}-${dashed(24)}`)],
    ["live or test key", () => itself(`${pick(["sk_live", "rk_live", "sk_test"], 1)}_${token(24)}`)],
    ["github", () => itself(`gh${pick("pousr", 1)}_${token(36)}`)],
    ["github fine-grained", () => itself(`github_pat_${token(22)}_${token(40)}`)],
    ["slack", () => itself(`xox${pick("abprs", 1)}-${pick(digits, 11)}-${token(20)}`)],
    ["aws key id", () => itself(`${pick(["AKIA", "ASIA"], 1)}${upper(16)}`)],
    ["google key", () => itself(`AIza${dashed(35)}`)],
    ["json web token", () => itself(`eyJ${token(24)}.eyJ${token(40)}.${dashed(43)}`)],
    ["npm", () => itself(`npm_${token(36)}`)],
    ["gitlab", () => itself(`glpat-${dashed(20)}`)],
    ["digitalocean", () => itself(`dop_v1_${hex(64)}`)],
    ["hugging face", () => itself(`hf_${token(34)}`)],
    ["pypi", () => itself(`pypi-${dashed(80)}`)],
    ["private key", () => after("-----BEGIN PRIVATE KEY-----\n", token(64), "\n-----END PRIVATE KEY-----")],
    ["argument of sshpass", () => after("sshpass -p ", token(10), " ssh box")],
    ["argument of mysql", () => after("mysqldump -uroot -p", token(10), " shop")],
    ["argument of docker login", () => after("docker login -u bob -p ", token(10), " ghcr.io")],
    ["argument of redis-cli", () => after("redis-cli -a ", token(10), " ping")],
    ["argument of openssl", () => after("openssl rsa -passin pass:", token(10), " -in k.pem")],
    ["password of an environment", () => after("PGPASSWORD=", pick(letters, 8), " psql")],
    ["cookie", () => after("Cookie: theme=dark; session=", token(16), "; a=b")],
    ["set-cookie", () => after("Set-Cookie: sid=", token(16), "; Path=/")],
    ["name and value", () => after('{"name":"DB_PASSWORD","value":"', pick(letters, 8), '"}')],
    ["name and value in YAML", () => after("- name: X_SECRET\n  value: ", pick(letters, 8), "\n")],
    ["told password", () => after("the password for staging is ", token(12), ", try it")],
    ["told key", () => after("my api key is ", token(24), "\n")],
    ["netrc", () => after("machine git.example.com login bob password ", token(10), "\n")],
    ["pgpass", () => after("db.example.com:5432:shop:bob:", token(10), "\n")],
    ["piped to a program", () => after("echo ", token(10), " | sudo -S id")],
    ["option of any program", () => after("snowsql --password ", `${token(8)}7x`, " -q x")],
    ["block of YAML", () => after("client_secret: |\n  ", token(30), "\n")],
    ["token as a url's user", () => after("https://", token(36), "@git.example.com/x.git")],
    ["hash of a password", () => after("bob:", `$2y$10$${token(53)}`, ":1000")],
    [
      "table of psql",
      () => after(" id | email | password\n----+-------+----------\n  1 | a@b.c | ", word(), "\n(1 row)\n"),
    ],
    [
      "table of mysql",
      () => after(`+---+\n| id | api_key |\n+---+\n| 1 | ${hex(12)} |\n| 2 | `, token(14), " |\n+---+\n"),
    ],
    ["table in Markdown", () => after("| Host | Password |\n|---|---|\n| db | `", chosen(), "` |\n")],
    ["table of blanks", () => after("NAME  USERNAME  PASSWORD\nprod  admin     ", chosen(), "\n")],
    ["record of psql", () => after("-[ RECORD 1 ]\nid       | 1\npassword | ", chosen(), "\n")],
    ["csv", () => after('id,email,password\n1,"b, a",', chosen(), "\n2,d@e.f,\n")],
    ["row inserted", () => after("INSERT INTO users (email, password) VALUES ('a@b', '", word(), "');")],
    [
      "second row inserted",
      () => after(`insert into u (token, x)\nvalues ('${hex(32)}', 1),\n ('`, token(20), "', 2)"),
    ],
    [
      "hash of an inserted password",
      () => after("INSERT INTO u (a, password) VALUES (f(1, 2), crypt('", word(), "', gen_salt('bf')))"),
    ],
    ["row of a dump", () => after("COPY u (id, password) FROM stdin;\n1\t", chosen(), "\n\\.\n")],
    ["update in SQL", () => after("UPDATE users SET name = 'x', password = '", word(), "' WHERE id = 1")],
    ["condition in SQL", () => after("SELECT 1 FROM users WHERE password = '", word(), "'")],
    ["login in SQL", () => after("CREATE LOGIN app WITH PASSWORD = '", word(), "';")],
    ["prompt of ssh", () => after("Enter passphrase for key '/home/a/.ssh/id_rsa': ", word(), "\n")],
    ["prompt of sudo", () => after("$ sudo ls\n[sudo] password for ada: ", word(), "\n")],
    ["prompt of passwd", () => after("New password: ", word(), "\nRetype new password: \n")],
    ["prompt after a user", () => after("Username: ada\nPassword: ", word(), "\n")],
    ["script for a prompt", () => after('expect "assword:"\nsend "', word(), '\\r"\n')],
    ["value below its name", () => after('{"db_password": {"type": "string", "value": "', word(), '"}}')],
    ["pair of user and password", () => after('{"auth": ["ada", "', chosen(), '"]}')],
    ["user and pass", () => after("auth: { user: 'ada', pass: '", word(), "' }")],
    ["quote in a password", () => after(`{"password":"${chosen()}\\"`, word(), '"}')],
    ["quote in JSON in JSON", () => after(`"{\\"password\\":\\"${chosen()}\\\\\\"`, word(), '\\"}"')],
    [
      "digest authorization",
      () =>
        after(`Authorization: Digest username="a", nonce="${hex(32)}", response="`, hex(32), '", qop=auth'),
    ],
    [
      "signed request",
      () => after("Authorization: AWS4-HMAC-SHA256 SignedHeaders=host, Signature=", hex(64), "\n"),
    ],
    ["hawk authorization", () => after('Authorization: Hawk id="a", mac="', `${token(43)}=`, '"')],
    ["list of passwords", () => after('passwords: ["', word(), '", "x"]')],
    ["list of passwords in YAML", () => after("passwords:\n  - ", `${word()} ${word()}`, "\n")],
    ["record of passwords", () => after('{"passwords": {"db": "', word(), '"}}')],
    ["list of an environment", () => after("environment:\n  - DB_PASSWORD=", `${word()} ${word()}`, "\n")],
    [
      "table in HTML",
      () => after("<tr><th>User</th><th>Password</th></tr><tr><td>a</td><td>", word(), "</td>\n</tr>"),
    ],
    ["definition in Markdown", () => after("- **User**: ada\n- **Password**: ", word(), "\n")],
    ["password in a url", () => after("postgres://app:", token(12), "@db.example/app")],
    ["list without quotes", () => after("passwords: x1y2z3a, ", chosen(), "\n")],
    ["records of passwords", () => after('{"passwords": {"eu": {"db": {"main": "', word(), '"}}}}')],
    ["records of secrets in YAML", () => after("secrets:\n  eu:\n    db:\n      main: ", token(16), "\n")],
    ["list of passwords in a diff", () => after("   passwords:\n+    - ", word(), "\n")],
    ["password on the next line", () => after("  password:\n    ", chosen(), "\n")],
    ["aligned assignment", () => after('  password                = "', chosen(), '"\n')],
    ["field of a form", () => after('<input value="', chosen(), '" name="password" type="password">')],
    ["named element", () => after('<string name="api_key">', token(16), "</string>")],
    ["marked name", () => after("<p><b>Password:</b> ", chosen(), "</p>")],
    ["element", () => after("&lt;password&gt;", chosen(), "&lt;/password&gt;")],
    ["key in Markdown", () => after("- **API key:** `", hex(16), "`\n")],
    ["password in Markdown", () => after("* _Password_: ", chosen(), "\n")],
    ["short key of hexadecimal digits", () => after("API_KEY=", hex(16), "\n")],
    ["told pair", () => after("the credentials are ada / ", chosen(), "\n")],
    ["told change", () => after("I set the db password to ", chosen(), " today")],
    ["quoted passphrase", () => after('the passphrase is "', `${word()} ${word()} ${word()} ${word()}`, '"')],
    ["default of a variable in code", () => after('os.environ.get("DB_PASSWORD", "', chosen(), '")')],
    ["typed into a field", () => after("page.getByLabel('Password').fill('", chosen(), "')")],
    ["argument in a list", () => after('["run", "--password", "', `${word()}7`, '"]')],
    ["one-time password", () => after("otpauth://totp/a:b?secret=", pick("abcdefgh234567", 16), "&issuer=a")],
    ["code of an authorization", () => after("https://a.example/callback?code=", token(24), "&state=x")],
    ["part of a form", () => after('form-data; name="password"\r\n\r\n', chosen(), "\r\n--x")],
    ["azure devops", () => itself(`${token(76)}AZDO${token(4)}`)],
    ["google refresh", () => itself(`1//0${dashed(60)}`)],
    ["key of an agent", () => itself(`crsr_${hex(64)}`)],
    ["key with a short mark", () => itself(`fw_${token(24)}`)],
    ["github app", () => itself(`ghs_1234567_eyJ${token(24)}.eyJ${token(40)}.${dashed(43)}`)],
    ["cloudflare", () => itself(`${pick(["cfut", "cfat", "cfk"], 1)}_${token(40)}${hex(8)}`)],
    ["azure storage", () => itself(`${token(76)}+ASt${token(5)}A==`)],
    ["discord bot", () => itself(`${btoa(`1${pick(digits, 17)}`)}.G${dashed(5)}.${dashed(38)}`)],
    ["deploy key of convex", () => itself(`prod:shy-owl-123|${token(60)}=`)],
    ["signed url", () => after("https://a.example/b?sp=r&sig=", `%2F${token(40)}%3D`, "&se=2")],
  ];
  return shapes.map(([name, generate]) => [name, Array.from({ length: perShape }, generate)]);
}

const letters = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";

/* Park and Miller's minimal standard generator: good enough here, and the same on every machine. */
function seededPicker(seed: number): (from: string | readonly string[], count: number) => string {
  let state = seed;
  return (from, count) => {
    let picked = "";
    for (let i = 0; i < count; i++) {
      state = (state * 48_271) % 2_147_483_647;
      picked += from[state % from.length] ?? "";
    }
    return picked;
  };
}
