import type { Tone } from '../../ui/display/status-dot.tsx'

interface ActionWords {
  readonly label: string
  readonly tone: Tone
  /** Colour of its chart series. */
  readonly colour: string
}

/** Actions as events spell them, in lower case, with Cloudflare's labels. */
const actions: Readonly<Record<string, ActionWords>> = {
  block: { label: 'Block', tone: 'bad', colour: 'red.6' },
  connectionclose: { label: 'Connection closed', tone: 'bad', colour: 'grape.6' },
  managedchallenge: { label: 'Managed Challenge', tone: 'warn', colour: 'orange.5' },
  jschallenge: { label: 'JS Challenge', tone: 'warn', colour: 'yellow.6' },
  challenge: { label: 'Legacy CAPTCHA', tone: 'warn', colour: 'yellow.8' },
  managedchallengebypassed: { label: 'Managed Challenge passed', tone: 'good', colour: 'teal.6' },
  jschallengebypassed: { label: 'JS Challenge passed', tone: 'good', colour: 'green.5' },
  challengebypassed: { label: 'Legacy CAPTCHA passed', tone: 'good', colour: 'lime.6' },
  log: { label: 'Log', tone: 'none', colour: 'blue.6' },
  skip: { label: 'Skip', tone: 'none', colour: 'indigo.4' },
}

export function actionLabel(action: string): string {
  return actions[action]?.label ?? action
}

export function actionTone(action: string): Tone {
  return actions[action]?.tone ?? 'none'
}

export const knownActions = Object.keys(actions)

const palette = [
  'brand.6',
  'orange.5',
  'grape.5',
  'blue.6',
  'lime.6',
  'pink.5',
  'yellow.6',
  'indigo.5',
  'teal.4',
  'red.6',
]

/** @param index of the chart series, largest first */
export function seriesColour(groupBy: string, value: string, index: number): string {
  const own = groupBy === 'action' ? actions[value]?.colour : undefined
  return own ?? palette[index % palette.length]!
}

export const otherColour = 'gray.5'

const sources: Readonly<Record<string, string>> = {
  firewallmanaged: 'Managed rules',
  firewallcustom: 'Custom rules',
  ratelimit: 'Rate limiting rules',
  securitylevel: 'Security level',
  bic: 'Browser Integrity Check',
  hot: 'Hotlink Protection',
}

export const knownSources = Object.keys(sources)

export function sourceLabel(source: string): string {
  return sources[source] ?? source
}

const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** `nz` → `New Zealand`. */
export function countryLabel(code: string): string {
  if (code === '' || code === 'xx') return 'Unknown'
  if (code === 't1') return 'Tor'
  return (/^[a-z]{2}$/i.test(code) ? countryNames.of(code.toUpperCase()) : undefined) ?? code.toUpperCase()
}

/** To the millisecond, in the local time zone. */
export function momentText(datetime: string): string {
  return moments.format(new Date(datetime))
}

/** Cached: long tables show many times, and creating a format is slow. */
const moments = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
})

const outcomes: Readonly<Record<string, { readonly tone: Tone; readonly text: string }>> = {
  ended: { tone: 'bad', text: 'Ended the request' },
  acted: { tone: 'warn', text: 'Acted; the request continued' },
  matched: { tone: 'warn', text: 'Matched; no action' },
  passed: { tone: 'good', text: 'No match' },
  not_reached: { tone: 'none', text: 'Not reached' },
  unknown: { tone: 'none', text: 'No longer recorded' },
}

/** Result of a phase. */
export function outcomeWords(outcome: string): { readonly tone: Tone; readonly text: string } {
  return outcomes[outcome] ?? { tone: 'none', text: outcome }
}
