import { formsByToken } from "./abbreviations.generated.ts";
import { regionalSpelling } from "./regional-spellings.ts";
import { tiedTokens } from "./tied-tokens.ts";
import { indexTokens } from "./tokens.ts";

/*
 * Abbreviations that programmers use. Each line: the short form, then the words it stands for. A query for the short
 * form also finds those words at a lower weight, and vice versa; two words of the same line do not find each other.
 */
const abbreviations = `
  a11y accessibility accessible
  addr address
  admin administrator administration
  alloc allocate allocation
  app application
  arg argument
  args arguments
  arr array
  async asynchronous
  attr attribute
  auth authentication authorization authenticate authorize
  authn authentication authenticate
  authz authorization authorize
  bool boolean
  btn button
  calc calculate calculation
  cert certificate
  cfg config configuration configure
  char character
  cmd command
  col column
  concat concatenate
  conf config configuration
  config configuration configure
  conn connection
  creds credentials
  ctx context
  db database
  def definition define
  del delete remove
  dep dependency
  deps dependencies
  desc description
  dev development
  df dataframe
  dict dictionary
  diff difference
  dir directory folder
  doc documentation document
  docs documentation
  dup duplicate
  elem element
  env environment
  err error
  exec execute execution
  expr expression
  fmt format
  fn function
  func function
  i18n internationalization
  idx index
  img image
  impl implementation implement
  info information
  infra infrastructure
  init initialize initialise initialization
  int integer
  iter iterate iterator
  js javascript
  k8s kubernetes
  kube kubernetes
  l10n localization
  lang language
  len length
  lib library
  max maximum
  mem memory
  mgmt management
  mgr manager
  min minimum
  mkdir directory
  msg message
  nextjs next
  nodejs node
  np numpy
  ns namespace
  num number
  o11y observability
  obj object
  op operation
  param parameter
  perf performance
  perms permissions
  pg postgres postgresql
  pkg package
  pos position
  postgres postgresql
  pr pull
  prev previous
  proc process
  prod production
  ptr pointer
  pwd password
  py python
  rand random
  reactjs react
  regex regexp
  repo repository
  req request
  res response
  resp response
  ret return
  sec second
  seq sequence
  spec specification
  src source
  std standard
  str string
  svc service
  sync synchronize synchronous
  sys system
  temp temporary
  tf terraform
  tmp temp temporary
  ts typescript timestamp
  txt text
  util utility
  val value
  var variable
  ver version
  vuejs vue
  xhr xmlhttprequest`;

/** Index tokens of the abbreviations or full forms of this token. */
export function otherForms(token: string): readonly string[] {
  return formsByToken.get(token) ?? [];
}

/** British spellings of the words of a line that have one: `authorisation`. */
function britishWords(line: string): string {
  const ized = line.split(" ").filter((word) => word.includes("iz"));
  return ized.flatMap((word) => regionalSpelling(word) ?? []).join(" ");
}

/**
 * The lines above by index token. The result is generated, because computing the tokens would take the first query 2
 * ms.
 */
export function readForms(): Map<string, string[]> {
  return tiedTokens(
    abbreviations
      .trim()
      .split("\n")
      .flatMap((line) => {
        const [short = "", ...long] = indexTokens(`${line} ${britishWords(line)}`);
        return long.flatMap((word): [string, string][] => [
          [short, word],
          [word, short],
        ]);
      }),
  );
}
