import { describe, expect, test } from "vitest";
import { redactText } from "../redact.ts";

const mark = "[REDACTED_SECRET]";
const hex = "5d6b1b5a6c8f4f3e9a2b7c1d0e9f8a7b";
const uuid = "3f4a0fcd-7c42-773c-25db-2d31ba0c05fe";
const machineAccount = `0.${uuid}.${"aB3dE6".repeat(5)}:${"aB3/xY9+".repeat(2)}K2mP4q==`;
const session = `${"aB3/xY9+".repeat(10)}K2mP4q==`;

describe("what a program prints once is redacted:", () => {
  test.each([
    [
      "Jenkins",
      `use the following password to proceed to installation:\n\n${hex}\n\nThis may also be found`,
      hex,
    ],
    ["Jenkins", `jenkins-1  | password to proceed to installation:\njenkins-1  | \njenkins-1  | ${hex}`, hex],
    ["Jenkins", `$ cat /var/jenkins_home/secrets/initialAdminPassword\n${hex}`, hex],
    [
      "Elasticsearch",
      "ℹ️  Password for the elastic user (reset with `bin/elasticsearch-reset-password -u elastic`):\n  r4tXbJ*6V_CcLJ0Sa3Mz\n",
      "r4tXbJ*6V_CcLJ0Sa3Mz",
    ],
    [
      "Elasticsearch",
      "The generated password for the elastic built-in superuser is : r4tXbJ*6V_CcLJ0Sa3Mz\n",
      "r4tXbJ*6V_CcLJ0Sa3Mz",
    ],
    [
      "Elasticsearch",
      "Password for the [elastic] user successfully reset.\nNew value: sK1t6Wq*Y+8hJ2mNb7vZ\n",
      "sK1t6Wq*Y+8hJ2mNb7vZ",
    ],
    ["MySQL", "A temporary password is generated for root@localhost: q+Zk3hP!y7aR", "q+Zk3hP!y7aR"],
    [
      "Argo CD",
      "hG3kLm9PqRsT2vWx\n\n This password must be only used for first time login.",
      "hG3kLm9PqRsT2vWx",
    ],
    [
      "Heroku",
      ` ›   Warning: token will expire 07/18/2027\n ›   Use heroku authorizations:create to generate a long-term token\n${uuid}\n`,
      uuid,
    ],
    ["Nomad", `Accessor ID  = b780e702-98ce-521f-2e5f-c6b87de05b24\nSecret ID    = ${uuid}\n`, uuid],
    ["Bitwarden", `$ export BW_SESSION="${session}"`, session],
    ["Bitwarden", `> $env:BW_SESSION="${session}"`, session],
    ["Bitwarden", `bw list items --session ${session}`, session],
    ["Bitwarden", `bws secret list --access-token ${machineAccount}`, machineAccount],
    ["Bitwarden", `the access token is ${machineAccount}`, machineAccount],
  ])("%s: %j", (_, text, secret) => {
    expect(redactText(text)).toBe(text.replace(secret, mark));
    expect(redactText(JSON.stringify({ output: text }))).not.toContain(secret);
  });

  test.each([
    "Use the following password to proceed to installation:\n\nthe one of your account",
    "cat secrets/initialAdminPassword\ncat: secrets/initialAdminPassword: Permission denied",
    "This password must be only used for first time login.",
    "the file\n\n This password must be only used",
    "Secret ID    = the name of the secret",
    "integrity sha512-mjvKmVsP --session default",
    'export BW_SESSION="$(bw unlock --raw)"',
  ])("not from %j", (text) => {
    expect(redactText(text)).toBe(text);
  });
});

describe("the password of SQL Server's administrator is redacted", () => {
  test.each([
    ['docker run -e "MSSQL_SA_PASSWORD=yourStrong(!)Password" -d mssql', "yourStrong(!)Password"],
    ["docker run -e 'SA_PASSWORD=yourStrong(!)Password' -d mssql", "yourStrong(!)Password"],
    ["      - SA_PASSWORD=My{Str0ng}[Pass]!\n", "My{Str0ng}[Pass]!"],
    ['      MSSQL_SA_PASSWORD: "yourStrong(!)Password"\n', "yourStrong(!)Password"],
    ["SA_PASSWORD='Passw0rd(1)' docker compose up", "Passw0rd(1)"],
  ])("in %j", (text, secret) => {
    expect(redactText(text)).toBe(text.replace(secret, mark));
  });

  test.each([
    'docker run -e "SA_PASSWORD=$SA_PASSWORD" -d mssql',
    'docker run -e "SA_PASSWORD=<YourStrong@Passw0rd>" -d mssql',
    "      SA_PASSWORD: $MSSQL_SA_PASSWORD\n",
    `      SA_PASSWORD: $${"{{ secrets.SA_PASSWORD }}"}\n`,
    "const password = process.env.SA_PASSWORD;",
    "SA_PASSWORD = generatePassword()\n",
    "SA_PASSWORD must have 8 characters",
  ])("and a placeholder is not: %j", (text) => {
    expect(redactText(text)).toBe(text);
  });
});
