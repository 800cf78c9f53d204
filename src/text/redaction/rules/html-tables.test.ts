import { expect, test } from "vitest";
import { redactText } from "../redact.ts";

const mark = "[REDACTED_SECRET]";

test.each([
  ["a column", "<table><tr><th>User</th><th>Password</th></tr>\n<tr><td>ada</td><td>%</td></tr></table>"],
  [
    "a column of several rows",
    '<thead>\n<tr class="h">\n<th>Host</th>\n<th>Login</th>\n<th><b>Password</b></th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><a href="/x">db</a></td>\n<td>ada</td>\n<td class="p"><code>%</code></td>\n</tr>\n<tr>\n<td>mail</td>\n<td>bob</td>\n<td>%</td>\n</tr>\n</tbody>',
  ],
  ["a row below a user", "<tr><td>User</td><td>ada</td></tr>\n<tr><td>Password:</td><td>%</td></tr>"],
  ["a definition", "<dl><dt>E-mail</dt><dd>a@b.c</dd><dt>Password</dt><dd>%</dd></dl>"],
])("a word is replaced in %s", (_name, form) => {
  const redacted = redactText(form.replaceAll("%", "sommerregen"));
  expect(redacted).toBe(form.replaceAll("%", mark));
  expect(redactText(redacted)).toBe(redacted);
});

test.each([
  "<tr><th>Password</th><td>%</td></tr>",
  "<tr><td>API key</td><td><code>%</code></td></tr>",
  "<tr><th>Name</th><th>Token</th></tr><tr><td>ci</td><td>%</td></tr>",
])("an irregular value is replaced without a user: %s", (form) => {
  expect(redactText(form.replace("%", "zqx9jvkwb7mn"))).toBe(form.replace("%", mark));
});

test.each([
  "<tr><td>password</td><td>string</td></tr>",
  "<tr><td>User</td><td>name</td></tr><tr><td>Password</td><td><input type='password' name='geh3imes'></td></tr>",
  "<tr><th>User</th><th>Password</th></tr><tr><td>{{ user }}</td><td>{{ user.password2 }}</td></tr>",
  "<tr><th>Password</th><th>Next</th></tr><tr><td>hidden</td><td>geh3imes</td></tr>",
  "<tr><th>Token</th><th>Meaning</th></tr><tr><td>IDENTIFIER_2</td><td>a name</td></tr>",
])("is kept: %s", (text) => {
  expect(redactText(text)).toBe(text);
});
