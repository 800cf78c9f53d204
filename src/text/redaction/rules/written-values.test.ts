import { describe, expect, test } from "vitest";
import { redactText, redactValue } from "../redact.ts";

const mark = "[REDACTED_SECRET]";

test("a password in braces is replaced with the semicolon in it, but not what a program fills in", () => {
  const connection = (password: string) => `Driver=x;Server=db;Uid=sa;Pwd=${password};Encrypt=yes`;
  expect(redactText(connection("{kd8;3hf!x}"))).not.toMatch(/kd8|3hf/u);
  for (const filled of ["{password}", "{settings.DB_PASSWORD}", "{0}"])
    expect(redactText(connection(filled))).toBe(connection(filled));
});

describe("a value that its format marks as a secret is replaced, whatever it looks like", () => {
  test.each<readonly [string, string]>([
    ['{"name":"DB_PASSWORD","value":"', '"}'],
    ['[{\\"name\\": \\"DB_PASSWORD\\", \\"value\\": \\"', '\\"}]'],
    ["- name: X_SECRET\n  value: ", "\n"],
    ['{"name":"SHOP_API_KEY","value":"', '"}'],
    ['<add key="ApiKey" value="', '" />'],
    ["machine git.example.com login bob password ", "\n"],
    ["machine git.example.com\n  login bob\n  password ", "\n"],
    ["db.example.com:5432:shop:bob:", "\n"],
    ["requirepass ", "\n"],
    ["PASSWORD='", "' npm start"],
    ["+ export DEPLOY_PW=", "\n"],
    ["jdbc:oracle:thin:scott/", "@//db:1521/x"],
    ["SET PASSWORD FOR bob = PASSWORD('", "');"],
    ["echo '", "' | sudo -S id"],
    ["echo bob:", " | chpasswd"],
    ["echo ", " | docker login -u bob --password-stdin"],
    ["gh auth login --with-token <<< ", ""],
    ["POSTGRES_PASSWORD=", " npm start"],
    ["Server=db;User Id=sa;Password=", ";Encrypt=True"],
    ["jdbc:mysql://db/shop?user=app&password=", ""],
    ["<server><password>", "</password></server>"],
    ["define('DB_PASSWORD', '", "');"],
    ["CREATE USER app IDENTIFIED BY '", "';"],
    ["Cookie: theme=dark; sessionid=", "; a=b"],
    ["< Set-Cookie: sid=", "; Path=/; HttpOnly"],
    ['"Cookie": "sid=', '"'],
    ["{'cookie': 'sid=", "'}"],
    ['{\\"cookie\\": \\"sid=', '\\"}'],
    ['curl -b "sid=', '" https://x.y'],
    ["document.cookie = 'sid=", "; path=/';"],
    ["curl --cookie 'sid=", "' https://x.y"],
    ...["PASSPHRASE", "TOKEN", "CREDENTIALS", "accesskey", "access_key", "privatekey", "private_key"].map(
      (name) => [`- name: X_${name}\n  value: `, "\n"] as const,
    ),
    ...["DB_PASSWD", "DB_PASS", "DB_PWD", "DB_PASSPHRASE", "ARM_CLI_AUTH"].map(
      (name) => [`${name}=`, " npm start"] as const,
    ),
    ...["Server", "Data Source", "User Id", "uid", "user", "username", "host", "dbname", "database"].map(
      (name) => [`${name}=box;Pwd=`, ";Encrypt=True"] as const,
    ),
    ...["password", "keystore-passwd", "passphrase"].map((name) => [`run --${name}=`, " x"] as const),
    ...["--set", "--set-string", "-var", "-e", "--extra-vars", "-F", "-d"].map(
      (option) => [`run ${option} auth.secret=`, " x"] as const,
    ),
    ["helm upgrade app --set auth.password=", ""],
    ["heroku config:set db_pass=", ""],
    ["docker run -e secret=", " image"],
    ["gh secret set PIN --body ", ""],
    ["npm config set //registry.example.com/:_password ", ""],
    ["printf ", " | sudo -S id"],
    ...["gh auth login --with-token", "passwd --stdin bob", "gpg --passphrase-fd 0 x"].map(
      (reader) => ["echo -n ", ` | ${reader}`] as const,
    ),
    ...["sudo -S id", "docker login --password-stdin", "chpasswd", "gpg --passphrase-fd 0 x"].map(
      (reader) => [`${reader} <<< "`, '"'] as const,
    ),
    ['echo "bob:', '" | chpasswd'],
    ["db.example.com:5433:shop:bob:", "\n"],
    ["db.example.com:6432:shop:bob:", "\n"],
    ["masterauth ", "\n"],
    ["jdbc:oracle:oci:scott/", "@db"],
    ["keytool -list -keypass ", " -alias x"],
    ...["-passin", "-passout", "-password", "-pass"].flatMap((option) => [
      [`openssl pkcs12 ${option} pass:`, " -in k.pem"] as const,
      [`openssl pkcs12 ${option} "pass:`, '" -in k.pem'] as const,
    ]),
    ['define("AUTH_KEY", "', '");'],
    ["define('AUTH_KEY', '", "');"],
    ["define('AUTH_SALT', '", "');"],
    ['define("AUTH_SALT", "', '");'],
    ["ALTER USER app WITH ENCRYPTED PASSWORD '", "';"],
    ["SSHPASS=", " sshpass -e ssh box"],
    ["sqlplus -S bob/", "@//db:1521/x"],
    ["impdp bob/", " directory=x"],
    ["expdp bob/", ""],
    ['{"name": "sid", "value": "', '", "domain": "x.y", "httpOnly": true}'],
    ['"bob:', '@tcp(db:3306)/shop"'],
    ["bob:", "@unix(/run/mysql.sock)/shop"],
    ['variable "db_password" {\n  type    = string\n  default = "', '"\n}'],
    ['{"SecretString": "', '"}'],
    ['{"Name": "db", "Type": "SecureString", "Value": "', '"}'],
    ['{\n  "id": "https://x.vault.azure.net/secrets/db/0a",\n  "tags": {"a": "b"},\n  "value": "', '"\n}'],
    ["*:*:*:postgres:", "\n"],
    ["otpauth://totp/shop:bob?issuer=shop&secret=", "&digits=6"],
    ["erl -sname a -setcookie ", " -noshell"],
    ['"type": "random_password", "attributes": {"length": 8, "result": "', '"}'],
    ["nc --proxy-auth bob:", " proxy 1"],
    ["gpg --batch --passphrase='", "' -d x"],
    ["unrar x -p", " a.rar"],
    ["nuget setapikey ", " -source x"],
    ["echo '", "' | su -c id"],
    ['network={\n  psk="', '"\n}'],
    ["127.0.0.1:6379> AUTH ", ""],
    ["127.0.0.1:6379> auth default ", "\n"],
    ['DriverManager.getConnection("jdbc:x://db", "bob", "', '");'],
    ["new PDO('mysql:host=db', 'bob', '", "');"],
    ["new mysqli('db', 'bob', '", "', 'shop');"],
    ["mysqli_connect('db', 'bob', '", "');"],
    ['objects.create_user("bob", "b@x.y", "', '")'],
    ['objects.create_superuser("bob", "b@x.y", "', '")'],
    ["PASSWORD=$'", "' npm start"],
    ...["PASSWORD", "DB_PASSWD", "DB_PASS", "DB_PWD", "DB_PW", "PASSPHRASE"].flatMap((name) => [
      [`${name}: $${"{"}${name}:-`, "}"] as const,
      [`: $${"{"}${name}:=`, "}"] as const,
    ]),
    ["next=postgres%3A%2F%2Fbob%3A", "%40box%2Fdb"],
    ["next=https%3a%2f%2fbob%3a", "%40box"],
  ])("%s…%s", (before, after) => {
    expect(redactText(`${before}geheimes${after}`)).toBe(before + mark + after);
  });

  test.each<readonly [string, string]>([
    ...["--password ", "--passphrase ", "--passwd ", "--pass "].map(
      (option) => [`run ${option}`, " x"] as const,
    ),
    ...["PASSWORD", "DB_PASSWD", "DB_PASS", "DB_PWD", "APP_SECRET", "APP_TOKEN", "APP_KEY"].map(
      (name) => [`ENV ${name} `, "\n"] as const,
    ),
    ...["auth=(", "auth = (", "client.login(", "authenticate(", "HTTPBasicAuth("].map(
      (call) => [`${call}"bob", "`, '")'] as const,
    ),
    ['config.setPassword("', '");'],
    ['subprocess.run(["run", "--password", "', '"])'],
    ['"args": ["-y", "--api-key", "', '"]'],
    ["cy.get('#password').type('", "')"],
    ['page.getByLabel("Password").fill("', '")'],
    ['find_element(By.ID, "password").send_keys("', '")'],
    ["cy.get('input[name=\"password\"]').clear().type('", "')"],
    ['new NetworkCredential("bob", "', '")'],
    ["headers.set('x', 'Basic ' + btoa('bob:", "'))"],
    ['base64.b64encode(b"bob:', '")'],
    ["await bcrypt.hash('", "', 10)"],
    ['hashpw(b"', '", gensalt())'],
    ["Fernet(b'", "')"],
    ["OperationalError: (user=app password=", ")"],
    ['form-data; name="password"\r\n\r\n', "\r\n--x"],
    ['form-data; name="api_key"\nContent-Type: text/plain\n\n', "\n--x"],
    ["Key         Value\n---         -----\npassword    ", "\nusername    bob"],
    [".password('", "')"],
    ...["sign", "verify", "encode", "decode"].map((verb) => [`jwt.${verb}(it, '`, "')"] as const),
    ["createHmac('sha256', '", "').update(x)"],
    ...["APP_SECRET", "APP_TOKEN", "APP_KEY"].map((name) => [`"$${"{"}${name}:-`, '}"'] as const),
    ['{"password": "', '"}'],
    ['{\\"password\\": \\"', '\\"}'],
    ["Authorization: Basic ", "\n"],
    ["> X-Auth-Token: ", "\n"],
    ["X-Api-Key: ", "\n"],
    ...["-H ", "--header ", "-H=", "--header="].map(
      (option) => [`curl ${option}"Deploy-Key-Token: `, '" x'] as const,
    ),
    ["curl -H 'X-Secret: ", "' https://x.y"],
    ['curl -H"X-Auth: ', '" https://x.y'],
    ["curl -H'Authorization: Digest ", "' https://x.y"],
    ['sh -c "curl -H \\"X-Token: ', '\\" x"'],
  ])("a value with a digit is replaced where words are common: %s…%s", (before, after) => {
    expect(redactText(`${before}geh3imes${after}`)).toBe(before + mark + after);
    expect(redactText(`${before}$SECRET${after}`)).toBe(`${before}$SECRET${after}`);
  });

  test.each([
    ["https://x.blob.example.com/a?sv=1&sig=", `aB3dE6gH9jK2mN5p${"Q8sT1vW4"}`, "&se=2"],
    ["https://x.blob.example.com/a?sv=1&sig=", `%2FaB3%2BdE6gH9jK2mN5p${"Q8sT1vW4"}%3D`, "&se=2"],
    ["https://x.example.com/a?X-Amz-Date=1&X-Amz-Signature=", "0f1e2d3c".repeat(8), ""],
    ["https://x.example.com/a?X-Goog-Signature=", "0f1e2d3c".repeat(8), "&b=1"],
    ["https://api.example.com/bot123456789:", `AA${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL"}`, "/getMe"],
    ['{"kty":"EC", "d" :"', "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0", '"}'],
    ["Private-Lines: 1\n", "AAAAgQCdE6gH9jK2mN5p", ""],
    ["Private-Lines: 2\n", "AAAAgQCdE6gH9jK2mN5p\nQ8sT1vW4yZ7cF0iL", ""],
  ])("signatures and the private parts of keys are replaced: %s…", (before, secret, after) => {
    expect(redactText(before + secret + after)).toBe(before + mark + after);
  });

  test.each([
    '{"name":"DB_PASSWORD","value":"$DB_PASSWORD"}',
    '{"name":"LOG_LEVEL","value":"debug"}',
    `- name: GITHUB_TOKEN\n  value: $${"{{"} secrets.GITHUB_TOKEN }}`,
    "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db",
    '{"name":"max_tokens","value":"4096"}',
    `<password>$${"{"}env.PASSWORD}</password>`,
    "define('DB_NAME', 'shop');",
    "The Cookie: header is set; see Set-Cookie: and SameSite.",
    "cookie: CookieOptions = { path: '/' }",
    "self.password = password",
    "localhost:5432:shop",
    "echo geheimes | grep geh | sudo tee /etc/motd",
    'echo "$TOKEN" | docker login --password-stdin',
    '<add key="PageSize" value="4096" />',
    '<add key="ClearTextPassword" value="%NUGET_PASSWORD%" />',
    "data:\n  mode: dark\n---\nkind: Secret",
    "kind: Secret\n---\ndata:\n  mode: dark\n",
    "mysql -u root\ngrep -pattern file",
    `$${"{"}DB_PASSWORD:-} $${"{"}API_KEY:-none} $${"{"}DB_PASSWORD:?must be set} $${"{"}APP_TOKEN:-default}`,
    "next=https%3A%2F%2Fx.y%3A8080%2Fa%40b",
    'dsn := user + ":" + pass + "@tcp(db:3306)/shop"',
    'variable "region" {\n  default = "eu-west-1"\n}',
    'variable "db_password" {\n  sensitive = true\n}\nvariable "region" {\n  default = "eu-west-1"\n}',
    '{"name": "sid", "value": "geheimes", "secure": true}',
    "AUTH required for all commands",
    "DriverManager.getConnection(url, user, password);",
    "keyring.get_password('geh3imes')",
    "add_argument('--password', '-p'); cy.get('#password').type('{enter2}'); fill('#password', password2)",
    'form-data; name="password"; filename="a.txt"\r\n\r\nline1 of it\r\n',
    "connect(user=u1, password=arg123)",
    "btoa('https://x.y:8080'); Buffer.from('utf8:text1')",
    "password    varchar2\npassword    is hashed with sha256\n",
    "GET /page?code=404&x=1; ?code=SIGTERM_OR_SIGKILL_15",
    "https://x.y/reset-password/confirmation-of-the-request-in-5-steps",
    "jwt.sign(payload, 'secret'); jwt.verify(it, key, { algorithms: ['HS256'] })",
    "createHmac('sha256', key1)",
    "sqlplus /nolog @a.sql",
    "next=postgres%3A%2F%2Fbob%3A$PASSWORD%40box",
  ])("%s is kept", (text) => {
    expect(redactText(text)).toBe(text);
  });

  test.each([
    ["?code=", "&state=x"],
    ["https://x.y/callback?code=", ""],
    ["https://x.y/reset-password/", " now"],
    ["SAMLResponse=", "&RelayState=x"],
  ])("what is exchanged for a session is replaced: %s…", (before, after) => {
    const code = ["aB3dE6gH9jK2mN5p", "Q8sT1vW4yZ7cF0iL", "3oR6uX9zA2bC5eG8"].join("");
    expect(redactText(before + code + after)).toBe(before + mark + after);
  });

  test("a line of an environment file is one value", () => {
    expect(redactText("A=b\nexport DB_PASSWORD=p@ss,w0rd;x\nC=d")).toBe(
      `A=b\nexport DB_PASSWORD=${mark}\nC=d`,
    );
  });

  test.each(["path", "Domain", "expires", "max-age", "SameSite", "version", "comment", "priority"])(
    "the cookie attribute %s is kept",
    (attribute) => {
      const rest = `; ${attribute}=something.long; HttpOnly`;
      expect(redactText(`Set-Cookie: sid=geheimes${rest}`)).toBe(`Set-Cookie: sid=${mark}${rest}`);
    },
  );

  test("a password of a few characters is replaced in JSON", () => {
    expect(redactText('{"password": "g3im"}')).toBe(`{"password": "${mark}"}`);
    expect(redactText('{\\"password\\":\\"g3im\\"}')).toBe(`{\\"password\\":\\"${mark}\\"}`);
  });

  test("the value beside a secret's name is replaced in parsed lists too", () => {
    const list = (value: string) => ({
      env: [
        { name: "DB_PASSWORD", value },
        { name: "MODE", value: "dark" },
      ],
    });
    expect(redactValue(list("geheimes"))).toEqual(list(mark));
    const gap = list("$DB_PASSWORD");
    expect(redactValue(gap)).toBe(gap);
  });
});

describe("incomplete private keys", () => {
  const kind = ["RSA PRIVATE", "KEY"].join(" ");
  const [begin, end] = [`-----BEGIN ${kind}-----`, `-----END ${kind}-----`];
  const line = "MIIEowIBAAKCAQEA0Z3VS5JJcds3xfn".repeat(3).slice(0, 64);
  const lines = [line, line, line.slice(0, 22).concat("==")];

  test.each([
    ["a listing", (each: string, at: number) => `${String(at + 1).padStart(6)}\u2192${each}`],
    ["grep", (each: string, at: number) => `${at + 1}:${each}`],
    ["a quotation", (each: string) => `> ${each}`],
    ["a diff", (each: string) => `+${each}`],
    ["a file", (each: string) => each],
  ])("are replaced in the output of %s, without their end or their beginning", (_name, show) => {
    const shown = (all: readonly string[]) => all.map(show).join("\n");
    expect(redactText(shown([begin, ...lines]))).toBe(show(mark, 0));
    expect(redactText(`x y\n${shown([...lines, end])}\nz`)).toMatch(/^x y\n.{0,7}\[REDACTED_SECRET\]\nz$/);
  });

  test("are replaced with the fields of their header", () => {
    const fields = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\n";
    expect(redactText(`${begin}\n${fields}${lines.join("\n")}`)).toBe(mark);
    expect(redactText(`${begin.replace("RSA", "PGP")}\nVersion: x 2\n\n${line}`)).toBe(mark);
  });

  test("are not assumed where only their markers are mentioned", () => {
    for (const text of [
      `from ${begin} to ${end}`.replace(begin, "its head"),
      `a word\n${end}`,
      `${begin} x\nComment: y`,
    ])
      expect(redactText(text)).toBe(text);
  });
});

describe("tokens wrapped by a terminal", () => {
  const mixed = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL3oR6uX9zA2bC5eG8hJ1kM4nP7qS0tV3wY6".repeat(3);
  const wrap = (text: string) => text.replace(/.{80}/g, "$&\n");

  test("are replaced as a whole", () => {
    const tokens = [
      `sk-${"proj"}-${mixed.slice(0, 160)}`,
      `ey${"J"}${mixed.slice(0, 100)}.${mixed.slice(0, 70)}.${mixed.slice(7, 40)}`,
    ];
    for (const token of tokens) {
      expect(redactText(wrap(`key is ${token} there`))).toBe(`key is ${mark} there`);
      expect(redactText(`${wrap(`TOKEN=${token}`)}\nnext line`)).toBe(`TOKEN=${mark}\nnext line`);
    }
  });

  test("end at their line if the next line begins with a word or a name", () => {
    const token = `sk-${"proj"}-${mixed.slice(0, 80)}`;
    for (const next of [
      "done in 3 s",
      "step2-of-release x",
      "v1.20 x",
      "DATABASE_URL=x",
      "src/index.ts",
      "export A=1",
    ])
      expect(redactText(`${token}\n${next}`)).toBe(`${mark}\n${next}`);
  });
});
