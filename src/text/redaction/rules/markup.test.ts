import { describe, expect, test } from "vitest";
import { redactText } from "../redact.ts";

const mark = "[REDACTED_SECRET]";

describe("in HTML and XML a secret is replaced", () => {
  test.each([
    '<input type="password" name="password" value="%">',
    "<input value='%' class=\"a b\" type='password' id='pw'>",
    '<input type="hidden" name="csrf_token" value="%"/>',
    '<meta content="%" name="api-key">',
    '<param value="%" name="db.password" />',
    '<property name="connection.password">%</property>',
    '<string name="api_key">%</string>',
    "<key>APIKey</key>\n\t<string>%</string>",
    "<property><name>fs.s3a.secret.key</name><value>%</value></property>",
    "<settings><user>ada</user><secret>%</secret></settings>",
    "<clientSecret><![CDATA[%]]></clientSecret>",
    "&lt;password&gt;%&lt;/password&gt;",
    "<p><strong>Password:</strong> %</p>",
    "<li>API key: <code>%</code></li>",
    "<label>Password</label>: <span class='x'>%</span>",
    "<td>Password</td>\n<td>%</td>",
    "<input name='pwd' value='%'>",
  ])("%s", (form) => {
    for (const secret of ["zqx9jvkwb7mn", "Tr0ub4dor7x"]) {
      const redacted = redactText(form.replace("%", secret));
      expect(redacted).toBe(form.replace("%", mark));
      expect(redactText(redacted)).toBe(redacted);
    }
  });

  test("of a password's field, whatever it looks like", () => {
    const field = (value: string) => `<input id="user_password" value="${value}" type="password">`;
    expect(redactText(field("sommerregen"))).toBe(field(mark));
  });
});

test.each([
  '<input type="password" name="password" placeholder="Your password, 8 characters">',
  '<input type="password" name="password" value="">',
  '<input type="submit" name="reset-password" value="Reset">',
  '<input name="password" value="{{ user.password2 }}">',
  '<meta name="token" content="{% csrf2 %}"><meta name="keywords" content="utf8mb4x9">',
  '<string name="forgot_password">Forgot?</string><string name="secret">Geheimnis</string>',
  `<property name="password">$${"{"}db.password1}</property>`,
  "<key>APIKey</key><true/><key>zqx9jvkwb7mn</key>",
  "<td>password</td>\n<td>varchar2</td>",
  "<Contents><Key>zqx9jvkwb7mn</Key></Contents>",
  "<p><strong>Password:</strong> required</p><p>Token: <code>string</code></p>",
  'if (a < b && name === "token" && id > c1d2e3f4g5) {',
])("is kept: %s", (text) => {
  expect(redactText(text)).toBe(text);
});
