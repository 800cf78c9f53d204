import { describe, expect, test } from "vitest";
import { redactText } from "../redact.ts";

const mark = "[REDACTED_SECRET]";

describe("a table keeps its form, and loses the secrets in its columns", () => {
  test.each([
    [
      "psql",
      " id | email | password\n----+-------+----------\n  1 | a@b.c | %\n  2 | d@e.f | %\n(2 rows)\n",
      ["hunter2!x", "geheimes"],
    ],
    [
      "mysql",
      "+----+------+---------+\n| id | user | api_key |\n+----+------+---------+\n| 1  | ada  | % |\n| 2 | bob | % |\n+---+\n",
      ["zqxjvkwbmnpl", "fj39dk20alq"],
    ],
    [
      "Markdown",
      "| **User** | Password |\n|---|:---:|\n| app | `%` |\n| web | % |\n",
      ["Sommer2024", "geheimes"],
    ],
    ["box drawing", "│ id │ token │\n├────┼───────┤\n│ 1  │ %  │\n└────┴───────┘", ["8sdf7sdf6a"]],
    ["sqlite", "id  email    password\n--  -------  --------\n1   a@b.c    %\n", ["hunter2!x"]],
    ["psql -A", "id|email|password\n1|a@b.c|%\n2|d@e.f|%\n", ["hunter2!x", "letmein"]],
    ["csv", 'id,email,password,role\n1,"b, a",%,x\n2,d@e.f,"%",y\n', ["hunter2!x", "let,me1n"]],
    ["csv of a spreadsheet", "name;user;Passwort\r\ndb;app;%\r\n", ["Sommer2024"]],
    ["tsv", "id\temail\tpassword\n1\ta@b.c\t%\n", ["hunter2!x"]],
    ["columns of blanks", "NAME    USERNAME   PASSWORD\nprod    admin      %\n", ["winter"]],
    ["two columns", "|user|password|client_secret|\n|-|-|-|\n|ada|%|%|\n", ["geheimes", "a1b2c3d4zq"]],
    ["a hash", "user | password_hash\n-----+-----\nada | %\n", ["5f4dcc3b5aa765d61d8327deb882cf99"]],
    ["a record of psql", "-[ RECORD 1 ]---\nid       | 1\npassword | %\n", ["hunter2!x"]],
    ["a row for each name", "| Name | Value |\n|---|---|\n| DB_PASSWORD | % |\n", ["kd83hf7sQw"]],
  ])("%s", (_name, table, secrets) => {
    const values = [...secrets];
    const text = table.replaceAll("%", () => values.shift() ?? "");
    const redacted = redactText(`before\n${text}after`);
    expect(redacted).toBe(`before\n${table.replaceAll("%", mark)}after`);
    expect(redactText(redacted)).toBe(redacted);
  });

  test("other secrets in the same table are found as well", () => {
    const token = `gh${"p_"}aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL3oR6`;
    const table = (first: string, second: string) => `id|password|note\n1|${first}|${second}\n2|${first}|x\n`;
    expect(redactText(table("hunter2!x", token))).toBe(table(mark, mark));
  });
});

test.each([
  "| Token | Meaning |\n|---|---|\n| `IDENT` | a name |\n| `L_PAREN2` | ( |\n",
  "| Token | Light |\n|---|---|\n| `--stock-200` | `#e4e2d8` |\n| `--ink-2` | x |\n| spacing.2xl | 1 |\n",
  "| Token | Chain |\n|---|---|\n| 0x28cd26aa09cb0257 | ethereum |\n",
  "| Name | Secret |\n|---|---|\n| `TELEGRAM_TOKEN` | token from 1.2 |\n",
  "| Secret | Used by |\n|---|---|\n| `DOCKER_TOKEN_2` | release |\n| NPM_TOKEN | publish |\n",
  "| Field | Password | Passkey |\n|---|---|---|\n| safe | weak | strong |\n",
  "| User | Password |\n|---|---|\n| ada | hidden |\n| bob | ******** |\n| eve | NULL |\n",
  " column | password\n--------+---------\n type | varchar(255)\n hash | scram-sha-256\n",
  "| password | string | the user's |\n| password | varchar2 | yes |\n",
  "name, password\nplease, gehe1mes\n",
  "const { user, password } = it;\nconst { a, b1c2d3 } = it;\n",
  "  user,\n  password,\n  token2,\n",
  "user  password\nada  geh3imes\n",
  "model | input token | output token\n---|---|---\nx | 1200 | 4096k\n",
  "id,next_token\n1,a1b2c3d4e5\n",
])("is kept: %j", (text) => {
  expect(redactText(text)).toBe(text);
});
