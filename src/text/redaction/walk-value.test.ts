import { describe, expect, test } from "vitest";
import { redactValue } from "./redact.ts";

const mark = "[REDACTED_SECRET]";
const mixed = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL3oR6uX9z";

describe("fields named like secrets", () => {
  test.each([
    "password",
    "passwd",
    "passphrase",
    "secret",
    "client_secret",
    "apiKey",
    "API-KEY",
    "access_token",
    "refreshToken",
    "auth_token",
    "private_key",
    "Authorization",
    "cookie",
    "Set-Cookie",
  ])("%s is replaced if its value has four or more characters and no spaces", (key) => {
    expect(redactValue({ [key]: "abcd", kept: "abcd" })).toEqual({ [key]: mark, kept: "abcd" });
    for (const value of ["abc", "two words", "", 1234, true, null]) {
      expect(redactValue({ [key]: value })).toEqual({ [key]: value });
    }
  });

  test("a key that contains a secret or a private passage is redacted, and no value is lost", () => {
    const [one, two] = [`gh${"p_"}${mixed.slice(0, 36)}`, `gh${"o_"}${mixed.slice(0, 36)}`];
    const nested = { list: [{ [one]: "valid", [two]: "expired", "of <private>Jo</private>": 1 }] };
    const redacted = { list: [{ [mark]: "valid", [`${mark} 2`]: "expired", "of [REDACTED]": 1 }] };
    expect(redactValue(nested)).toEqual(redacted);
    expect(redactValue(redacted)).toBe(redacted);
  });

  test.each(["token", "credential", "Credentials"])(
    "%s is replaced if its value has twelve or more characters",
    (key) => {
      expect(redactValue({ [key]: "abcdefghijkl" })).toEqual({ [key]: mark });
      expect(redactValue({ [key]: "abcdefghijk" })).toEqual({ [key]: "abcdefghijk" });
    },
  );

  test("a field whose name only contains a secret's name keeps a short value", () => {
    const value = { passwordHint: "dog", tokens: "abcdefghijkl", secretary: "miller" };
    expect(redactValue(value)).toBe(value);
  });

  test("a password of six characters, and a passphrase of several words, are replaced under longer names", () => {
    for (const name of ["db_password", "pwd", "pass", "newPassword", "old_passwd"])
      expect(redactValue({ [name]: "kd83hf" })).toEqual({ [name]: mark });
    expect(redactValue({ keyPassphrase: "correct horse battery staple" })).toEqual({ keyPassphrase: mark });
    const clean = { passwordHint: "step 2", keyPassphrase: "enter your new one", resetPassword: "Reset it" };
    expect(redactValue(clean)).toBe(clean);
  });

  test("a field is redacted if its name and value would be redacted as text", () => {
    expect(redactValue({ DEPLOY_KEY: mixed.slice(0, 24) })).toEqual({ DEPLOY_KEY: mark });
    const heroku = { heroku_api_key: "3f2a9c1e-7b4d-4e8a-9c0d-1f2e3d4c5b6a" };
    expect(redactValue(heroku)).toEqual({ heroku_api_key: mark });
  });

  test.each([
    ["name", "value"],
    ["Name", "Value"],
    ["key", "value"],
    ["Key", "Value"],
    ["ParameterKey", "ParameterValue"],
  ])("in a list of settings with %s and %s, the values of secrets are replaced", (name, value) => {
    const list = [
      { [name]: "DB_HOST", [value]: "db.local" },
      { [name]: "DB_PASSWORD", [value]: "hunter2", comment: "hunter2" },
      { [name]: "DB_PASSWORD", [value]: "$DB_PASSWORD" },
      { [name]: "SMTP_PASSWORD", [value]: 12345 },
    ];
    const [host, , reference, number] = list;
    const password = { [name]: "DB_PASSWORD", [value]: mark, comment: "hunter2" };
    expect(redactValue(list)).toEqual([host, password, reference, number]);
  });

  test("headers are redacted as they would be in a request's lines", () => {
    const headers = {
      cookie: "sid=geheimes; theme=x",
      Authorization: "Bearer geh3imes",
      "X-Api-Key": "geh3imes",
    };
    const redacted = { cookie: `sid=${mark}; theme=x`, Authorization: `Bearer ${mark}`, "X-Api-Key": mark };
    expect(redactValue(headers)).toEqual(redacted);
    expect(redactValue(redacted)).toBe(redacted);
    const both = { "set-cookie": `sid=geheimes; of=ghp${"_"}${mixed.slice(0, 36)}; Path=/` };
    expect(redactValue(both)).toEqual({ "set-cookie": `sid=${mark}; of=${mark}; Path=/` });
    const named = { name: "set-cookie", value: both["set-cookie"] };
    expect(redactValue(named)).toEqual({ name: "set-cookie", value: `sid=${mark}; of=${mark}; Path=/` });
    const entries = (of: typeof headers) => Object.entries(of).map(([name, value]) => ({ name, value }));
    expect(redactValue(entries(headers))).toEqual(entries(redacted));
    const clean = {
      cookie: "of the session, not kept",
      authorization: "none needed",
      "x-trace-token": "a b",
    };
    expect(redactValue(clean)).toBe(clean);
  });

  test("a secret one level below its name is replaced", () => {
    const settings = (password: string, token: string) => ({
      password: { value: password, type: "string", length: 8 },
      api_key: { secret: password, plaintext: password },
      token: { value: token, kind: "opaque" },
      auth: ["ada", token],
      mail: { user: "ada", pass: password },
    });
    expect(redactValue(settings("geheimes", "geh3imes"))).toEqual(settings(mark, mark));
    const clean = {
      ...{ password: { value: "$PASSWORD", type: "string", text: "geheimes" }, token: { value: "keyword" } },
      ...{ auth: ["basic", "oauth2"], basicAuth: ["ada", "geheimes"], tests: { pass: "all of them" } },
    };
    expect(redactValue(clean)).toBe(clean);
  });

  test("what is typed into a field for a secret is replaced", () => {
    const typed = (value: string) => [
      ...[
        { type: "password", value },
        { label: "Password", value },
        { id: "client-secret", value },
      ],
      ...[
        { selector: "#user_password", value },
        { selector: 'input[name="password"]', text: value },
      ],
      { element: "Password textbox", ref: "e12", text: value },
    ];
    expect(redactValue(typed("geheimes"))).toEqual(typed(mark));
    const clean = [
      ...[
        { label: "Client secret", value: "client_secret" },
        { selector: "#email", value: "geheimes" },
      ],
      { element: "Show password button", text: "geheimes" },
    ];
    expect(redactValue(clean)).toBe(clean);
  });

  test("a value is redacted if any of its names is a secret's", () => {
    const setting = { name: "Main database", key: "DB_PASSWORD", value: "geheimes" };
    expect(redactValue(setting)).toEqual({ ...setting, value: mark });
    const heroku = { name: "heroku_api_key", value: "3f2a9c1e-7b4d-4e8a-9c0d-1f2e3d4c5b6a" };
    expect(redactValue(heroku)).toEqual({ ...heroku, value: mark });
  });

  test("passwords with any characters are replaced under environment variable names", () => {
    for (const password of ["p@ss,w0rd", "Tr0ub4dor&3", "kd(83)hf7"])
      for (const name of ["PGPASSWORD", "MYSQL_PWD"])
        expect(redactValue({ [name]: password })).toEqual({ [name]: mark });
    const selectors = {
      passwordSelector: "#password",
      secretField: ".key>input",
      credentials_input: "#pwd-2",
    };
    expect(redactValue(selectors)).toBe(selectors);
  });

  test("generated passwords with any signs are replaced under other telling names, but not code", () => {
    for (const name of ["db_password", "jwtSecret", "SECRET_KEY"])
      expect(redactValue({ [name]: ["q7$Zk(2m", "@9x,Lw-5t"].join("") })).toEqual({ [name]: mark });
    const clean = { passwordPattern: "^(?=.*[A-Z])(?=.*\\d).{8,}$", secretOf: "users[0].at(x1)!" };
    expect(redactValue(clean)).toBe(clean);
  });

  test("an argument is replaced after an option that takes a secret", () => {
    expect(redactValue(["run", "--password", "geh3imes", "--token", mixed, "geh3imes"])).toEqual([
      ...["run", "--password", mark, "--token", mark, "geh3imes"],
    ]);
    const clean = [
      "--password",
      "-v",
      "--token",
      "$TOKEN",
      "--key",
      "src/key.ts",
      "--password-file",
      "a b9c9d9",
    ];
    expect(redactValue(clean)).toBe(clean);
  });

  test.each<(secret: string) => readonly string[]>([
    (secret) => ["mysql", "-u", "root", `-p${secret}`],
    (secret) => ["docker", "login", "-u", "bob", "-p", secret],
    (secret) => ["curl", "-u", `bob:${secret}`, "https://x.y"],
    (secret) => ["sshpass", "-p", secret, "ssh", "x"],
    (secret) => ["redis-cli", "-a", secret, "set", "a", "two words"],
    (secret) => ["docker", "run", "--name", "a b", "-e", `secret=${secret}`],
  ])("a list of arguments is redacted like its command line: %o", (list) => {
    expect(redactValue({ command: list("geh3imes") })).toEqual({ command: list(mark) });
    for (const kept of [list(mark), list("$SECRET")]) expect(redactValue(kept)).toBe(kept);
  });

  test("a list keeps arguments that are not secrets", () => {
    for (const clean of [
      ["docker", "run", "--name", "mysql", "-p3306:3306", "mysql"],
      ["git", "commit", "-m", "fix: the token 12 of 34"],
      ["-import password from 'x'", "+import token12 from 'y'"],
      ["authorization", "content-type", "x-api-key", "x-b3-traceid", "cookie"],
      ["mkdir", "-p", "src/geh3imes"],
    ])
      expect(redactValue(clean)).toBe(clean);
  });

  test("headers in lists of names and values are redacted", () => {
    const pairs = (token: string, session: string) => [
      ["authorization", `Bearer ${token}`],
      ["cookie", `sid=${session}; theme=x`],
      ["accept", "*/*"],
    ];
    const redacted = pairs(mark, mark);
    expect(redactValue(pairs("geh3imes", "geheimes"))).toEqual(redacted);
    expect(redactValue(pairs("geh3imes", "geheimes").flat())).toEqual(redacted.flat());
    const github = `ghp${"_"}${mixed.slice(0, 36)}`;
    expect(redactValue(["cookie", `sid=geheimes; of=${github}`])).toEqual([
      "cookie",
      `sid=${mark}; of=${mark}`,
    ]);
    expect(redactValue({ "set-cookie": ["sid=geheimes; Path=/", "theme=x"] })).toEqual({
      "set-cookie": [`sid=${mark}; Path=/`, "theme=x"],
    });
  });

  test("texts in a list under a secret's name are redacted like a single value", () => {
    expect(redactValue({ password: ["kd83hf7s"], id: ["kd83hf7s"] })).toEqual({
      password: [mark],
      id: ["kd83hf7s"],
    });
    const clean = { password: ["This field is required.", "min:8", "too_short"], secrets: ["DB_PASSWORD1"] };
    expect(redactValue(clean)).toBe(clean);
  });

  test("values of Kubernetes secrets, clouds' secrets and browser cookies are replaced under any name", () => {
    const manifest = (kind: string, value: string) => ({ kind, data: { user: value, on: "$X", n: 1 } });
    expect(redactValue({ items: [manifest("Secret", "geheimes")] })).toEqual({
      items: [manifest("Secret", mark)],
    });
    expect(redactValue({ kind: "Secret", stringData: { a: "geheimes" } })).toEqual({
      kind: "Secret",
      stringData: { a: mark },
    });
    const map = manifest("ConfigMap", "geheimes");
    expect(redactValue(map)).toBe(map);
    const cookie = (value: string) => ({ name: "sid", value, domain: "x.y", httpOnly: true });
    expect(redactValue([cookie("geheimes")])).toEqual([cookie(mark)]);
    expect(redactValue([{ name: "a", value: "geheimes", sameSite: "Lax" }])).toEqual([
      { name: "a", value: mark, sameSite: "Lax" },
    ]);
    const stored = (value: string) => ({ name: "sid", value, domain: "x.y", path: "/", expires: -1 });
    expect(
      redactValue({ list: [stored("geheimes")], cookies: { sid: "zqx9jvkwb7mn", theme: "dark" } }),
    ).toEqual({
      list: [stored(mark)],
      cookies: { sid: mark, theme: "dark" },
    });
    const parameter = (Type: string, Value: string) => ({ Name: "db", Type, Value });
    expect(redactValue(parameter("SecureString", "geheimes"))).toEqual(parameter("SecureString", mark));
    const inVault = (value: string) => ({ id: "https://x.vault.azure.net/secrets/db/0a", value });
    expect(redactValue(inVault("geheimes"))).toEqual(inVault(mark));
    for (const plain of [{ name: "sid", value: "geheimes" }, parameter("String", "geheimes")])
      expect(redactValue(plain)).toBe(plain);
  });

  test("ids, paths and names are kept in fields whose names merely contain key or auth", () => {
    const value = {
      cacheKey: "3f2a9c1e-7b4d-4e8a-9c0d-1f2e3d4c5b6a",
      dedupKey: "9b74c9897bac770ffc029102a200c5de9b74c989",
      keyPath: "src/text/redaction/catalogue.ts",
      author: "someone-with-a-very-long-name",
    };
    expect(redactValue(value)).toBe(value);
  });
});

describe("redactValue", () => {
  test("redacts strings and keys at any depth, and keeps order and other values", () => {
    const secret = `ghp${"_"}${mixed.slice(0, 36)}`;
    const value = { b: [1, null, { [secret]: [`x ${secret}`] }], a: false };
    const redacted = redactValue(value);
    expect(redacted).toEqual({ b: [1, null, { [mark]: [`x ${mark}`] }], a: false });
    expect(JSON.stringify(redacted)).toBe(JSON.stringify(value).replaceAll(secret, mark));
  });

  test("returns the same reference for unchanged values and unchanged parts", () => {
    const clean = { a: ["x", { y: "z" }] };
    expect(redactValue(clean)).toBe(clean);
    const list = [clean, { password: "hunter22" }];
    expect(redactValue(list)).toEqual([clean, { password: mark }]);
    expect(Object.values(Object(redactValue(list)))[0]).toBe(clean);
    expect(list[1]).toEqual({ password: "hunter22" });
  });

  test("keeps __proto__ and constructor as plain fields and touches no prototype", () => {
    const value: unknown = JSON.parse('{"__proto__": {"password": "hunter22"}, "constructor": {"x": 1}}');
    const redacted = redactValue(value);
    expect(JSON.stringify(redacted)).toBe(`{"__proto__":{"password":"${mark}"},"constructor":{"x":1}}`);
    expect(Object.getPrototypeOf(redacted)).toBe(Object.prototype);
    expect(Object.hasOwn(Object.prototype, "password")).toBe(false);
  });

  test("redacts a bare string and returns other values unchanged", () => {
    expect(redactValue("<private>x</private>")).toBe("[REDACTED]");
    for (const value of [0, null, undefined, true]) expect(redactValue(value)).toBe(value);
  });

  test("replaces the rest of a secret beside a private passage, and an unclosed passage in a key", () => {
    expect(redactValue({ password: "<private>a b</private>xyz" })).toEqual({ password: mark });
    expect(redactValue({ "<private>x": 1 })).toEqual({ "[REDACTED]": 1 });
  });

  test("keeps existing redaction marks under secrets' names", () => {
    const value = { password: "[REDACTED]", secret: mark };
    expect(redactValue(value)).toBe(value);
  });
});
