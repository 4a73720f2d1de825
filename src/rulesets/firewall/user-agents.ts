import { bytesOfText } from '../../kit/bytes.ts'
import type { UserAgentRule } from '../../model/zone-firewall.ts'

/** Rules that are not paused, by the bytes of the User-Agent that they act on. */
export type PlanUserAgents = ReadonlyMap<string, UserAgentRule>

export function planUserAgents(rules: readonly UserAgentRule[]): PlanUserAgents {
  return new Map(rules.filter(({ paused }) => !paused).map(rule => [bytesOfText(rule.userAgent), rule]))
}
