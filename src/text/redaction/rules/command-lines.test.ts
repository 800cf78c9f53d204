import { describe, expect, test } from "vitest";
import { redactText } from "../redact.ts";

const mark = "[REDACTED_SECRET]";
const secret = "Hun7er-two";

describe("the secrets among a program's arguments go, as those who know the program would tell", () => {
  test.each([
    ["sshpass -p ", " ssh -p 22 deploy@box"],
    ["sshpass -p'", "' ssh box"],
    ["docker exec db mysql -uroot -p", " -e 'show tables'"],
    ["mysqldump -u root --password=", " shop"],
    ["docker login -u bob -p ", " registry.example.com"],
    ["helm registry login -u bob --password ", " ghcr.io"],
    ["redis-cli -h cache -a ", " ping"],
    ["PGPASSWORD=", " psql -h db -U app"],
    ["curl -s --proxy-user me:", " https://x.y"],
    ["openssl rsa -in k.pem -passin pass:", " -out k2.pem"],
    ["htpasswd -cb .htpasswd alice ", ""],
    ["ldapsearch -x -D cn=admin -w ", " -b dc=x"],
    ["sqlcmd -S db -U sa -P ", " -Q 'select 1'"],
    ["unzip -P ", " a.zip"],
    ["keytool -genkeypair -storepass ", " -alias x"],
    ["aws secretsmanager create-secret --name x --secret-string ", ""],
    ["kubectl create secret generic db --from-literal=pin=", ""],
    ["helm upgrade app ./chart --set db.password=", ""],
    ["terraform apply -var db_password=", ""],
    ["vault kv put kv/app pin=", ""],
    ["http -a bob:", " https://x.y"],
    ["net use z: //box/share /user:bob ", ""],
    ["openssl enc -aes-256-cbc -k ", " -in a"],
    ["ssh-keygen -t ed25519 -N ", " -f key"],
    ["gpg --batch --passphrase ", " -d a.gpg"],
    ["snowsql -u bob --password ", " -q 'select 1'"],
    ["useradd -p ", " bob"],
    ["mc alias set box https://x.y bob ", ""],
    ["npm config set //registry.npmjs.org/:_authToken ", ""],
  ])("%s…%s", (before, after) => {
    expect(redactText(before + secret + after)).toBe(before + mark + after);
    for (const gap of ["$PASSWORD", `$${"{PASSWORD}"}`])
      expect(redactText(before + gap + after)).toBe(before + gap + after);
  });

  test.each([
    "ssh -p 22 host",
    "mkdir -p src/text/redaction && cp -p a.ts b.ts",
    "docker run -p 8080:80 --name mysql -p3306:3306 image",
    "mysql -u root -p shop",
    "psql -p 5432 -U app shop",
    "redis-cli -p 6379 ping",
    'ssh-keygen -t ed25519 -N "" -f key',
    "docker login -u bob --password-stdin",
    "  -p, --password string   Password",
    "openssl rsa -passin env:KEY_PASSWORD -in k.pem",
    "htpasswd -c .htpasswd alice",
    "7z a out.7z -r folder",
    "helm upgrade app ./chart --set image.tag=1.2.3",
    "terraform apply -var region=eu-west-1",
    "vault kv get kv/app",
    "  --password string      password or password file",
    "memsvc init --passphrase",
    "http -a bob https://x.y",
  ])("%s stays", (text) => {
    expect(redactText(text)).toBe(text);
  });
});
