import { looksRandom } from "./randomness.ts";
import type { Rule } from "./rule.ts";
import { valueRule } from "./value-rule.ts";

/** A vendor whose secrets have no recognisable format: they count only after the vendor's name. */
export interface Vendor {
  /** Names of the vendor in configurations; lower case, at least three characters. */
  readonly names: readonly string[];
  /** Regular-expression source of the rest of the name, if a longer one is required. */
  readonly rest?: string;
  /** Regular-expression sources of the secrets; case-insensitive, bounded in length. */
  readonly shapes: readonly string[];
}

/*
 * The text between a name and its value: the rest of the name and further words, a closing quote, a type annotation,
 * the operator, an opening quote. Examples: `discordToken": "…`, `LINEAR_KEY => '…`, `okta.api.token ?? "…`,
 * `token: string = "…`.
 */
const wordsBetween = "[ \\t\\w.-]{0,20}";
const closingQuotes = "[\\s'\"`\\\\\\]]{0,4}";
export const declaredType =
  "(?:\\[\\d{0,5}\\][ \\t]{0,4}(?==)|:[ \\t]{0,4}[&'\\w][\\w&'<>|?.[\\] \\t]{0,40}(?==[^=>]))?";
const operator = "(?:=>|:{1,3}=|\\|\\||\\?[?=]|%3[AD]|[=>:,])";
const openingQuotes = "[\\s'\"`=\\\\]{0,6}";
/*
 * Code before a literal's quote that only wraps the literal: `String::from("…`, `new TextEncoder().encode("…`,
 * `Some(SecretString::new("…`, `b"…`, PHP's `string(9) "…`, the shell's `$'…`.
 */
const makers =
  "(?:(?:String|Str|Cow|Box|Arc|Zeroizing|Secret(?:Str(?:ing)?|Bytes|Box)?)(?:(?:::|\\.)(?:from|new|of))?|Some|Buffer\\.from|TextEncoder\\(\\)\\.encode|\\[\\]byte|bytes|Optional\\.of)";
export const beforeLiteral = `(?:(?:(?:new )?${makers}\\(\\s{0,4}){0,2}(?:[bfru]{1,2}|[$@])?(?=\\\\?["'\`])|string\\(\\d{1,4}\\) (?="))?`;
export const betweenNameAndValue = `${wordsBetween + closingQuotes + declaredType + operator}[ \\t]{0,4}${beforeLiteral}${openingQuotes}`;

const endOfValue = "(?![A-Za-z0-9_=+/-])";

/* After a vendor's name a value of the right shape needs little more: two digits, or not to look like a name. */
function isPlausible(value: string): boolean {
  return /[0-9][^0-9]*[0-9]/.test(value) || looksRandom(value);
}

/** The rule for one vendor: a value after the vendor's name, if it has one of the vendor's shapes. */
export function vendorRule(vendor: Vendor): Rule {
  const name = `(?:${vendor.names.map((each) => each.replace(/[.]/g, "\\.")).join("|")})${vendor.rest ?? ""}`;
  const pattern = new RegExp(`${name}${betweenNameAndValue}(${vendor.shapes.join("|")})${endOfValue}`, "iy");
  return valueRule(vendor.names[0] ?? "", vendor.names, [[pattern, isPlausible]]);
}
