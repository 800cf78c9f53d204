import { describe, expect, test } from "vitest";
import { redactText, redactValue } from "../redact.ts";

/* Put together here, so that no scanner takes this file for a leak. */
const mark = "[REDACTED_SECRET]";
const irregular = ["aB3dE6gH9j", "K2mN5p"].join("");

describe("a value of 20 characters is replaced after a secret's name, even if it reads like words", () => {
  const words = "all-of-it-is-plain-x";

  test.each(["key", "secret", "token", "password", "passwd", "credential", "auth", "AUTH"])("%s", (word) => {
    const name = `my_${word}_of_it`;
    for (const between of ["=", " = ", ": ", ":", " => ", ' => "', '": "', "': '", '\\": \\"', ": `"]) {
      expect(redactText(`x ${name}${between}${words}`)).toBe(`x ${name}${between}${mark}`);
      expect(redactText(`x ${name}${between}${words.slice(1)}`)).toBe(`x ${name}${between}${words.slice(1)}`);
    }
  });

  test("also in YAML blocks, in listings with line numbers and in escaped text", () => {
    for (const between of [
      ": |\n  ",
      ": >-\n  ",
      ": |\\n  ",
      ": |+\n    12\u2192  ",
      ": |\n12\u2192  ",
      ": |\n     12\t  ",
    ])
      expect(redactText(`my_key${between}${words}\n`)).toBe(`my_key${between}${mark}\n`);
  });
});

describe("a generated password is replaced whatever signs it contains", () => {
  const passwords = [
    ["q7$Zk(2m", "@9x,Lw-5t"],
    ["x7$k!2m@9z#4q^", "w&e5r*t8y)u1(i0op=3"],
    ["Vb3{k9:P", "t6]Rw2[hJ"],
    ["9<Hq4>tM", "+z7|Xc1"],
  ].map((parts) => parts.join(""));

  test.each([
    ["password = '", "'\n"],
    ["        'PASSWORD': '", "',\n        'HOST': 'db',\n"],
    ["connect(user='ada', password='", "', dbname='x')"],
    ["SECRET_KEY = '", "'\n"],
    ["SECRET_KEY = config('SECRET_KEY', default='", "')\n"],
    ["JWT_SECRET='", "'\nA=b"],
    ['{"user": "ada", "db_password": "', '"}'],
    ['{"client_secret": "', '"}'],
    ["JWT_SECRET=", "\r\nA=b"],
    ["db.password=", "\ndb.x=1"],
    ["db:\n  password: ", "\n  port: 1"],
    ["The password for staging is ", "."],
    ["The password is `", "`, ok"],
    ["tool --password '", "' x"],
  ])("%j", (before, after) => {
    for (const password of passwords)
      expect(redactText(before + password + after)).toBe(before + mark + after);
  });

  test("in quotes also with closed brackets", () => {
    const password = ["q7$Zk(2m", "@9x,Lw)5t"].join("");
    expect(redactText(`password: "${password}"`)).toBe(`password: "${mark}"`);
  });

  test("in a connection string up to the semicolon", () => {
    for (const password of passwords.filter((each) => !/[;<]/.test(each))) {
      const text = (pwd: string) => `Server=db;User Id=sa;Password=${pwd};Encrypt=true`;
      expect(redactText(text(password))).toBe(text(mark));
    }
  });

  test("also behind the mark of Django's own ones", () => {
    const key = ["django-insecure-", passwords[1]?.toLowerCase()].join("");
    expect(redactText(`SECRET_KEY = '${key}'`)).toBe(`SECRET_KEY = '${mark}'`);
  });

  test.each([
    "const password = `$" + "{user.name1}-$" + "{Math.random()}`;",
    'password: "^(?=.*[A-Z])(?=.*\\d).{8,}$",',
    "token = f'{user1}:{self.pw2}@host'",
    "secret: '{{ .Values.auth1.pw }}',",
    "const token = at(t[1],n2[0],r(3))",
    'secretKey: "user.name[0]!",',
    'token: "spacing-4(2x)",',
    "password=$1&user=x2!",
    'apiKey: "<YOUR-KEY-1!>",',
    'token: "({user:1},[2,3])",',
    "password_encryption = scram-sha-256",
    "password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n",
    "public_key = ed25519.Ed25519PublicKey.from_public_bytes(raw)",
    "def verify(token: str, key: X25519PublicKey) -> bool:",
  ])("but not code: %j", (text) => {
    expect(redactText(text)).toBe(text);
  });
});

describe("a value is replaced in a typed declaration", () => {
  test.each([
    ...[": string", ": String", ": &str", ": &'static str", ": string | undefined", ": Optional[str]"],
    ...["[]", "[64]", "[33] "],
  ])("%s", (type) => {
    for (const name of ["apiKey", "AUTH_TOKEN"])
      for (const value of [irregular, irregular + irregular])
        expect(redactText(`const ${name}${type} = "${value}";`)).toBe(`const ${name}${type} = "${mark}";`);
    expect(redactText(`let password${type} = "zqxjvkwb";`)).toBe(`let password${type} = "${mark}";`);
    const expression = `const token${type} = readTokenOfTheSession(store);`;
    expect(redactText(expression)).toBe(expression);
  });

  test("and as the default of a secret's name", () => {
    const before = "const key = process.env.SHOP_API_KEY ?? '";
    expect(redactText(`${before}${irregular}';`)).toBe(`${before}${mark}';`);
    const clean = "const token = options.token ?? createToken(session);";
    expect(redactText(clean)).toBe(clean);
  });
});

describe("a shorter value is replaced if it is irregular enough", () => {
  test.each(["key", "api", "secret", "token", "passw", "passwd", "credential", "creds", "auth", "access"])(
    "after %s and an operator",
    (word) => {
      for (const between of [" || ", " ::= ", " ?= ", " => ", ": ", "', '"])
        expect(redactText(`x_${word}_y${between}${irregular.slice(0, 10)}\n`)).toBe(
          `x_${word}_y${between}${mark}\n`,
        );
    },
  );

  test.each([
    ...[
      "secret ",
      "secret\t",
      "secret is ",
      "token ",
      "token\t",
      "token was ",
      "password\t",
      "passwd ",
      "key\t",
    ],
    ...[
      "passphrase ",
      "api key is ",
      "access-key was ",
      "secret_key is ",
      "private key is ",
      "auth key is ",
      "key '",
    ],
  ])("after %j", (before) => {
    const after = before.endsWith("'") ? "'" : "";
    for (const end of ["", "\n", ".", ", and", "; x", ")", "\\n"])
      expect(redactText(`my ${before}${irregular}${after}${end}`)).toBe(`my ${before}${mark}${after}${end}`);
  });
});

describe("passwords", () => {
  test.each([
    // Letters alone, in quotes; with signs, without quotes; a password that somebody chose.
    ...["passwd", "pwd", "secret_key", "secretKey", "client_secret", "clientsecret", "pass", "pw"].flatMap(
      (name) => [
        [`${name}: "`, "zqxjvkwb", '"'],
        [`${name}: '`, "zqxjvkwb", "'"],
        [`${name}=`, "zq9xj!vk#w", " x"],
        [`${name} => `, "zq9xj!vk#w", ", x"],
        [`${name} := `, "zq9xj!vk#w", "; x"],
        [`${name} || `, "zq9xj!vk#w", " x"],
        [`${name} = '`, "hunter2", "'"],
        [`{\\"${name}\\": \\"`, "hunter2", '\\"}'],
        [`{\\\\\\"${name}\\\\\\":\\\\\\"`, "hunter2", '\\\\\\"}'],
        [`{\\\\\\"${name}\\\\\\":\\\\\\"`, "zqxjvkwb", '\\\\\\"}'],
      ],
    ),
    ["DEPLOY_PW2=", "hunter2", ""],
    ["db.pass1: ", "hunter2", ""],
    ["const smtpPass = '", "hunter2", "'"],
    ["DB_PWD=", "kd-83.hf/7sQ", " x"],
  ])("are replaced in %s%s%s", (before, password, after) => {
    expect(redactText(`x ${before}${password}${after}`)).toBe(`x ${before}${mark}${after}`);
  });

  const told = "kd83hf7sQw";
  test.each([
    ...[
      "passphrase is ",
      "passphrase ",
      "passcode ",
      "passcode: ",
      "kennwort ist ",
      "Kennwort: ",
      "passwort: ",
    ],
    ...[
      "senha: ",
      "mot de passe est ",
      "Mot de passe : ",
      "the password was ",
      "the password will be ",
      "password changed to ",
    ],
    ...[
      "password set to ",
      "password of our box is ",
      "password on this host is ",
      "password in my vault is ",
    ],
    ...["password from ops to box = ", "passphrase (staging) is "],
    ...[
      "密码:",
      "密码：",
      "密碼是",
      "密碼為",
      "密碼:",
      "كلمة السر: ",
      "סיסמא: ",
      "비밀번호은 ",
      "пароль это ",
    ],
    ...["סיסמה הוא ", "סיסמה היא ", "كلمة المرور هي ", "पासवर्ड है "],
  ])("are replaced in a sentence: %s", (before) => {
    expect(redactText(before + told)).toBe(before + mark);
  });

  test.each(["kd83hf7sqw", "KD83HF7SQW", "kdxzhfqsQw", "kd8Fsq7", "$Kd83hf7sQw"])(
    "a plain word after a space is not taken for a password: %s",
    (word) => {
      const text = `the password ${word} of it`;
      expect(redactText(text)).toBe(text);
    },
  );

  test.each([
    "seed phrase is ",
    "recovery phrase: ",
    "secret phrase was ",
    "mnemonic: ",
    "mnemonic phrase = ",
  ])("include the seed words of a wallet, but not prose, after %s", (before) => {
    const words = "witch collapse practice feed shame open despair creek road again ice least";
    expect(redactText(before + words)).toBe(before + mark);
    for (const word of ["the", "and", "for", "are", "was", "not", "but", "has", "its", "which", "from"]) {
      const prose = before + words.replace("feed", word);
      expect(redactText(prose)).toBe(prose);
    }
  });
});

describe("a literal is replaced in every syntax of code, YAML, shells and URLs", () => {
  const chosen = ["hunter22", "xyz"].join("");

  test.each([
    ...["String::from(", "new String(", "Secret(", "SecretStr(", "SecretString::new(", "Some(", "Box::new("],
    ...["Some(String::from(", "Buffer.from(", "new TextEncoder().encode(", "[]byte(", "Optional.of("],
    ...["b", "r", "f", "$", "@", "string(11) "],
  ])("%s", (opening) => {
    for (const name of ["let api_key", "const password", "jwt_secret", "$token"])
      expect(redactText(`${name} = ${opening}"${chosen}")`)).toBe(`${name} = ${opening}"${mark}")`);
    expect(redactText(`linear = ${opening}"${"0f1e2d3c".repeat(4)}"`)).toBe(`linear = ${opening}"${mark}"`);
    expect(redactText(`let token = ${opening}name)`)).toBe(`let token = ${opening}name)`);
  });

  test.each([
    ["password: str = '", "'"],
    ['password = """', '"""'],
    ["password: !!str ", "\n"],
    ["password: &pw ", "\n"],
    ["db:\n  password: >-\n    ", "\n"],
    ["password%3D", "%26user%3Da"],
    ['@Value("$' + "{db.password:", '}")'],
    ["JWT_SECRET = '", "'"],
    ['os.Setenv("DB_PASSWORD", "', '")'],
    ['os.environ.setdefault("DB_PASSWORD", "', '")'],
    ["page.fill('#password', '", "');"],
    ['props.put("password", "', '");'],
    ['os.getenv("API_KEY", "', '")'],
    ['os.environ.get("DB_PASSWORD", "', '")'],
    ["os.getenv('SECRET_KEY', default='", "')"],
    ['  password                = "', '"'],
    ["DB_PASS ?= ", "\n"],
    ["api_key ||= '", "'"],
    ["password -> ", "\n"],
    ["%7B%22password%22%3A%20%22", "%22%2C%22a%22"],
    ["password:\n  ", "\nport: 1"],
    ["- password:\n    - '", "'\n"],
    ["localStorage.setItem('token', '", "')"],
    ['headers["X-Auth-Token"] = "', '"'],
    ["const apiKey = '", "';"],
    ["process.env.API_TOKEN = `", "`"],
    ['credentials: { access_key: "', '" }'],
    ["docker run --env API_TOKEN=", " x"],
    ["INFO token=", " user=3"],
    ['std::string token{"', '"};'],
    ['.apiKey("', '")'],
    ['#define WIFI_PASSWORD "', '"'],
    ["storePassword '", "'"],
    ["https://x.y/z?api_key=", "&a=1"],
    ["https://x.y/z#access_token=", "&a=1"],
  ])("%s…%s", (before, after) => {
    expect(redactText(before + chosen + after)).toBe(before + mark + after);
  });

  test("a YAML value is replaced from twelve characters on, and one of hex digits after a key's name from sixteen", () => {
    const hex = "0f1e2d3c4b5a6978";
    for (const value of [`${chosen}1`, hex])
      expect(redactText(`api_key: ${value}\nx`)).toBe(`api_key: ${mark}\nx`);
    expect(redactText(`SECRET_KEY=${hex} x`)).toBe(`SECRET_KEY=${mark} x`);
    for (const text of [
      ...[chosen, "0f1e2d3c4b5a"].map((short) => `api_key: ${short}\nx`),
      ...[`cache_token: ${hex}\nx`, `primary_key=${hex} x`],
    ])
      expect(redactText(text)).toBe(text);
  });

  test.each([
    'const token = cookies.get("session_token");',
    'let key = Buffer.from(encoded, "base64");',
    'const key = Buffer.from("00112233", "hex");',
    "apiKey: apiKey2, token: token12,",
    'const TOKEN: &str = "identifier";',
    'jwt_secret = client.get_secret("prod-db-2")',
    "let password = String::from_utf8(buffer1)?;",
    'nextPageToken: "CAUQAA1234"',
    'getToken("session1234"); client.getSecret("mydb12345")',
    'pageToken = "abc123def4"',
    'sortKey: "field12345"',
    "TOKEN_COUNT=20481024",
    "SECRET_NAME=prod-db-12",
    'os.getenv("API_KEY", "default")',
    "https://x.y/z?sort_key=created_at_2&token=abc",
    "x=1&oauth_token=lock%26key",
    ":type crypto_key: ``library.module.Certificate``",
    'in(["password", "username1"])',
  ])("%s is kept", (text) => {
    expect(redactText(text)).toBe(text);
  });
});

describe("text that only stands for a secret is kept", () => {
  test.each([
    ...[
      "base64",
      "argon2id",
      "bcrypt2",
      "scrypt1",
      "pbkdf2",
      "sha256",
      "md5sum",
      "utf8mb4",
      "aes256",
      "rsa2048",
    ],
    ...["ed25519", "curve41", "ascii7", "oauth2", "uuid4x"],
  ])("the method or encoding %s", (method) => {
    expect(redactText(`pw = ${method};`)).toBe(`pw = ${method};`);
  });

  test.each(["var.db_password2", "local.creds1.password", "req.body.password1", "self.pass2word"])(
    "the reference %s",
    (reference) => {
      for (const text of [`password   = ${reference}`, `password: ${reference},`])
        expect(redactText(text)).toBe(text);
    },
  );

  test.each([
    ...[
      "$DB_PASS",
      "$PASS1",
      `$${"{DB_PASS}"}`,
      "{{ pass }}",
      "%s",
      "%v",
      "<your password>",
      "%DB_PASS1%",
      "@DB_PASS1@",
      "__DB_PASS1__",
      "required|min:8",
      "****",
      "xxxx",
      "....",
    ],
    ...["`cat file`", "$(cat file)", "#{pass}", "[REDACTED]", mark],
    ...[
      "password",
      "passwd",
      "passphrase",
      "passcode",
      "pass",
      "pwd",
      "secret",
      "token",
      "value",
      "str",
      "string",
    ],
    ...[
      "text",
      "none",
      "null",
      "undefined",
      "true",
      "false",
      "optional",
      "required",
      "your-own-one",
      "PASSWORD",
    ],
  ])("%s", (gap) => {
    for (const quote of ['"', "'"]) {
      const text = `export DB_PASSWORD=${quote}${gap}${quote}`;
      expect(redactText(text)).toBe(text);
    }
  });
});

describe("text that only names a secret is kept", () => {
  test.each([
    "API_KEY=process.env.SHOP_API_KEY_2",
    "run --password=process.env.PW1",
    "password: os.environ['PG2_PASSWORD'],",
    'curl -H "X-Api-Key: $env:API_KEY1" https://x.y',
    'curl -H "X-Api-Key: YOUR_API_KEY" https://x.y',
    `curl -u "$${"{{"} secrets.U }}:$${"{{"} secrets.P }}" https://x.y`,
    "curl -u user:$(pass show x) https://x.y",
    `postgres://$${"{user}"}:$${"{encodeURIComponent(pass)}"}@box/db`,
    "helm upgrade app --set auth.existingSecret=db-credentials",
    "--- PASS: TestParse2 (0.00s)",
    "PASS: test-parse12.sh",
  ])("%s", (text) => {
    expect(redactText(text)).toBe(text);
  });
});

describe("parsed values", () => {
  test("keep the name of a cookie and the placeholder of a password", () => {
    const settings = [
      { name: "cookie", value: "session" },
      { name: "DB_PASSWORD", value: "%DB_PASS1%" },
    ];
    expect(redactValue(settings)).toBe(settings);
  });

  test.each([
    ...[
      "X_PASSWORD",
      "x_passwd",
      "PASSPHRASE",
      "clientSecret",
      "MY_TOKEN",
      "my-token",
      "CREDENTIAL",
      "credentials",
    ],
    ...["apikey", "API_KEY", "access_key", "secretkey", "PRIVATE_KEY"],
  ])("lose the value beside the name %s", (name) => {
    for (const [key, value] of [
      ["name", "value"],
      ["Name", "Value"],
      ["key", "value"],
      ["Key", "Value"],
      ["ParameterKey", "ParameterValue"],
    ] as const)
      expect(redactValue({ [key]: name, [value]: "geheimes" })).toEqual({ [key]: name, [value]: mark });
  });

  test("lose ids and hashes under names of secrets, and keep them under other names", () => {
    const uuid = "3f2a9c1e-7b4d-4e8a-9c0d-1f2e3d4c5b6a";
    const hex = "9b74c9897bac770f".repeat(4);
    for (const name of [
      "my_secret_x",
      "credentialId",
      "apiKeyId",
      "access-key-x",
      "auth_token_id",
      "private_key_x",
    ])
      for (const value of [uuid, hex, hex.slice(0, 40)])
        expect(redactValue({ [name]: value })).toEqual({ [name]: mark });
    for (const value of [uuid, hex, hex.slice(0, 40)])
      expect(redactValue({ cacheKey: value })).toEqual({ cacheKey: value });
  });
});
