import { endOfMatchAt } from "../../match-at.ts";
import { capturedSpans } from "../captures.ts";
import { noSpans, type Rule, type Span } from "../rule.ts";
import { isLiteral } from "./placeholder.ts";

/** A program that takes secrets as arguments. The meaning of options such as `-p` differs between programs. */
interface Program {
  /** Lower case; not a word that occurs in prose, because each is a trigger of the scan. */
  readonly names: readonly string[];
  /** Regular-expression source of the subcommand, if only that one takes a secret. */
  readonly subcommand?: string;
  /** Regular-expression source of the text before the secret. */
  readonly before: string;
}

/*
 * An argument: single quotes may contain what a shell would expand, double quotes may contain blanks, and quotes may be
 * escaped, as in JSON. It does not begin like an option.
 */
const argument =
  "(?:\\\\?\"([^\"\\n\\\\]{3,200})\\\\?\"|'([^'\\n]{3,200})'|([^\\s\"'`|;&<>(),/\\\\=-][^\\s\"'`|;&<>()\\\\]{2,200}))";
const blankOrEquals = "(?:[ \\t]{1,4}|=)";
const longPassword = `--pass(?:word)?${blankOrEquals}`;
const pair = "[\\w./:-]{1,80}=";
const first = "(?<=^[ \\t]{1,4})";

const programs: readonly Program[] = [
  { names: ["sshpass"], before: "-p[ \\t]{0,4}" },
  {
    names: ["mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlcheck"],
    before: `(?:-p|${longPassword}|password[ \\t]{1,4})`,
  },
  { names: ["mariadb", "mariadb-dump", "mariadb-admin"], before: `(?:-p|${longPassword})` },
  {
    names: ["docker", "podman", "nerdctl", "buildah", "skopeo", "helm", "twine"],
    subcommand: "(?:(?: registry)? login| repo add| upload)",
    before: `(?:-p${blankOrEquals}|${longPassword})`,
  },
  {
    names: ["oc login", "az login", "az sql"],
    before: `(?:-p${blankOrEquals}|${longPassword}|--(?:token|admin-password)${blankOrEquals})`,
  },
  { names: ["redis-cli"], before: `(?:-a[ \\t]{1,4}|${longPassword})` },
  {
    names: ["mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport"],
    before: `(?:-p[ \\t]{1,4}|${longPassword})`,
  },
  { names: ["sqlcmd", "bcp"], before: "-P[ \\t]{0,4}" },
  { names: ["zip", "unzip"], before: "-P[ \\t]{1,4}" },
  { names: ["7z x", "7z a", "7za x", "7za a", "unrar x", "unrar e", "rar a"], before: "-p" },
  { names: ["unlock-keychain", "create-keychain"], before: "-p[ \\t]{1,4}" },
  {
    names: ["ldapsearch", "ldapmodify", "ldapadd", "ldapdelete", "ldappasswd", "ldapwhoami"],
    before: "-w[ \\t]{0,4}",
  },
  { names: ["smbclient"], before: "-U[ \\t]{0,4}[\"']?[\\w.\\\\/-]{1,60}%" },
  { names: ["xfreerdp"], before: "/p:" },
  {
    names: ["htpasswd -b", "htpasswd -cb", "htpasswd -bc", "htpasswd -cbb", "htpasswd -bbc"],
    before: "\\S{1,80}[ \\t]{1,4}\\S{1,64}[ \\t]{1,4}",
  },
  {
    names: ["htpasswd -nb", "htpasswd -bn", "htpasswd -nbb", "htpasswd -bbn"],
    before: "\\S{1,64}[ \\t]{1,4}",
  },
  { names: ["rabbitmqctl"], subcommand: " (?:add_user|change_password)", before: "\\S{1,64}[ \\t]{1,4}" },
  { names: ["keyvault"], subcommand: " secret set", before: `--value${blankOrEquals}` },
  { names: ["ansible-vault"], subcommand: " encrypt_string", before: "" },
  { names: ["vault kv put", "vault kv patch"], before: pair },
  { names: ["fly", "flyctl"], subcommand: " secrets set", before: pair },
  { names: ["aws_secret_access_key", "aws_session_token"], before: `${first}(?=[\\w+/=]{16})` },
  { names: ["http -a", "http --auth", "https -a", "https --auth"], before: "[\\w.@-]{1,64}:" },
  { names: ["useradd", "usermod"], before: "-p[ \\t]{1,4}" },
  { names: ["net use"], before: "/user:\\S{1,80}[ \\t]{1,4}" },
  { names: ["nuget setapikey"], before: first },
  { names: ["openssl enc"], before: "-k[ \\t]{1,4}" },
  { names: ["ssh-keygen"], before: "-[NP][ \\t]{1,4}" },
  { names: ["rclone obscure"], before: "" },
  { names: ["mc alias set"], before: "\\S{1,80}[ \\t]{1,4}\\S{1,200}[ \\t]{1,4}\\S{1,128}[ \\t]{1,4}" },
  { names: ["convertto-securestring"], before: "(?:-string[ \\t]{1,4})?" },
  {
    names: ["put-parameter"],
    subcommand: "(?=(?:[^\\n\\\\]|\\\\[\\s\\S]){0,400}SecureString)",
    before: `--value${blankOrEquals}`,
  },
  { names: ["gh secret set"], before: "-b[ \\t=]{0,4}" },
  { names: ["wpa_passphrase"], before: `${first}\\S{1,64}[ \\t]{1,4}` },
  { names: ["nmcli"], before: "password[ \\t]{1,4}" },
  { names: ["cqlsh"], before: "-p[ \\t]{1,4}" },
  { names: ["mosquitto_pub", "mosquitto_sub"], before: "-P[ \\t]{1,4}" },
  { names: ["lftp"], before: "-u[ \\t]{1,4}[\\w.@-]{1,64}," },
  { names: ["bw unlock"], before: first },
  { names: ["doctl auth init"], before: `(?:-t|--access-token)${blankOrEquals}` },
  { names: ["add-authtoken", "ngrok authtoken", "cargo login"], before: `${first}(?=[\\w-]{20})` },
  {
    names: ["poetry config"],
    before: "(?:http-basic\\.\\S{1,60}[ \\t]{1,4}\\S{1,64}|pypi-token\\.\\S{1,60})[ \\t]{1,4}",
  },
  { names: ["net user"], before: `${first}\\S{1,64}[ \\t]{1,4}(?=\\S{0,64}\\d)` },
  { names: ["etcdctl"], before: "--user[ \\t=]{1,4}[\\w.-]{1,64}:" },
  {
    names: ["consul kv put", "etcdctl put"],
    before: `${first}\\S{0,200}(?:passw(?:or)?d|secret|token|key)[ \\t]{1,4}`,
  },
  { names: ["jenkins-cli.jar"], before: "-auth[ \\t]{1,4}[\\w.@-]{1,64}:" },
  { names: ["rclone config"], before: "(?:secret_access_key|client_secret|pass|token)[ \\t=]{1,4}" },
  { names: ["vault"], subcommand: " login", before: "(?:token=)?(?=[\\w.-]{20})" },
];

/** Secrets among the arguments of programs that are known to take them. */
export const commandLines: readonly Rule[] = programs.map(commandRule);

function commandRule({ names, subcommand = "", before }: Program): Rule {
  const command = new RegExp(`(?<![\\w.-])(?:${names.join("|")})${subcommand}(?=[ \\t])`, "iy");
  const secret = new RegExp(`(?<=[ \\t\\n])${before}${argument}`, "dg");
  return {
    name: names[0] ?? "",
    triggers: names,
    find(text, at) {
      const start = endOfMatchAt(command, text, at);
      if (start === undefined) return noSpans;
      const found: Span[] = [];
      for (const match of argumentsFrom(text, start).matchAll(secret))
        found.push(...capturedSpans(match, isSecretArgument, start));
      return found;
    },
  };
}

/* To the end of the command, across lines that end with a backslash; a line break may be written as `\n`. */
function argumentsFrom(text: string, start: number): string {
  const reach = text.slice(start, start + longestCommand);
  const end = reach.search(/(?<!\\)(?:\r?\n|\\n)/);
  return end === -1 ? reach : reach.slice(0, end);
}

const longestCommand = 400;

/* Excludes published ports, which may follow an image's name: `--name mysql -p3306:3306`. */
function isSecretArgument(value: string): boolean {
  return isLiteral(value) && !/^(?:[\d.]+:)?\d{2,5}:\d{2,5}(?:\/\w+)?$/.test(value);
}
