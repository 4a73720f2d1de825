import { idFromName } from '../../kit/ids.ts'
import type { ManagedRuleset } from '../documents/write-context.ts'
import type { Overrides } from './overrides.ts'

/** Id that existing configurations know. @source Cloudflare's documentation of URL normalization */
export const urlNormalizationRulesetId = '70339d97bdb34195bbf054b1ebe81f76'
const ruleId = idFromName('sluice.normalization.rule')
const madeOn = '2026-05-01T00:00:00.000000Z'

/** The managed ruleset that normalises the path before all other rules. It needs no CRS release. */
export const urlNormalizationRuleset: ManagedRuleset = {
  id: urlNormalizationRulesetId,
  name: 'Cloudflare Normalization Ruleset',
  description: 'Created by the Cloudflare security team, this ruleset provides normalization on the URL path',
  kind: 'managed',
  phase: 'http_request_sanitize',
  version: 1,
  lastUpdated: madeOn,
  rules: [
    {
      id: ruleId,
      version: 1,
      action: 'rewrite',
      description: 'Normalize the path',
      enabled: true,
      ref: ruleId,
      lastUpdated: madeOn,
    },
  ],
}

/** Adds the rulesets that exist without a release. */
export function withBuiltInRulesets(rulesets: readonly ManagedRuleset[]): readonly ManagedRuleset[] {
  return [...rulesets, urlNormalizationRuleset]
}

/** Whether its rule is enabled with these overrides. */
export function normalizes(overrides: Overrides = {}): boolean {
  const own = overrides.rules?.findLast(rule => rule.id === ruleId && rule.enabled !== undefined)
  return own?.enabled ?? overrides.enabled ?? true
}
