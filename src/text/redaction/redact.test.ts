import { describe, expect, test } from "vitest";
import { redactText, redactValue } from "./redact.ts";

/* Secrets are put together here, so that no scanner takes this file for a leak. */
const mixed = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL3oR6uX9zA2bC5eG8hJ1kM4nP7qS0tV3wY6";
const hex = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0";
const upper = "A1B2C3D4E5F6G7H8I9J0";
const mark = "[REDACTED_SECRET]";

function cut(length: number): string {
  return mixed.slice(0, length);
}

describe("tokens of known formats are replaced", () => {
  test.each([
    ["sk-proj", `sk-${"proj-"}${cut(16)}`],
    ["sk-ant", `sk-${"ant-"}${cut(16)}`],
    ["sk", `sk${"-"}${cut(20)}`],
    ["pk", `pk${"-"}${cut(20)}`],
    ["rk", `rk${"-"}${cut(20)}`],
    ["ak", `ak${"-"}${cut(20)}`],
    ["sk live", `sk_${"live_"}${cut(16)}`],
    ["rk live", `rk_${"live_"}${cut(16)}`],
    ["sk test", `sk_${"test_"}${cut(16)}`],
    ...["ghp", "gho", "ghu", "ghs", "ghr"].map((kind) => [kind, `${kind}_${cut(36)}`]),
    ["github fine-grained", `github_${"pat_"}${cut(22)}`],
    ...["xoxa", "xoxb", "xoxp", "xoxr", "xoxs", "xapp"].map((kind) => [kind, `${kind}-${cut(10)}`]),
    ["AKIA", `AK${"IA"}${upper.slice(0, 16)}`],
    ["ASIA", `AS${"IA"}${upper.slice(0, 16)}`],
    ["AIza", `AI${"za"}${cut(35)}`],
    ["json web token", `ey${"J"}${cut(17)}.ey${"J"}${cut(20)}.${cut(43)}`],
    ["json web token of any payload", `ey${"J"}${cut(17)}.${cut(12)}.${cut(20)}`],
    ["npm", `npm${"_"}${cut(36)}`],
    ["glpat", `gl${"pat-"}${cut(20)}`],
    ["dop_v1", `dop${"_v1_"}${hex}`],
    ["hf", `hf${"_"}${cut(30)}`],
    ["pypi", `py${"pi-"}${cut(50)}`],
  ])("%s", (_name, secret) => {
    expect(redactText(`before ${secret} after`)).toBe(`before ${mark} after`);
    expect(redactText(`("${secret}")`)).toBe(`("${mark}")`);
    expect(redactText(secret ?? "")).toBe(mark);
  });
});

describe("text just short of a token format is kept", () => {
  test.each([
    ["sk-ant of 15", `sk-${"ant-"}${cut(15)}`],
    ["sk of 19", `sk${"-"}${cut(19)}`],
    ["live key of 9", `sk_${"live_"}${cut(9)}`],
    ["ghp of 35", `ghp${"_"}${cut(35)}`],
    ["github_pat of 21", `github_${"pat_"}${cut(21)}`],
    ["xoxb of 9", `xoxb${"-"}${cut(9)}`],
    ["AKIA of 15", `AK${"IA"}${upper.slice(0, 15)}`],
    ["AKIA in lower case", `ak${"ia"}${upper.slice(0, 16).toLowerCase()}`],
    ["AIza of 34", `AI${"za"}${cut(34)}`],
    ["json web token of two parts", `ey${"J"}${cut(20)}.ey${"J"}${cut(20)}`],
    ["npm of 35", `npm${"_"}${cut(35)}`],
    ["glpat of 19", `gl${"pat-"}${cut(19)}`],
    ["dop_v1 of 63", `dop${"_v1_"}${hex.slice(1)}`],
    ["hf of 29", `hf${"_"}${cut(29)}`],
    ["pypi of 49", `py${"pi-"}${cut(49)}`],
    ["no word boundary before sk", `task${"-"}${cut(24)}`],
    ["no word boundary before ghp", `x_ghp${"_"}${cut(36)}`],
    ["no word boundary before AKIA", `XAK${"IA"}${upper.slice(0, 16)}`],
    ["no word boundary before AIza", `_AI${"za"}${cut(35)}`],
  ])("%s", (_name, text) => {
    expect(redactText(`before ${text} after`)).toBe(`before ${text} after`);
  });
});

describe("only the value after a secret's name is replaced", () => {
  test.each([
    ["SERVICE_API_KEY=", ""],
    ["export my_secret = '", "'"],
    ['{"sessionToken": "', '"}'],
    ['{\\"sessionToken\\": \\"', '\\"}'],
    ["password => ", ""],
    ["db.PASSWD: ", "\n"],
    ["credentials: `", "`"],
    ["oauth=", "&next=1"],
  ])("%s…%s", (before, after) => {
    expect(redactText(before + cut(20) + after)).toBe(before + mark + after);
  });

  test("a value of few characters or without a secret's name is kept", () => {
    for (const text of [
      `API_KEY=${hex.slice(0, 15)}`,
      `cache_token=${hex.slice(0, 19)}`,
      `colour=${hex.slice(0, 32)}`,
      `the key is ${cut(24)}`,
    ]) {
      expect(redactText(text)).toBe(text);
    }
  });

  test("words are a secret as a literal, but not as an expression", () => {
    const literals = [
      "SECRET_KEY=my_very_long_secret_value",
      "secret_key: my-very-long-secret-value",
      ...['"', "'", "`"].map((quote) => `secretKey: ${quote}my_very_long_secret_value${quote}`),
    ];
    for (const text of literals) expect(redactText(text)).toContain(mark);
    const expressions = ["const key = options.cache.keyOfEntry;", "token: AuthenticationTokenProvider,"];
    for (const text of expressions) expect(redactText(text)).toBe(text);
  });

  test("a password of 8 or more characters is replaced unless it reads like words", () => {
    expect(redactText(`DB_PASSWORD=${"hunter2"}!x9`)).toBe(`DB_PASSWORD=${mark}`);
    expect(redactText('password: "the-password"')).toBe('password: "the-password"');
  });
});

describe("credentials in headers and URLs", () => {
  test("Bearer and Basic in any case keep their name and lose the credential", () => {
    expect(redactText("Bearer some_token_all_in_words")).toBe(`Bearer ${mark}`);
    expect(redactText(`Bearer ${cut(20)}`)).toBe(`Bearer ${mark}`);
    expect(redactText(`x: bAsIc ${cut(30)}==`)).toBe(`x: bAsIc ${mark}`);
  });

  test("shorter credentials and prose are kept", () => {
    for (const text of [
      `Bearer ${cut(19)}`,
      "basic helix-loop-helix-proteins bind",
      "bearer authentication",
    ]) {
      expect(redactText(text)).toBe(text);
    }
  });

  test("a URL loses only its password", () => {
    expect(redactText(`postgres://app:${"pw"}@db/x`)).toBe(`postgres://app:${mark}@db/x`);
    expect(redactText(`{scheme}://app:${"pw"}@db`)).toBe(`{scheme}://app:${mark}@db`);
    expect(redactText(`redis://:${"p@ss"}w0rd@host:6379`)).toBe(`redis://:${mark}@host:6379`);
    for (const url of ["smtp://alerts@example.com:*@smtp.example.com:587", "amqp://u:*@h/v"]) {
      for (const password of ["Tusk7walrus", "aB3".repeat(700)])
        expect(redactText(url.replace("*", password))).toBe(url.replace("*", mark));
    }
  });

  test("a URL with escaped slashes, as in PHP's JSON, loses its password or token", () => {
    expect(redactText(`{"dsn":"mysql:\\/\\/app:${"geheimes"}@db\\/x"}`)).toBe(
      `{"dsn":"mysql:\\/\\/app:${mark}@db\\/x"}`,
    );
    expect(redactText(`{"git":"https:\\/\\/${cut(20)}@example.com\\/a"}`)).toBe(
      `{"git":"https:\\/\\/${mark}@example.com\\/a"}`,
    );
  });

  test("a URL without a password, or with a placeholder for one, is kept", () => {
    for (const text of [
      "https://user@example.com",
      "https://my-long-user-name-here@example.com",
      "https://abcabcabcabcabcabcabc1@example.com",
      "https://aBcXdEfYgHiZjKlQmNoP@example.com",
      "postgres://user@host:5432/db and mail to ann@example.com",
      "mongodb://ann@h1:27017,h2:27017/db?replicaSet=a@b",
      "http://localhost:8080/@scope",
      `https://u:${"$"}{PASSWORD}@h`,
    ]) {
      expect(redactText(text)).toBe(text);
    }
  });

  test("curl arguments lose the user's password and the values of secret headers", () => {
    expect(redactText(`curl -s -u app:${"s3cret"} https://x.y`)).toBe(`curl -s -u app:${mark} https://x.y`);
    expect(redactText(`curl -u "app:${"s3 cret"}" x`)).toBe(`curl -u "app:${mark}" x`);
    expect(redactText(`curl --user='app:${"abc"}' x`)).toBe(`curl --user='app:${mark}' x`);
    expect(redactText(`curl -H "X-Api-Key: ${"ab@12#cd"}" u`)).toBe(`curl -H "X-Api-Key: ${mark}" u`);
    for (const text of [
      "curl -u app:$PASS u",
      "curl -u someuser u",
      "curl -u app:ab u",
      'curl -H "X-Api-Key: $API_TOKEN" u',
      "docker run -u 1000:1000 image",
      'curl -H "Accept: text/html" u',
    ]) {
      expect(redactText(text)).toBe(text);
    }
  });
});

describe("values after a space", () => {
  test("irregular values are replaced after any option, command or column of a secret", () => {
    const secret = `Zq7kX2mP9v${"L4nR8tW3yB6cD1"}`;
    for (const before of [
      "./login --token ",
      "setx API_KEY ",
      "login bob password ",
      "--api-key '",
      "password    ",
      "| api_key | ",
      " GITHUB_TOKEN │ ",
    ])
      expect(redactText(`${before}${secret}${before.endsWith("'") ? "'" : ""}`)).toBe(
        `${before}${mark}${before.endsWith("'") ? "'" : ""}`,
      );
  });

  test("prose, names, paths and variables are kept", () => {
    for (const text of [
      "the token ReviewTokenStore2 of the service",
      "sort key src/capture/Observations2.ts first",
      "the key updateSessionRow2WhenReady is unused",
      "login --token $GITHUB_TOKEN --password-stdin",
      "primary key 01HQZX3V9W8K7J6H5G4F3D2S1A",
    ]) {
      expect(redactText(text)).toBe(text);
    }
  });
});

test("redacting a long text in steps gives the same result as at once", () => {
  const token = `ghp${"_"}${cut(36)}`;
  const key = `-----BEGIN ${"PRIVATE"} KEY-----\n${"A".repeat(20_000)}`;
  // Some of them cross the end of a step, one is recognised by the mark of another, and one is private.
  const secrets = [
    token,
    `DB_TOKEN=${cut(24)}`,
    "<private>Jo</private>",
    `${key}\n`,
    `\u001b[33m${token}\u001b[0m`,
  ];
  for (const at of [0, 16_384 - 20, 16_384 - 1, 16_384, 40_000]) {
    const filler = "a plain line of text ".repeat(4000);
    const text =
      filler.slice(0, at) +
      secrets.map((secret) => ` ${secret} `).join(filler.slice(at, at + 16_350)) +
      filler;
    expect(redactValue(text)).toBe(redactText(text));
    expect(redactValue({ text: [text] })).toEqual({ text: [redactText(text)] });
    expect(redactText(text)).not.toContain(token);
  }
  const clean = `\u001b[32m✓\u001b[39m ${"a plain line of text ".repeat(4000)}`;
  expect(redactValue(clean)).toBe(clean);
});

describe("redactText", () => {
  test("returns the text itself when there is nothing to redact", () => {
    const text = "a plain sentence about keys, tokens and secrets";
    expect(redactText(text)).toBe(text);
    expect(redactText("")).toBe("");
  });

  test("replaces each of several secrets, also side by side", () => {
    const secret = `ghp${"_"}${cut(36)}`;
    expect(redactText(`${secret} ${secret},${secret}`)).toBe(`${mark} ${mark},${mark}`);
  });

  test("finds secrets in terminal colours, and keeps the colours of other texts", () => {
    const token = `ghp${"_"}${cut(36)}`;
    const esc = "\u001b";
    expect(redactText(`${esc}[33m${token}${esc}[0m`)).toBe(mark);
    expect(redactText(`${esc}[32mDB_TOKEN${esc}[0m=${esc}[33m${cut(24)}${esc}[0m`)).toBe(`DB_TOKEN=${mark}`);
    expect(redactText(`DB_${esc}[01;31m${esc}[KTOKEN${esc}[m${esc}[K=${cut(24)}`)).toBe(`DB_TOKEN=${mark}`);
    for (const written of ["\\u001b", "\\x1b", "\\033", "\\e"])
      expect(redactText(`${written}[1;33m${token}${written}[0m`)).toBe(mark);
    const coloured = `${esc}[32m✓${esc}[39m 3 tests passed`;
    expect(redactText(coloured)).toBe(coloured);
  });

  test("finds secrets behind HTML entities, and keeps the entities of other texts", () => {
    for (const [double, single] of [
      ["&quot;", "&apos;"],
      ["&#34;", "&#39;"],
      ["&#x22;", "&#x27;"],
      ["&amp;quot;", "&amp;#39;"],
    ]) {
      const json = (value: string) => `{${double}password${double}: ${double}${value}${double}}`;
      expect(redactText(json("kd83hf7s"))).toBe(`{"password": "${mark}"}`);
      expect(redactText(json("string"))).toBe(json("string"));
      expect(redactText(`api_key=${single}${cut(16)}${single}`)).toBe(`api_key='${mark}'`);
    }
  });

  test("finds secrets that continue after a trailing backslash, and keeps other broken lines", () => {
    const broken = (token: string) => `${token.slice(0, 8)}\\\n${token.slice(8)}`;
    expect(redactText(`API_KEY=${broken(cut(20))}\nA=b`)).toBe(`API_KEY=${mark}\nA=b`);
    expect(redactText(`-H "Authorization: Bearer ${broken(cut(40))}"`)).toBe(
      `-H "Authorization: Bearer ${mark}"`,
    );
    const macro = "#define STEP first\\\nsecond";
    expect(redactText(macro)).toBe(macro);
  });

  test("finds tokens after an escaped line break or tab", () => {
    const token = `ghp${"_"}${cut(36)}`;
    for (const blank of ["\\n", "\\r\\n", "\\t"])
      expect(redactText(JSON.stringify(`a${blank}${token}`))).toBe(JSON.stringify(`a${blank}${mark}`));
    expect(redactText(`a\\n${token}`)).toBe(`a\\n${mark}`);
    expect(redactText(`n${token}`)).toBe(`n${token}`);
  });

  test("finds tokens and named values in a URL that is a parameter of another URL", () => {
    const token = `ghp${"_"}${cut(36)}`;
    for (const before of ["token%3D", "q%3d", "note%20", "%22"]) {
      expect(redactText(`?next=https%3A%2F%2Fx.y%2F%3F${before}${token}`)).toBe(
        `?next=https%3A%2F%2Fx.y%2F%3F${before}${mark}`,
      );
    }
    for (const name of ["api_key%3D", "client_secret%3a"])
      expect(redactText(`?next=%2Fcb%3F${name}${cut(20)}%26a`)).toBe(`?next=%2Fcb%3F${name}${mark}%26a`);
    for (const text of [`%3${token}`, `3D${token}`, `%ZZ${token}`]) expect(redactText(text)).toBe(text);
  });
});
