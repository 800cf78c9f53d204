import { describe, expect, test } from "vitest";
import { redactText } from "../redact.ts";

const mark = "[REDACTED_SECRET]";
const secret = "kd83hf7sQw";
/* Put together here, so that no scanner takes this file for a leak. */
const token = ["q8Zr2LmX", "v7KpW4sN", "9tYb3HcD"].join("");

describe("a secret told in a sentence is replaced, and the sentence is kept", () => {
  test.each([
    "the password is ",
    "the password for staging is now ",
    "temporary password for root@localhost: ",
    "INFO Admin password ",
    "Passwort: ",
    "mot de passe : ",
    "contrase\u00f1a: ",
    "pw: ",
    "db.pass = ",
    "ansible_ssh_pass=",
    "I set the db password to ",
    "changed the password for staging from ",
    "log in as root with password ",
    "user ada and the password ",
    "credentials: admin / ",
    "log in with ada / ",
    "Zugangsdaten: ada / ",
    "my password's ",
    "the pwd is ",
    "Password is: ",
    "Passwort ge\u00e4ndert auf ",
    "DEBUG Using password ",
    "the creds are admin:",
    "la password \u00e8 ",
    "wachtwoord: ",
  ])("%s", (before) => {
    for (const after of ["", "\n", ", and now deploy"])
      expect(redactText(before + secret + after)).toBe(before + mark + after);
  });

  test.each([
    ...[
      "das Passwort lautet ",
      "la contrasen\u0303a es ",
      "a senha \u00e9 ",
      "Пароль: ",
      "пароль от базы — ",
    ],
    ...["密码是", "密碼：", "新的密码为 ", "パスワードは", "パスワード：", "비밀번호는 ", "비밀번호: "],
    ...["كلمة المرور: ", "סיסמה: ", "पासवर्ड: ", "Mật khẩu là ", "Şifre: ", "parola: ", "hasło: "],
  ])("in other languages too: %s", (before) => {
    for (const password of [secret, "Sommer2026!x"])
      for (const after of ["", "\n", ", ok"])
        expect(redactText(before + password + after)).toBe(before + mark + after);
  });

  test("text without spaces continues after the secret", () => {
    expect(redactText(`密码是${secret}，请保存`)).toBe(`密码是${mark}，请保存`);
    expect(redactText(`パスワードは${secret}です`)).toBe(`パスワードは${mark}です`);
  });

  test.each(["hunter2", "Blu3Lagoon", "summer!24"])(
    "a password that somebody chose is replaced too: %s",
    (chosen) => {
      for (const before of [
        "password: ",
        "pw = ",
        "wifi password = ",
        "the password for the staging database is now ",
        "password (staging): ",
      ])
        expect(redactText(`${before}${chosen} it is`)).toBe(`${before}${mark} it is`);
      expect(redactText(`connect({ pwd: "${chosen}" })`)).toBe(`connect({ pwd: "${mark}" })`);
    },
  );

  test("the full stop of the sentence and the quotes of a field are kept", () => {
    expect(redactText(`the password is ${secret}.`)).toBe(`the password is ${mark}.`);
    expect(redactText(`{"db":{"pass":"${secret}"}}`)).toBe(`{"db":{"pass":"${mark}"}}`);
  });

  test.each(["my api key is ", "the token was ", "https://", "APP_KEY=base64:", "secret: |\n  "])(
    "an irregular token is replaced after %s",
    (before) => {
      const after = before === "https://" ? "@git.example.com/x.git" : "\n";
      expect(redactText(before + token + after)).toBe(before + mark + after);
    },
  );

  test("of a change both passwords are replaced, and the words of a quoted passphrase", () => {
    expect(redactText(`changed the password from ${secret} to Sommer2026!x.`)).toBe(
      `changed the password from ${mark} to ${mark}.`,
    );
    for (const before of ["The passphrase is ", "passphrase: ", "BORG_PASSPHRASE="])
      expect(redactText(`${before}"correct horse battery staple"`)).toBe(`${before}"${mark}"`);
  });

  test("a password before the word for it, or in parentheses, is replaced", () => {
    expect(redactText(`use ${secret} as the admin password`)).toBe(`use ${mark} as the admin password`);
    expect(redactText("ssh ada@box (password geh3imes)")).toBe(`ssh ada@box (password ${mark})`);
    for (const text of [
      "use argon2id as the password hash",
      "(using password: YES)",
      "save it as file12 password",
    ])
      expect(redactText(text)).toBe(text);
  });

  test("a key of hexadecimal digits is replaced after its name", () => {
    for (const before of ["the token is ", "our secret key ", "my api key was '"])
      expect(redactText(`${before}0f1e2d3c4b5a6978, ok`)).toBe(`${before}${mark}, ok`);
  });

  test.each([
    ["the postmark api key is ", "3f2a9c1e-7b4d-4e8a-9c0d-1f2e3d4c5b6a"],
    ["my access token is ", "3f2a9c1e-7b4d-4e8a-9c0d-1f2e3d4c5b6a"],
    ["our private key ", "0f1e2d3c4b5a69788796a5b4c3d2e1f0-3a2b1c0d-4e5f6a7b"],
    ["the admin api key is ", `0f1e2d3c4b5a69788796a5b4:${"0f1e2d3c4b5a6978".repeat(4)}`],
    ["the glm api key is ", "0f1e2d3c4b5a69788796a5b4c3d2e1f0.aB3dE6gH9jK2mN5p"],
    ["curl --token ", "aB3dE6gH9jK.aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL"],
  ])("a key of several groups is replaced after its name: %s%s", (before, secret) => {
    expect(redactText(`${before}${secret}, ok`)).toBe(`${before}${mark}, ok`);
  });

  test("seed words, short Basic pairs, private parts of keys and password hashes are replaced", () => {
    const words = "witch collapse practice feed shame open despair creek road again ice least";
    expect(redactText(`seed phrase: ${words}.`)).toBe(`seed phrase: ${mark}.`);
    expect(redactText(`auth: Basic ${btoa("bob:secret")}`)).toBe(`auth: Basic ${mark}`);
    expect(redactText(`{"kty":"OKP","d":"${token + token}"}`)).toBe(`{"kty":"OKP","d":"${mark}"}`);
    expect(redactText(`{"d":"${token + token}","kty":"OKP"}`)).toBe(`{"d":"${mark}","kty":"OKP"}`);
    for (const hash of [`$2y$10$${token + token}`, `$6$salt$${token + token}`, `{SSHA}${token + token}`])
      expect(redactText(`bob:${hash}`)).toBe(`bob:${mark}`);
  });

  test.each([
    "The password is base64-encoded and hashed with argon2id.",
    "the password for the admin is asked for; the password reset flow, the password policy",
    "password is required, password was changed, password: string",
    "password = base64.b16encode(bytes); password: sha256, the password is argon2id",
    "密码：8位以上，使用SHA256加密; 密码是否正确：abc123; パスワード：8文字以上; 密码: /api/v1/login",
    "пароль: string, пароль = user12.getPassword(), пароль от базы хранится в .env",
    "şifreleme: AES256, parola: geçersiz, senha \u00e9 obrigat\u00f3ria, das Passwort lautet wie immer",
    "password = user12.getPassword(); DEPTH_PASS: 0x0B96; connect(password=arg123)",
    "pass: 12 of 14, # pass 12345678, tests pass 2026-11-23",
    "bypass: kd83hf7sQw is a name",
    "a mnemonic for the order of the planets that nobody who has learnt it ever forgets again",
    "the token is refreshed, the key is the path, my api key is missing",
    "https://ada@git.example.com and ssh://git@git.example.com",
    "https://x-access-token-placeholder@git.example.com",
    "a basic approach, Basic dGVzdGluZw",
    "use rsa2048 as the password hash; the password is sha256; password -> bytes32",
    "moved the password to oauth2, set the password to required, give the password to alice99",
    "credentials: include, login: https://x.y/z9a8b7, credentials are user/password",
    'passphrase: "used for key encryption of it", passphrase = "enter your new one"',
    "the token is deadbeef, the key is 0f1e2d3c4b5a6978, the sort key 0f1e2d3c4b5a6978",
    "the key is 3f2a9c1e-7b4d-4e8a-9c0d-1f2e3d4c5b6a, api key 2026-11-30, the token is 12345678-12345678",
    "the secret key is options.authentication.secretKeyOfTheApplication, the api key is 00:1a:2b:3c:4d:5e:6f:70",
    'geometry { "d": "M10 10H90V90H10L10 10" }',
    "sed 's/(a)(b)/$1$2/' costs $5 or $6",
  ])("nothing is replaced in: %s", (text) => {
    expect(redactText(text)).toBe(text);
  });
});

describe("a secret beside its name in Markdown is replaced", () => {
  test.each([
    ["_Password_: ", "geh3imes", "\n"],
    ["* **Password** \u2013 ", "geh3imes", "\n"],
    ["### Password\n\n`", "geh3imes", "`\n"],
    ["- **API key:** `", "0f1e2d3c4b5a6978", "`\n"],
    ["- **Token**: ", "zqx9jvkwb7mn", "\n"],
    ["Secret key\n: ", "zqx9jvkwb7mn", "\n"],
    ["- **Password**: ", "Summer@2024", "\n"],
    ["**Password:** ", "admin123", "  \n"],
    ["1. **Admin password**: `", "sommer+regen", "`\n"],
    ["- **User**: ada\n- **Password**: ", "sommerregen", "\n"],
    ["Login: ada\nPassword: ", "sommerregen", " (default)\n"],
    ["Password\n: ", "geh3imes", "\n"],
  ])("%j", (before, password, after) => {
    expect(redactText(before + password + after)).toBe(`${before}[REDACTED_SECRET]${after}`);
  });

  test.each([
    "- **Username**: your name\n- **Password**: Paste your token",
    "- **User**: x\n- **Password**: your-own-password\n",
    "- **Password**: required\n",
    "- **Token**: `CancellationToken`\n- **Sort key**: `created_at2x`\n",
    "### Password\n\n`string`\n",
    "- **Password**: `string`\n",
    "to change the **password**: geh3imes\n",
  ])("is kept: %j", (text) => {
    expect(redactText(text)).toBe(text);
  });
});
