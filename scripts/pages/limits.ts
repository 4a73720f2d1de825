import { readFileSync } from 'node:fs'
import * as limits from '../../src/kit/limits.ts'
import { code, page, table } from './markdown.ts'

const source = new URL('../../src/kit/limits.ts', import.meta.url)

/** What each group is about, for people; the type makes sure that a new group gets its title. */
const titles: { readonly [G in keyof typeof limits]: string } = {
  httpLimits: 'HTTP, edge and API',
  rulesetLimits: 'Rulesets',
  listLimits: 'Lists',
  planLimits: 'Plans of zones',
  logpushLimits: 'Log push',
  instantLimits: 'Instant Logs',
  logpullLimits: 'Logpull',
  logSampleLimits: 'Samples of the log',
  traceLimits: 'Traces of requests',
  redactionLimits: 'Redaction of log records',
  expressionLimits: 'Expressions',
  fieldLimits: 'Fields of expressions',
  seclangLimits: 'Rule files',
  wafLimits: 'Bodies and values inside the rule engine',
  explainLimits: 'Explanations of requests',
  transactionLimits: 'What one request may make the rules remember',
  storeLimits: 'Database',
  busLimits: 'Record log and change feed',
  apiLimits: 'API',
  edgeLimits: 'Edge',
  samplingLimits: 'Samples for What if',
  previewLimits: 'Previews of exceptions',
  regexLimits: 'Regular expressions',
  crsLimits: 'CRS releases',
  analyticsLimits: 'Analytics',
}

/** One limit as it stands in the source. */
interface Limit {
  readonly name: string
  readonly comment: string
}

export function limitsPage(): string {
  const values: ReadonlyMap<string, Readonly<Record<string, number>>> = new Map(Object.entries(limits))
  const groups = readGroups(readFileSync(source, 'utf8'))
  const sections = [...groups].flatMap(([group, entries]) => {
    const rows = entries.map(({ name, comment }) => [
      code(name),
      shown(name, values.get(group)![name]!),
      comment,
    ])
    return [
      `## ${titles[group]}`,
      table(['Limit', 'Value', 'What it is, and what happens when it is reached'], rows),
    ]
  })
  return page('Limits', 'src/kit/limits.ts', [
    'Everything that comes from outside has a limit. They are the same on every installation.',
    ...sections,
  ])
}

/** Reads the file line by line: a group begins with `export const`, a limit's comment is the line above it. */
function readGroups(text: string): ReadonlyMap<keyof typeof limits, readonly Limit[]> {
  const groups = new Map<keyof typeof limits, Limit[]>()
  let group: Limit[] = []
  let comment = ''
  for (const line of text.split('\n')) {
    const groupName = /^export const (\w+) = \{/.exec(line)?.[1]
    const name = /^ {2}(\w+):/.exec(line)?.[1]
    if (groupName !== undefined) {
      group = []
      groups.set(groupName as keyof typeof limits, group)
    }
    if (name !== undefined) group.push({ name, comment })
    comment = /^ {2}\/\*\* (.*) \*\/$/.exec(line)?.[1] ?? ''
  }
  return groups
}

/** With the unit that the name ends in. */
function shown(name: string, value: number): string {
  const unit = /(?:Bytes|Ms|Seconds|Bits)(?=Max$|$)/.exec(name)?.[0]
  if (unit === 'Bytes') return bytes(value)
  if (unit === 'Bits') return `${number(value)} bits`
  if (unit === 'Ms') return value % 1000 === 0 ? `${number(value / 1000)} s` : `${number(value)} ms`
  if (unit === 'Seconds') return `${number(value)} s`
  return number(value)
}

function bytes(value: number): string {
  if (value % 1024 ** 2 === 0) return `${number(value / 1024 ** 2)} MiB`
  return value % 1024 === 0 ? `${number(value / 1024)} KiB` : `${number(value)} bytes`
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}
