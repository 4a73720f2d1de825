import type { ProgramRule } from '../types.ts'
import type { ActionCompiler, RuleFacts } from './facts.ts'

type Severity = NonNullable<ProgramRule['severity']>

/** Severities by their number. */
export const severities: readonly Severity[] = [
  'EMERGENCY',
  'ALERT',
  'CRITICAL',
  'ERROR',
  'WARNING',
  'NOTICE',
  'INFO',
  'DEBUG',
]

export const msg: ActionCompiler = (text, { rule, template }) => {
  template(text)
  rule.message = text
}

export const tag: ActionCompiler = (text, { rule }) => {
  rule.tags.push(text)
}

/** By name in any case, or by number. */
export const severity: ActionCompiler = (text, { rule, refuse }) => {
  const known = /^[0-7]$/.test(text)
    ? severities[Number(text)]
    : severities.find(name => name === text.toUpperCase())
  if (known === undefined)
    return refuse(`there is no severity ${text}`, `write one of ${severities.join(', ')}`)
  rule.severity = known
}

export const log: ActionCompiler = (_, { rule }) => {
  rule.logged = true
}

export const nolog: ActionCompiler = (_, { rule }) => {
  rule.logged = false
}

export const status: ActionCompiler = (text, { rule, refuse }) => {
  if (!/^[1-5][0-9][0-9]$/.test(text)) return refuse(`${text} is no HTTP status`)
  rule.status = Number(text)
}

export const skipAfter: ActionCompiler = (text, { rule }) => {
  rule.skipAfter = text
}

export const skip: ActionCompiler = (text, { rule, refuse }) => {
  if (!/^[0-9]{1,4}$/.test(text)) return refuse(`${text} is no number of rules to skip`)
  rule.skip = Number(text)
}

export const block: ActionCompiler = (_, { rule }) => {
  rule.disruption = rule.blockMeans
}

/** `pass`, `deny`, `drop`. */
export function disrupt(kind: 'pass' | 'deny' | 'drop'): ActionCompiler {
  return (_, { rule }) => {
    rule.disruption = { kind }
  }
}

export const redirect: ActionCompiler = (text, { rule, template }) => {
  template(text)
  rule.disruption = { kind: 'redirect', location: text }
}

/** Without a value, everything but the logging phase is skipped. */
export const allow: ActionCompiler = (text, { rule, refuse }) => {
  const scope = text === '' ? 'all' : text.toLowerCase()
  if (scope !== 'all' && scope !== 'phase' && scope !== 'request') {
    return refuse(`allow:${text} is not known`, 'write allow, allow:phase or allow:request')
  }
  rule.disruption = { kind: 'allow', scope }
}

/** The response status: 403, or 302 for a redirection, unless the rule or its defaults name a suitable one. */
export function statusOf({ disruption, status }: RuleFacts): number {
  if (disruption.kind !== 'redirect') return status ?? 403
  return status !== undefined && redirections.has(status) ? status : 302
}

const redirections: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
