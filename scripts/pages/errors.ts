import { apiErrors } from '../../src/api/index.ts'
import { logpushCodes } from '../../src/logpush/index.ts'
import { rulesetCodes } from '../../src/rulesets/index.ts'
import { code, page, table } from './markdown.ts'

/** The type makes sure that a new code gets its line here. */
type Meanings<T> = { readonly [N in keyof T]: string }

const rulesetMeanings: Meanings<typeof rulesetCodes> = {
  entryPointNotFound: 'the phase has no entry point yet, or is not the name of a phase',
  actionNotInPhase: 'the action cannot stand in a ruleset of this phase and kind',
  loggingNotAllowed: '`logging` stands at a rule that does not skip',
  parametersRequired: 'the action needs `action_parameters`',
  valueExpressionInvalid: 'a value expression cannot be parsed, or has a value of the wrong type',
  expressionBlank: 'the expression is missing or blank',
  malformed: 'a member of the document has the wrong JSON type',
  unknownField: 'the document has a member that is not known',
  required: 'a member is missing or blank',
  invalidValue: 'a value is not allowed; the message says why',
  unknownAction: 'there is no action of this name',
  expressionInvalid: 'the expression cannot be parsed; the message shows the place',
  noMeaning: 'Cloudflare has it; on a self-hosted edge nothing stands behind it',
  positionInvalid: '`position` names no place in the ruleset',
  ruleNotInRuleset: 'the list names a rule id that the ruleset does not have',
  duplicate: 'two rules of a ruleset have the same id or ref',
  executeTargetInvalid: 'there is no such ruleset or version to execute, or it is of another phase',
  overrideRuleUnknown: 'an override names a rule that the managed ruleset does not have',
  actionRequired: '`action_parameters` without `action`',
  managedImmutable: 'managed rulesets cannot be changed',
  logFieldsInvalid: 'custom log fields: a bad name, too many, none, or an expression that is not `true`',
  immutable: 'kind, name and phase of a ruleset cannot be changed',
  planUnbuildable: 'a managed ruleset that a rule executes is not there',
  entryPointExists: 'the account or zone already has a ruleset for the phase',
  ruleNotFound: 'the ruleset has no rule with the id in the path',
  rateLimitInvalid: '`ratelimit` is missing, stands where it cannot, or is not complete',
  skipInvalid: 'what a skip rule names is not there, cannot be skipped here, or not together with the rest',
  planRestriction: 'an expression of the account does not end with `and cf.zone.plan eq "ENT"`',
  rulesetInUse: 'the ruleset cannot be deleted while a rule executes it',
  tooManyRules: 'more rules than a ruleset may have',
}

const logpushMeanings: Meanings<typeof logpushCodes> = {
  invalidDestination: '`destination_conf` is missing, cannot be read or cannot be written to',
  notAllowed:
    'the dataset is not for jobs at this level, or `kind` or `filter_attack_traffic` is not for the dataset',
  invalidField: 'a member, an option, the dataset or a field name is not allowed',
  invalidFilter: 'the filter is not valid; the message holds the place inside it',
  immutable: 'dataset and kind of a job cannot be changed',
}

const notFound: readonly string[] = [
  'entryPointNotFound',
  'ruleNotFound',
] satisfies (keyof typeof rulesetCodes)[]

export function errorsPage(): string {
  return page('Error codes of the API', 'src/api/errors.ts, src/rulesets and src/logpush', [
    "A refused request is answered with Cloudflare's envelope: `success` is false, `result` is null and `errors` lists what is wrong. An entry has a `code`, a `message` and, where one part of the body is to blame, `source.pointer`, a JSON pointer to it.",
    "Codes are Cloudflare's where its code is known. 10400 to 10504 and 20200 to 20299 are Sluice's own, except 20217. One code can stand for several refusals, as it does at Cloudflare. 409 is never answered, because clients repeat it.",
    '## Requests, credentials and resources',
    'Words in braces are filled in.',
    table(
      ['Code', 'Status', 'Message'],
      Object.values(apiErrors).map(({ code, status, message }) => [String(code), String(status), message]),
    ),
    '## Rulesets',
    "Messages mostly read `'VALUE' is not a valid value for FIELD because REASON`.",
    codeTable(rulesetCodes, rulesetMeanings),
    '## Log push',
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
