import { describe, expect, test } from "vitest";
import { redactText } from "../redact.ts";

const mark = "[REDACTED_SECRET]";

describe("what was typed at a prompt for a password is replaced", () => {
  test.each([
    ["Enter passphrase for key '/home/ada/.ssh/id_ed25519': ", "\n"],
    ["Enter passphrase (empty for no passphrase): ", "\nEnter same passphrase again: \n"],
    ["Enter same passphrase again: ", "\n"],
    ["$ sudo -s\n[sudo] password for ada: ", "\nroot#"],
    ["New password: ", "\nRetype new password: ******\n"],
    ["Current password: ", "\n"],
    ["(current) UNIX password: ", ""],
    ["ada@box.example's password: ", "\nWelcome"],
    ["Password for user app: ", "\npsql (16.1)"],
    ["Password for 'https://ada@git.example.com': ", "\n"],
    ["Enter PEM pass phrase: ", "\n"],
    ["Verifying - Enter Export Password: ", "\n"],
    ["Enter keystore password:  ", "\n"],
    ["BECOME password: ", "\n"],
    ["? Database password: ", "\n"],
    ["Username: ada\nPassword: ", "\n"],
    ["login: ada\r\nPassword: ", "\r\n"],
    ["Username for 'https://git.example.com': ada\nPassword: ", "\n"],
    ['{"stdout":"Changing it.\\nNew password: ', '\\nok"}'],
    ['expect "assword:"\nsend "', '\\r"'],
    ['expect { "*?assword:*" { send -- "', '\\r" } }'],
    ["child.expect('password:')\nchild.sendline('", "')"],
  ])("%s…", (before, after) => {
    expect(redactText(`${before}geheimes${after}`)).toBe(before + mark + after);
  });

  test("also a phrase of several words", () => {
    const prompt = "Enter passphrase for key '/home/ada/.ssh/id_ed25519': ";
    expect(redactText(`${prompt}correct horse battery staple\n`)).toBe(`${prompt}${mark}\n`);
  });
});

test.each([
  "Enter password: ERROR 1045 (28000): Access denied for user 'root'@'localhost'",
  "Enter password: \nmysql> ",
  "[sudo] password for ada: sudo: a password is required",
  "[sudo] password for ada: \nSorry, try again.",
  "ada@box's password: Permission denied, please try again.",
  "Enter passphrase for key '/home/ada/.ssh/id_rsa': connection closed by remote host",
  "Password: WARNING! Your password will be stored unencrypted",
  "New password: ********\nRetype new password: [hidden]\n",
  "Vault password: Verifying...\n",
  "  username: string;\n  password: string;\n",
  "{\n  username: it.user,\n  Password: options.password\n}",
  "Username: string\nPassword: string\n",
  '{"stdout":"Changing it.\\nNew password: ","exitCode":1}',
  'send "geheimes\\r"',
  "form.sendline('geheimes')",
])("is kept: %j", (text) => {
  expect(redactText(text)).toBe(text);
});
