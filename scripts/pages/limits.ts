import { globSync } from 'node:fs'
import { join } from 'node:path'
import { type Limit, limitGroup } from '../../src/kit/limits.ts'
import { code, table } from './markdown.ts'

/** Every subject, in the order of the page. */
export const subjects = [
  'HTTP at the edge',
  'Replaced processes',
  'Certificates',
  'Origins',
  'Behind another proxy',
  'DNS records',
  'Custom pages',
  'Access rules',
  'Lockdowns and user agent rules',
  'Load balancing',
  'Rulesets',
  'Resources that are not enforced',
  'Coverage',
  'Expressions',
  'Fields of expressions',
  'Regular expressions',
  'Lists',
  'Challenges',
  'Bodies and values inside the rule engine',
  'Memory of rules for one request',
  'Rule files',
  'CRS releases',
  'Explanations of requests',
  'Edges without their database',
  'Staged changes',
  'Traces of requests',
  'Shadow and What if',
  'Previews of exceptions',
  'Analytics',
  'Search',
  'SQL',
  'Log records',
  'Record log and change feed',
  'Logpush',
  'Destinations of Logpush',
  'Logpull',
  'Samples of the log',
  'Instant Logs',
  'Notifications',
  'API',
  'Users and sign-ins',
  'Failed sign-ins',
  'Database',
  'Metrics',
  'Program log',
  'Spans of requests',
  'Values of settings',
  'Sample site',
  'sluice doctor',
] as const

const source = join(import.meta.dirname, '../../src')
const files = globSync('**/limits.ts', { cwd: source, exclude: ['kit/**'] }).sort()
const modules: readonly object[] = await Promise.all(files.map(file => import(join(source, file))))

/** A heading and a table for each subject. */
export function limitSections(): readonly string[] {
  const bySubject = new Map<string, [string, Limit][]>(subjects.map(subject => [subject, []]))
  for (const values of modules.flatMap(module => Object.values(module))) {
    const group = limitGroup(values)
    if (group === undefined) throw new Error('a limits.ts exports something other than limits(…)')
    const entries = [...group.limits].filter(([, { kind }]) => kind === 'user')
    if (entries.length === 0) continue
    const listed = bySubject.get(group.subject)
    if (listed === undefined) throw new Error(`add the subject "${group.subject}" to scripts/pages/limits.ts`)
    listed.push(...entries)
  }
  return [...bySubject].flatMap(([subject, entries]) => [
    `### ${subject}`,
    table(
      ['Limit', 'Value', 'Meaning, and the result of exceeding it'],
      entries.map(([name, limit]) => [code(name), shown(limit), limit.reason]),
    ),
  ])
}

/** With its unit. `count` has none: the reason names the counted things. */
function shown({ value, unit }: Limit): string {
  if (unit === 'count') return number(value)
  if (unit === 'share') return `${number(value * 100)}%`
  if (unit === 'ms') return duration(value)
  if (unit === 's') return duration(value * 1000)
  return unit === 'bytes' ? bytes(value) : `${number(value)} ${unit}`
}

function duration(ms: number): string {
  if (ms % 86_400_000 === 0) return `${number(ms / 86_400_000)} days`
  if (ms % 3_600_000 === 0) return `${number(ms / 3_600_000)} h`
  if (ms % 60_000 === 0) return `${number(ms / 60_000)} min`
  return ms % 1000 === 0 ? `${number(ms / 1000)} s` : `${number(ms)} ms`
}

function bytes(value: number): string {
  if (value % 1024 ** 3 === 0) return `${number(value / 1024 ** 3)} GiB`
  if (value % 1024 ** 2 === 0) return `${number(value / 1024 ** 2)} MiB`
  return value % 1024 === 0 ? `${number(value / 1024)} KiB` : `${number(value)} bytes`
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}
