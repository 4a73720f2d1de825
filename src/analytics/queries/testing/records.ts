import { managedMetadata, matchedRules, requestRecord, zoneB } from '../../testing/fill.ts'
import type { TopQuery } from '../../types.ts'

export const noonMs = Date.UTC(2026, 0, 2, 12)
export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const day = { sinceMs: noonMs - 24 * hourMs, untilMs: noonMs }
export const lastHour = { sinceMs: noonMs - hourMs, untilMs: noonMs }
export const zoneLarge = 'e'.repeat(32)

/** Events of the last day, newest first: every kind of value occurs in several hours. */
export const times = Array.from({ length: 400 }, (_, n) => noonMs - 1 - n * 3 * minuteMs)
export const events = times.map((timeMs, n) => {
  const managed = n % 4 === 0
  return {
    timeMs,
    Action: ['block', 'log', 'managedchallenge'][n % 3]!,
    Source: managed ? 'firewallmanaged' : 'firewallcustom',
    RuleID: managed ? 'verdict' : `custom-${n % 2}`,
    ClientIP: `198.51.100.${n % 7}`,
    ClientCountry: ['nz', 'de'][n % 2]!,
    ClientRequestPath: `/${n % 12}`,
    ClientRequestMethod: n % 5 === 0 ? 'POST' : 'GET',
    ClientRequestHost: `${n % 2}.example`,
    ClientRequestUserAgent: 'curl/8',
    Metadata: managed ? managedMetadata('942100', ...(n % 8 === 0 ? ['941100'] : [])) : { type: 'customer' },
  }
})

export const requests = [
  requestRecord(noonMs - 1, { MatchedRules: matchedRules('942100', '920350') }),
  requestRecord(noonMs - 2, {
    MatchedRules: matchedRules('920350'),
    EdgeResponseStatus: 404,
    OriginResponseStatus: 404,
  }),
  requestRecord(noonMs - 3, {
    MatchedRules: matchedRules('942100'),
    SecurityAction: 'managedChallenge',
    SecurityActions: ['log', 'managedChallenge'],
    SecurityRuleIDs: ['custom-0', 'verdict'],
    SecuritySources: ['firewallCustom', 'firewallManaged'],
    EdgeResponseStatus: 403,
    OriginResponseStatus: 0,
  }),
  requestRecord(noonMs - 2 * hourMs, { SecurityActions: ['log'], SecurityRuleIDs: ['custom-0'] }),
  requestRecord(noonMs - 30 * hourMs, { MatchedRules: matchedRules('942100') }),
  requestRecord(noonMs - 1, { EdgeResponseStatus: 0, OriginResponseStatus: 0 }, { zone: zoneB }),
]

export type Event = (typeof events)[number]

export const valuesOf: { readonly [D in TopQuery['by']]: (event: Event) => readonly string[] } = {
  rule: event => [event.RuleID],
  matched_rule: ({ Metadata }) =>
    ('rules' in Metadata ? (Metadata.rules as { id: string }[]) : []).map(({ id }) => id),
  path: event => [event.ClientRequestPath],
  client: event => [event.ClientIP],
  country: event => [event.ClientCountry],
  user_agent: event => [event.ClientRequestUserAgent],
  host: event => [event.ClientRequestHost],
}

export function countedBy(
  by: TopQuery['by'],
  from: readonly Event[],
): Map<string, { events: number; mitigated: number }> {
  const counts = new Map<string, { events: number; mitigated: number }>()
  for (const event of from)
    for (const value of valuesOf[by](event)) {
      const count = counts.get(value) ?? { events: 0, mitigated: 0 }
      count.events++
      if (event.Action !== 'log') count.mitigated++
      counts.set(value, count)
    }
  return counts
}
