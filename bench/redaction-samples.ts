/** A text with a secret in it; the secret counts as redacted when it no longer stands in the output. */
export type SecretSample = readonly [text: string, secret: string];

/** Generated samples for each shape of secret that redaction promises to remove; the same at every run. */
export function generateSamples(perShape: number): [shape: string, samples: SecretSample[]][] {
  const pick = seededPicker(20_240_607);
  const token = (length: number) => pick(letters + letters.toUpperCase() + digits, length);
  const dashed = (length: number) =>
    pick(`${letters}${letters.toUpperCase()}${digits}_-`, length - 1) + pick(letters, 1);
  const hex = (length: number) => pick(`${digits}abcdef`, length);
  const upper = (length: number) => pick(letters.toUpperCase() + digits, length);
  const itself = (secret: string): SecretSample => [`use ${secret} here`, secret];
  const after = (before: string, secret: string, behind = ""): SecretSample => [
    before + secret + behind,
    secret,
  ];

  const shapes: [string, () => SecretSample][] = [
    ["private tags", () => after("<Private>", token(12), "</PRIVATE> and on")],
    ["unclosed private tag", () => after("note <private> ", token(12), "\nto the end")],
    ["named value", () => after('{"client_secret": "', token(24), '"}')],
    ["environment variable", () => after("export SERVICE_TOKEN=", token(20))],
    ["bearer", () => after("authorization header: Bearer ", token(32))],
    ["basic", () => after("-H 'x: basic ", `${token(30)}==`, "'")],
    ["model provider key", () => itself(`sk-${pick(["proj", "ant"], 1)}-${dashed(24)}`)],
    ["dashed key", () => itself(`${pick(["sk", "pk", "rk", "ak"], 1)}-${dashed(24)}`)],
    ["live or test key", () => itself(`${pick(["sk_live", "rk_live", "sk_test"], 1)}_${token(24)}`)],
    ["github", () => itself(`gh${pick("pousr", 1)}_${token(36)}`)],
    ["github fine-grained", () => itself(`github_pat_${token(22)}_${token(40)}`)],
    ["slack", () => itself(`xox${pick("abprs", 1)}-${pick(digits, 11)}-${token(20)}`)],
    ["aws key id", () => itself(`${pick(["AKIA", "ASIA"], 1)}${upper(16)}`)],
    ["google key", () => itself(`AIza${dashed(35)}`)],
    ["json web token", () => itself(`eyJ${token(24)}.eyJ${token(40)}.${dashed(43)}`)],
    ["npm", () => itself(`npm_${token(36)}`)],
    ["gitlab", () => itself(`glpat-${dashed(20)}`)],
    ["digitalocean", () => itself(`dop_v1_${hex(64)}`)],
    ["hugging face", () => itself(`hf_${token(34)}`)],
    ["pypi", () => itself(`pypi-${dashed(80)}`)],
    ["private key", () => after("-----BEGIN PRIVATE KEY-----\n", token(64), "\n-----END PRIVATE KEY-----")],
    ["argument of sshpass", () => after("sshpass -p ", token(10), " ssh box")],
    ["argument of mysql", () => after("mysqldump -uroot -p", token(10), " shop")],
    ["argument of docker login", () => after("docker login -u bob -p ", token(10), " ghcr.io")],
    ["argument of redis-cli", () => after("redis-cli -a ", token(10), " ping")],
    ["argument of openssl", () => after("openssl rsa -passin pass:", token(10), " -in k.pem")],
    ["password of an environment", () => after("PGPASSWORD=", pick(letters, 8), " psql")],
    ["cookie", () => after("Cookie: theme=dark; session=", token(16), "; a=b")],
    ["set-cookie", () => after("Set-Cookie: sid=", token(16), "; Path=/")],
    ["name and value", () => after('{"name":"DB_PASSWORD","value":"', pick(letters, 8), '"}')],
    ["name and value in YAML", () => after("- name: X_SECRET\n  value: ", pick(letters, 8), "\n")],
    ["told password", () => after("the password for staging is ", token(12), ", try it")],
    ["told key", () => after("my api key is ", token(24), "\n")],
    ["netrc", () => after("machine git.example.com login bob password ", token(10), "\n")],
    ["pgpass", () => after("db.example.com:5432:shop:bob:", token(10), "\n")],
    ["piped to a program", () => after("echo ", token(10), " | sudo -S id")],
    ["option of any program", () => after("snowsql --password ", `${token(8)}7x`, " -q x")],
    ["block of YAML", () => after("client_secret: |\n  ", token(30), "\n")],
    ["token as a url's user", () => after("https://", token(36), "@git.example.com/x.git")],
    ["hash of a password", () => after("bob:", `$2y$10$${token(53)}`, ":1000")],
    ["password in a url", () => after("postgres://app:", token(12), "@db.example/app")],
  ];
  return shapes.map(([name, generate]) => [name, Array.from({ length: perShape }, generate)]);
}

const letters = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";

/* Park and Miller's minimal standard generator: good enough here, and the same on every machine. */
function seededPicker(seed: number): (from: string | readonly string[], count: number) => string {
  let state = seed;
  return (from, count) => {
    let picked = "";
    for (let i = 0; i < count; i++) {
      state = (state * 48_271) % 2_147_483_647;
      picked += from[state % from.length] ?? "";
    }
    return picked;
  };
}
