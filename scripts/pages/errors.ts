import { apiErrors } from '../../src/api/index.ts'
import { logpushCodes } from '../../src/logpush/index.ts'
import { rulesetCodes } from '../../src/rulesets/index.ts'
import { code, part, table } from './markdown.ts'

/** The type requires a line here for each new code. */
type Meanings<T> = { readonly [N in keyof T]: string }

const rulesetMeanings: Meanings<typeof rulesetCodes> = {
  entryPointNotFound: 'the phase has no entry point yet, or is not the name of a phase',
  actionNotInPhase: 'the action is not allowed in a ruleset of this phase and kind',
  loggingNotAllowed: '`logging` in a rule that does not skip',
  parametersRequired: 'the action needs `action_parameters`',
  valueExpressionInvalid: 'a value expression cannot be parsed, or has a value of the wrong type',
  expressionBlank: 'the expression is missing or blank',
  malformed: 'a member has the wrong JSON type',
  unknownField: 'the document has an unknown member',
  required: 'a member is missing or blank',
  invalidValue: 'a value is not allowed; the message says why',
  unknownAction: 'there is no action of this name',
  expressionInvalid: 'the expression cannot be parsed; the message shows the position',
  noMeaning: 'a Cloudflare feature that a self-hosted edge cannot have',
  positionInvalid: '`position` is outside the ruleset',
  ruleNotInRuleset: 'the list names a rule id that the ruleset does not have',
  duplicate: 'two rules of a ruleset have the same id or ref',
  executeTargetInvalid: 'the ruleset or version to execute does not exist, or has another phase',
  overrideRuleUnknown: 'an override names a rule that the managed ruleset does not have',
  actionRequired: '`action_parameters` without `action`',
  managedImmutable: 'managed rulesets cannot be changed',
  logFieldsInvalid: 'custom log fields: an invalid name, too many, none, or an expression other than `true`',
  immutable: 'kind, name and phase of a ruleset cannot be changed',
  planUnbuildable: 'a managed ruleset that a rule executes does not exist',
  entryPointExists: 'the account or zone already has a ruleset for the phase',
  ruleNotFound: 'the ruleset has no rule with the id in the path',
  rateLimitInvalid: '`ratelimit` is missing, not allowed here, or incomplete',
  skipInvalid: 'the target of a skip rule does not exist, or cannot be skipped here or in this combination',
  planRestriction: 'an expression of the account does not end with `and cf.zone.plan eq "ENT"`',
  rulesetInUse: 'the ruleset cannot be deleted while a rule executes it',
  tooManyRules: 'more rules than a ruleset may have',
}

const logpushMeanings: Meanings<typeof logpushCodes> = {
  invalidDestination: '`destination_conf` is missing, cannot be read or cannot be written to',
  notAllowed:
    'jobs at this level cannot deliver the dataset, or it does not have `kind` or `filter_attack_traffic`',
  invalidField: 'a member, an option, the dataset or a field name is not allowed',
  invalidFilter: 'the filter is not valid; the message has the position',
  immutable: 'dataset and kind of a job cannot be changed',
}

const notFound: readonly string[] = [
  'entryPointNotFound',
  'ruleNotFound',
] satisfies (keyof typeof rulesetCodes)[]

/** The errors of the catalogue, of rulesets and of Logpush. */
export function errorsPart(): string {
  return part('src/api/http/errors.ts, src/rulesets and src/logpush', [
    '### Requests, credentials and resources',
    'Names in braces are placeholders.',
    table(
      ['Code', 'Status', 'Message'],
      Object.values(apiErrors).map(({ code, status, message }) => [String(code), String(status), message]),
    ),
    '### Rulesets',
    "Messages mostly read `'VALUE' is not a valid value for FIELD because REASON`.",
    codeTable(rulesetCodes, rulesetMeanings),
    '### Logpush',
    codeTable(logpushCodes, logpushMeanings),
    "1002 and 1004 are Cloudflare's, the others Sluice's own.",
    `The checks of destinations, options and ownership under ${code('/logpush/validate/…')} and ${code('/logpush/ownership')} answer 200 with ${code('"valid": false')} instead of an error.`,
  ])
}

function codeTable<T extends Readonly<Record<string, number>>>(codes: T, meanings: Meanings<T>): string {
  const rows = Object.entries(codes).map(([name, number]) => [
    String(number),
    notFound.includes(name) ? '404' : '400',
    meanings[name as keyof T],
  ])
  return table(['Code', 'Status', 'Meaning'], rows)
}
