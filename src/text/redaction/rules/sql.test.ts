import { describe, expect, test } from "vitest";
import { redactText } from "../redact.ts";

const mark = "[REDACTED_SECRET]";

describe("a statement keeps its form, and loses the secrets in its literals", () => {
  test.each([
    ["INSERT INTO users (email, password) VALUES ('a@b', '%');"],
    ["INSERT INTO users (email, password) VALUES ('a@b', '%'), ('d@e', '%');"],
    ["insert into `users` (`id`, `password`, `role`)\nvalues\n  (1, '%', 'x'),\n  (2, '%', 'y');"],
    ["INSERT INTO users (name, password) VALUES ('O''Brien, (Pat)', '%')"],
    ['INSERT INTO "s"."users" ("email", "api_key") VALUES (E\'a\\\'b\', E\'%\')'],
    ["INSERT INTO [dbo].[Users] ([Email], [Password]) VALUES (N'a@b', N'%')"],
    ["INSERT INTO users (email, password) VALUES ('a@b', crypt('%', gen_salt('bf')))"],
    ["INSERT IGNORE INTO users (id, password) VALUES (uuid_generate_v4(now()), '%')"],
    ['sqlite3 x.db \'INSERT OR REPLACE INTO users (a, password) VALUES ("b", "%")\''],
    ["{\"sql\":\"INSERT INTO users (email, password)\\nVALUES ('a@b', '%')\"}"],
    ["'REPLACE INTO users (email, password) VALUES (\\'a@b\\', \\'%\\')'"],
    ["COPY public.users (id, email, password) FROM stdin;\n1\ta@b\t%\n2\td@e\t%\n\\.\nx"],
    ["UPDATE users SET name = 'ada', password = '%' WHERE id = 1"],
    ["UPDATE users SET `password` = MD5('%')"],
    ["update settings set api_key = '%' where id = 1"],
    ["SELECT * FROM users WHERE email = 'a' AND password = '%'"],
    ["CREATE LOGIN app WITH PASSWORD = '%';"],
    ["CREATE USER app WITH CREATEDB ENCRYPTED PASSWORD '%';"],
    ["CREATE USER MAPPING FOR app SERVER s OPTIONS (user 'bob', password '%');"],
    ["GRANT ALL ON *.* TO 'app'@'%%' IDENTIFIED BY PASSWORD '%'"],
    ["CREATE USER scott IDENTIFIED BY %;"],
    ['ALTER USER scott IDENTIFIED BY "%";'],
  ])("%s", (statement) => {
    const withValue = (value: string) => statement.replaceAll(/(?<!%)%(?!%)/g, value);
    expect(redactText(withValue("geheimes"))).toBe(withValue(mark));
    expect(redactText(withValue(mark))).toBe(withValue(mark));
  });

  test("also literals with blanks and quotes", () => {
    const insert = (value: string) => `INSERT INTO users (password, name) VALUES ('${value}', 'ada')`;
    for (const value of ["correct horse battery", "hun''ter", "hun\\'ter", "a(b", "a,b"])
      expect(redactText(insert(value))).toBe(insert(mark));
  });
});

test.each([
  "INSERT INTO users (email, password) VALUES ('a@b', ?), ($1, $2), (:email, :password), ('%s', '%s')",
  "INSERT INTO users (email, password) VALUES ('{email}', '{password}')",
  'query("INSERT INTO users (email, password) VALUES (\'" + email + "\', \'" + password + "\')")',
  "INSERT INTO kinds (token, name) VALUES ('IDENT', 'a name'), ('left_parenthesis', 'b')",
  "INSERT INTO logs (key, value) VALUES ('theme', 'geheimes')",
  "INSERT INTO users (email, password) SELECT email, 'geheimes' FROM old",
  "INSERT INTO users (email, password) VALUES ('never closed, 'geheimes",
  '["UPDATE users SET password = \'","geheimes"," it\'s"]',
  "UPDATE users SET password = $1 WHERE id = 'geheimes'",
  "self.client_secret = kwargs.get('client_secret') # where it is",
  "The users are identified by email; create user accounts identified by name in it",
])("is kept: %s", (text) => {
  expect(redactText(text)).toBe(text);
});
