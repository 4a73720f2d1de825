import type {
  ExplainedLink,
  ExplainedMatch,
  Explanation,
  ProgramRule,
  RuleOutcome,
} from '../../../waf/index.ts'
import { linkLines, textOf } from './link-text.ts'
import type { Paint } from './paint.ts'
import type { RequestText } from './request-text.ts'

export interface ExplainedRequest {
  readonly request: RequestText
  readonly crsVersion: string
  readonly paranoiaLevel: number
}

/** An explanation for a terminal. */
export function explanationText(explanation: Explanation, about: ExplainedRequest, paint: Paint): string {
  const { asked } = explanation
  const lines = [
    paint('bold', requestLine(about.request)),
    paint('dim', `OWASP CRS ${about.crsVersion}, paranoia level ${about.paranoiaLevel}`),
    ...about.request.notes.map(note => paint('dim', printable(note))),
    '',
    verdictLine(explanation, paint),
    '',
    ...(asked === undefined ? matchLines(explanation.matches, paint) : askedLines(asked, about, paint)),
  ]
  return lines.join('\n')
}

function requestLine({ method, target, protocol }: RequestText): string {
  const line = printable(`${method} ${target} ${protocol}`)
  return line.length > lineLength ? `${line.slice(0, lineLength)}…` : line
}

const lineLength = 120

/** Replaces control characters, which would reach the terminal. */
function printable(text: string): string {
  return text.replaceAll(/[^ -~]/g, byte => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

function verdictLine(explanation: Explanation, paint: Paint): string {
  const { interruption, requestScore, overBudget } = explanation
  const score = `Score ${paint('bold', String(requestScore))}.`
  if (overBudget) return `${score} ${paint('red', 'The work budget is used up: later rules did not run.')}`
  if (interruption === undefined) {
    return `${score} No rule stops the request by itself; a zone compares the score with its threshold.`
  }
  const { ruleId, action, status } = interruption
  const how = action === 'drop' ? 'closes the connection' : `answers ${status}`
  const who = ruleId === 0 ? 'The limit on bodies' : `Rule ${ruleId}`
  return `${score} ${paint('red', `${who} stops the request (${action}: ${how}).`)}`
}

function matchLines(matches: readonly ExplainedMatch[], paint: Paint): string[] {
  if (matches.length === 0) return ['No rule matched.']
  const title = matches.length === 1 ? '1 rule matched:' : `${matches.length} rules matched:`
  return [title, ...matches.flatMap(match => ['', ...oneMatch(match, false, paint)])]
}

function oneMatch(match: ExplainedMatch, detailed: boolean, paint: Paint): string[] {
  const { rule, score, total, message, data, links } = match
  const points = score === 0 ? '' : `${paint('yellow', `+${score} = ${total}`)}  `
  return [
    `${paint('bold', String(rule.id))}  ${points}${message.text}`,
    `  ${paint('dim', sourceOf(rule))}`,
    ...(data.bytes === 0 ? [] : [`  ${textOf(data)}`]),
    ...links.flatMap(link => linkLines(link, links.length > 1, detailed, paint)),
  ]
}

/** `phase 2, paranoia level 1, CRITICAL, rules/REQUEST-942.conf:46` */
function sourceOf({ phase, paranoiaLevel, severity, source, line }: ProgramRule): string {
  const level = paranoiaLevel === 0 ? [] : [`paranoia level ${paranoiaLevel}`]
  return [
    `phase ${phase}`,
    ...level,
    ...(severity === undefined ? [] : [severity]),
    `${source}:${line}`,
  ].join(', ')
}

function askedLines(asked: RuleOutcome, about: ExplainedRequest, paint: Paint): string[] {
  switch (asked.outcome) {
    case 'matched':
      return [`Rule ${asked.match.rule.id} matched:`, '', ...oneMatch(asked.match, true, paint)]
    case 'unknown': {
      const { id, nearest } = asked
      const near = nearest.length === 0 ? '' : ` Near it: ${nearest.join(', ')}.`
      return [`There is no rule ${id} among the rules in use (OWASP CRS ${about.crsVersion}).${near}`]
    }
    case 'no-match':
    case 'nothing-to-test':
      return unmatched(asked, paint)
    default: {
      const { rule } = asked
      return [
        `Rule ${rule.id} ${paint('red', 'did not run')}: ${whyNotRun(asked, about)}.`,
        '',
        ...summary(rule, paint),
      ]
    }
  }
}

function summary(rule: ProgramRule, paint: Paint): string[] {
  return [`${paint('bold', String(rule.id))}  ${rule.message}`, `  ${paint('dim', sourceOf(rule))}`]
}

type Unmatched = Extract<RuleOutcome, { outcome: 'no-match' | 'nothing-to-test' }>

function unmatched({ outcome, rule, links }: Unmatched, paint: Paint): string[] {
  const failed = links.at(-1)!
  const where = failed.link === 0 ? '' : ` in link ${failed.link + 1} of its chain`
  const why =
    outcome === 'no-match'
      ? noneMatches(failed.values.length + failed.valuesMore, where)
      : `there is nothing to test${where}: ${whyNothing(failed)}`
  return [
    `Rule ${rule.id} ${paint('red', 'did not match')}: ${why}.`,
    '',
    ...summary(rule, paint),
    ...links.flatMap(link => linkLines(link, links.length > 1, true, paint)),
  ]
}

function noneMatches(count: number, where: string): string {
  return count === 1
    ? `the only value tested${where} does not match`
    : `none of the ${count} values tested${where} matches`
}

function whyNothing({ targets, excluded }: ExplainedLink): string {
  if (targets.length === 0 || excluded.length > 0) return 'every value is excluded'
  return `the request has no ${targets.join(', no ')}`
}

type NotRun = Extract<RuleOutcome, { outcome: 'off' | 'removed' | 'jumped-over' | 'not-reached' }>

function whyNotRun(asked: NotRun, { paranoiaLevel }: ExplainedRequest): string {
  if (asked.outcome === 'off') {
    const level = asked.rule.paranoiaLevel
    return `it is of paranoia level ${level}, and the level is ${paranoiaLevel}; --paranoia-level ${level} switches it on`
  }
  const { by } = asked
  const who =
    by === undefined ? 'an earlier rule' : `rule ${by.id} (phase ${by.phase}, ${by.source}:${by.line})`
  if (asked.outcome !== 'not-reached') {
    return `${who} has ${asked.outcome === 'removed' ? 'removed it (ctl)' : 'jumped over it (skipAfter or skip)'}`
  }
  switch (asked.why) {
    case 'interrupted':
      return `${who} stops the request before it`
    case 'allowed':
      return `${who} allows the request before it`
    case 'switched-off':
      return `${who} has switched the engine off`
    case 'engine-off':
      return 'the engine is off (SecRuleEngine)'
    case 'body-refused':
      return 'the body is longer than SecRequestBodyLimit, which stops the request'
    case 'over-budget':
      return 'the work budget of the request was used up before it'
    case 'no-response':
      return `phase ${asked.rule.phase} inspects the response, and there is only a request`
  }
}
