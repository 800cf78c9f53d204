import { describe, expect, test } from "vitest";
import { redactText } from "../redact.ts";

const mark = "[REDACTED_SECRET]";
const secret = "Hun7er-two";

describe("the secrets among a program's arguments go, as those who know the program would tell", () => {
  test.each<readonly [string, string]>([
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
    ...["mysqladmin", "mysqlimport", "mysqlcheck", "mariadb", "mariadb-dump", "mariadb-admin"].map(
      (program) => [`${program} -u root -p`, " shop"] as const,
    ),
    ["mysqladmin -u root password ", ""],
    ...["podman", "nerdctl", "buildah", "skopeo", "helm registry"].map(
      (program) => [`${program} login -u bob -p `, " ghcr.io"] as const,
    ),
    ["helm repo add -p ", " box https://x.y"],
    ["twine upload -u bob -p ", " dist/x"],
    ...["oc login", "az login", "az sql"].map((command) => [`${command} -u bob -p `, ""] as const),
    ["az sql server create --admin-password ", " -n x"],
    ...["mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport"].map(
      (program) => [`${program} -u bob -p `, " --host x"] as const,
    ),
    ["bcp t in f -U sa -P ", " -S db"],
    ["zip -P ", " a.zip b"],
    ...["7z x", "7z a", "7za x", "7za a"].map((command) => [`${command} -p`, " a.7z"] as const),
    ...["unlock-keychain", "create-keychain"].map((command) => [`security ${command} -p `, " x"] as const),
    ...["modify", "add", "delete", "passwd", "whoami"].map(
      (kind) => [`ldap${kind} -x -D cn=admin -w `, " x"] as const,
    ),
    ["smbclient //box/share -U bob%", " -c ls"],
    ["xfreerdp /u:bob /p:", " /v:box"],
    ...["-b", "-bc", "-cbb", "-bbc"].map((option) => [`htpasswd ${option} .htpasswd alice `, ""] as const),
    ...["-nb", "-bn", "-nbb", "-bbn"].map((option) => [`htpasswd ${option} alice `, ""] as const),
    ["rabbitmqctl add_user bob ", ""],
    ["rabbitmqctl change_password bob ", ""],
    ["az keyvault secret set -n x --value ", ""],
    ["aws ssm put-parameter --name x --type SecureString --value ", ""],
    ["ansible-vault encrypt_string ", " --name x"],
    ["vault kv patch kv/app pin=", ""],
    ["fly secrets set PIN=", ""],
    ["flyctl secrets set PIN=", ""],
    ["http --auth bob:", " https://x.y"],
    ["https -a bob:", " x.y"],
    ["https --auth bob:", " x.y"],
    ["usermod -p ", " bob"],
    ["rclone obscure ", ""],
    ["ConvertTo-SecureString -String ", " -AsPlainText"],
    ["keytool -list -keystore x -storepass '", "'"],
  ])("%s…%s", (before, after) => {
    expect(redactText(before + secret + after)).toBe(before + mark + after);
    for (const gap of ["$PASSWORD", `$${"{PASSWORD}"}`])
      expect(redactText(before + gap + after)).toBe(before + gap + after);
  });

  test.each([
    "aws configure set aws_secret_access_key ",
    "aws configure set aws_session_token ",
    "vault login ",
  ])("%s", (before) => {
    const words = "some-words-in-a-row-that-are-long".replaceAll("-", before.startsWith("vault") ? "-" : "/");
    expect(redactText(before + words)).toBe(before + mark);
  });

  test.each([
    "podman inspect -p image/x",
    "rabbitmqctl list_users one two three",
    "ansible-vault encrypt secrets.yml",
    "az keyvault list --value geheimes",
    "fly deploy --build-arg PIN=geheimes",
    "vault token lookup some-words-in-a-row",
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
