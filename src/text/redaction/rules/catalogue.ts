import type { Rule } from "../rule.ts";
import { infixRule, tokenRule } from "../token-format.ts";
import { vendorRule } from "../vendor-rule.ts";
import { agentTokens } from "./agent-tokens.ts";
import { likelySecrets, namedPasswords, namedSecrets, spacedSecrets } from "./assignments.ts";
import { authorizationSchemes, curlUsers, headerOptions, urlPasswords } from "./authorization.ts";
import { authorizationParameters } from "./authorization-parameters.ts";
import { azureKeys } from "./azure-keys.ts";
import { collectedSecrets } from "./collections.ts";
import { commandLines } from "./command-lines.ts";
import { contractTokens } from "./contract-tokens.ts";
import { cookies } from "./cookies.ts";
import { definedSecrets } from "./defined-secrets.ts";
import { developerInfixes, developerTokens } from "./developer-tokens.ts";
import { discordBotToken } from "./discord-bots.ts";
import { nugetPasswords, privateKeyBlocks, privateKeyRests } from "./documents.ts";
import { htmlTables } from "./html-tables.ts";
import { kubernetesSecrets } from "./kubernetes-secrets.ts";
import { attributeSecrets, elementSecrets, markedSecrets } from "./markup.ts";
import { nestedValues } from "./nested-values.ts";
import { passwordHashes } from "./password-hashes.ts";
import { platformInfixes, platformTokens } from "./platform-tokens.ts";
import { printedSecrets } from "./printed-secrets.ts";
import { answeredPrompts, sentToPrompts } from "./prompts.ts";
import { serviceTokens } from "./service-tokens.ts";
import { assignedInSql } from "./sql-assignments.ts";
import { copiedRows, insertedRows } from "./sql-rows.ts";
import { sqlServerPassword } from "./sql-server-password.ts";
import { tableColumns, tableRows } from "./tables.ts";
import { toldElsewhere } from "./told-elsewhere.ts";
import {
  quotedPhrases,
  seedPhrases,
  toldHexKeys,
  toldPairs,
  toldPasswords,
  urlTokens,
  usedPasswords,
} from "./told-secrets.ts";
import { vendors } from "./vendors.ts";
import { writtenInCode } from "./written-in-code.ts";
import { writtenSecrets } from "./written-secrets.ts";
import { writtenValues } from "./written-values.ts";

/** Makes all rules. If several match at the same position, the earlier rule is asked first. */
export function makeRules(): readonly Rule[] {
  return [
    privateKeyBlocks,
    privateKeyRests,
    urlPasswords,
    urlTokens,
    authorizationSchemes,
    insertedRows,
    copiedRows,
    tableColumns,
    collectedSecrets,
    ...[
      ...contractTokens,
      ...agentTokens,
      ...developerTokens,
      ...platformTokens,
      ...serviceTokens,
      ...passwordHashes,
    ].map(tokenRule),
    ...[...developerInfixes, ...platformInfixes, ...azureKeys, discordBotToken].map(infixRule),
    namedSecrets,
    ...vendors.map(vendorRule),
    namedPasswords,
    writtenSecrets,
    likelySecrets,
    spacedSecrets,
    answeredPrompts,
    sentToPrompts,
    toldPasswords,
    toldElsewhere,
    toldPairs,
    usedPasswords,
    toldHexKeys,
    quotedPhrases,
    seedPhrases,
    ...printedSecrets,
    sqlServerPassword,
    kubernetesSecrets,
    nugetPasswords,
    tableRows,
    htmlTables,
    attributeSecrets,
    elementSecrets,
    markedSecrets,
    definedSecrets,
    curlUsers,
    headerOptions,
    cookies,
    ...authorizationParameters,
    assignedInSql,
    ...writtenValues,
    ...writtenInCode,
    ...nestedValues,
    ...commandLines,
  ];
}
