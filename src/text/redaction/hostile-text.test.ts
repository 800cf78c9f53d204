import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { processorTimer } from "../../../test/support/processor-time.ts";
import { redactText, redactValue } from "./redact.ts";

const characters = 200_000;
/* Linear work takes half of it on a slow and busy machine; the square of the length takes a quarter of an hour. */
const mostMs = 1000;
/** Other load can multiply what linear work takes, but not each time. */
const tries = 3;

/** The least processor time of several tries, or of the first that is short enough. */
function fastest(work: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < tries && least >= mostMs; attempt += 1) {
    const spent = processorTimer();
    work();
    least = Math.min(least, spent());
  }
  return least;
}

describe("redacts 200,000 characters of bait in linear time", () => {
  test.each([
    "a",
    "sk-",
    "key=",
    "key",
    "token: ",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN ",
    "-----END PRIVATE KEY-----",
    `${"A".repeat(64)}\n-----END PRIVATE KEY-----`,
    `${"A".repeat(30)}\n`,
    "key: a a a a ",
    "token: string[] ",
    "<private>",
    "<private>x</private>",
    "-eyJ",
    "eyJaaaaaa.",
    "password",
    "auth.",
    "twitter = ",
    "http://a:b@",
    "http://a@b:c",
    "@a:b",
    "://@a:",
    "curl ",
    "data:\n a: bbbb\n",
    "kind: secret data: a: bbbb ",
    "1|",
    "mysql ",
    "htpasswd -b ",
    "cookie: a=bbbbbb;",
    "name: token value: ",
    "server=a;password=",
    "PASSWORD=",
    `sk-${"a".repeat(76)}1\n`,
    "private-lines: 1\nA\n",
    "password is ",
    "密码是 a a a ",
    "password for a of b ",
    "mnemonic abc ",
    "echo a1 | ",
    "echo ",
    "sudo -S <<< ",
    "://aaaaaaaaaaaaaaaaaaaaaaaaa1@",
    "a:5432:",
    "basic YTpi ",
    '"d":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"',
    "login x password ",
    "--password ",
    "auth=('",
    "ENV A_KEY ",
    "$6$a$",
    "key: |\n  ",
    "&secret=",
    'data":{"a":"bbbb",',
    "kind: secret stringData:\n a: bbbb\n",
    '"httponly"',
    '"value":"aaaaaa","httponly"',
    'variable "token" {',
    "a:bbb@tcp(",
    "getconnection('a','b',",
    "jwt.sign(a,",
    "-token ",
    "-a-token",
    "net user ",
    "ssm put-parameter ",
    "consul kv put key ",
    "set -x KEY ",
    "%3A%2F%2Fa%3A",
    "%3A%2F%2Fa%3Ab%25",
    "${DB_PASSWORD:-",
    "&quot;password&quot;: ",
    "word\\\n",
    "secret_token: str = new String(",
    'set("password", ',
    "password: !!a ",
    "password|x\n",
    "|password|\n|---|\n",
    "|password|\n|---|\n|a1b2c3d4|\n",
    "a,password\n",
    'password,"',
    "A  PASSWORD\n",
    "password | a1b2c3 |",
    "insert into t (password) values (",
    "insert into t (password) values ('",
    "insert into t (password) values ('a1', ",
    "insert into t (password,",
    "copy t (password) from stdin;\n",
    "copy t (password) from stdin;\na1b2\n",
    "password = '",
    "password = crypt('",
    "update t set password = 'a1",
    "update t where password = 'a1",
    "Enter new password: ",
    "user: a\nPassword: ",
    "Enter passphrase for a: a b c d ",
    'password: send "a1\\r',
    'password":{"value":"',
    'token":{a,"value":"a1',
    "api_key:\n  value: ",
    "user: 'a', pass: '",
    "auth=['a','a1",
    "digest a,response=",
    "aws4-a a,signature=",
    "hawk a,mac=",
    "authorization: key a1",
    'password="hunter2\\"',
    'password="hunter2\\\\',
    "\\",
    "password='hunter2''",
    "passwords: [",
    "passwords: ['a', ",
    "passwords:\n",
    "passwords:\n  a: ",
    "passwords:\n - a b\n",
    "passwords:\n  a:\n",
    "passwords: a1, ",
    "passwords: [a1b2c3, ",
    '"secrets":{"a":{',
    "[secrets]\na = 'b'\n",
    "env:\n A_PASSWORD: ",
    "                    x\n  A_PASSWORD: ",
    "- A_PASSWORD=",
    '["A_PASSWORD=',
    "<tr><td>password</td>",
    "<tr><th>a</th><th>password</th></tr>",
    "<dt>password</dt><dd>",
    "password</td><td>",
    "**password**: ",
    "### Password\n\n",
    "password:\n  ",
    '<input value="a1b2c3d4" name="password" ',
    '<a token" ',
    'a="password" ',
    '<property name="password">',
    "<name>password</name><value>",
    "<b>password:</b> ",
    "<secret>",
    "set the password to ",
    "use a as the password ",
    "(password ",
    'form-data; name="token"\n\na1',
    "bcrypt.hash('a1",
    "user a and password ",
    "creds: a/",
    "token is a1",
    'passphrase: "abc abc abc ',
    '"--password", "a1',
    "PASSWORD=a,",
    "otpauth://a?",
    "samlresponse=a",
    "?code=a1",
    "://reset-password/a1",
    '"random_password"',
    ".vault.azure.net/secrets/",
    "document.cookie='a=bbbbbb;",
    "password    a1",
    "aaa-us1",
    "AAAAAAAAAAAAAAAAAAAAA",
    'set("password").fill(\'a1',
    "user: a\npassword: **",
    "ghs_1_eyJ-",
    "-z_1dWlkIjoi",
    "-pa-aA1",
    "+ASt",
    "APIM",
    "MTIzMTIz.G",
    "e.G",
    "1/1234567890123456789/",
    "t1.9eu-",
    `tid=${"0f".repeat(16)};`,
    `dev:aaa|${"a".repeat(39)}-`,
    "AAAInc",
    "api key aaaaaaaaaaa.",
    "key is 0f1e2d3c-0f1e-",
  ])("%j", (bait) => {
    const text = bait.repeat(Math.ceil(characters / bait.length));
    expect(fastest(() => redactText(text))).toBeLessThan(mostMs);
  });

  test("used as keys that redact to the same text", () => {
    const keys = Array.from({ length: characters / 25 }, (_, at) => `<private>${at}</private>`);
    const value = Object.fromEntries(keys.map((key) => [key, 1]));
    let redacted: unknown;
    const spent = fastest(() => {
      redacted = redactValue(value);
    });
    expect(spent).toBeLessThan(mostMs);
    expect(Object.keys(redacted as object)).toHaveLength(keys.length);
  });
});

test("redacts a private key that is cut off after millions of characters", () => {
  const text = `-----BEGIN ${"PRIVATE"} KEY-----\n${"A".repeat(15_000_000)}\n*** what follows: 中`;
  expect(redactText(text)).toBe("[REDACTED_SECRET]\n*** what follows: 中");
});

/* Pieces of secrets and of what stands around them, so that random texts come close to every rule. */
const piece = fc.oneof(
  fc.constantFrom(
    ..."key= token: secret auth Bearer basic sk- sk-ant- ghp_ AKIA eyJ . - _ = : => || \" ' ` \\ \n".split(
      " ",
    ),
    ..."<private> </private> :// @ user: linear okta twitter heroku password= data: kind: curl -u -H".split(
      " ",
    ),
    " ",
    "\n|---|---|\n",
    "\n| user | password |",
    "a,password\n",
    "A  PASSWORD\n",
    "INSERT INTO t (a, password) VALUES (",
    "UPDATE t SET token = '",
    "\nNew password: ",
    "passwords: [",
    "\npasswords:\n - ",
    "<tr><td>user</td><td>password</td></tr>",
    "<td>",
    "</td>",
    "**Password**: ",
    "response=",
    "Digest ",
    '"password":{"value":"',
    '\\"',
    "[REDACTED]",
    "[REDACTED_SECRET]",
    `-----BEGIN ${"PRIVATE"} KEY-----`,
    `-----END ${"PRIVATE"} KEY-----`,
    "3f2a9c1e-7b4d-4e8a-9c0d-1f2e3d4c5b6a",
  ),
  fc.stringMatching(/^[A-Za-z0-9]{1,40}$/),
  fc.stringMatching(/^[a-f0-9]{32,40}$/),
  fc.string({ maxLength: 6 }),
);
const texts = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(""));

describe("redaction is idempotent", () => {
  test("a redacted text does not change again", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = redactText(text);
        expect(redactText(once)).toBe(once);
      }),
      { numRuns: 3000 },
    );
  });

  test("a redacted value is returned by the same reference", () => {
    const value = fc.dictionary(
      fc.oneof(texts, fc.constantFrom("token", "password", "linear_api_key", "cookie", "name", "value")),
      texts,
    );
    fc.assert(
      fc.property(value, (record) => {
        const once = redactValue(record);
        expect(redactValue(once)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });
});
