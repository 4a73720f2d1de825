import { limit, limits } from '../../kit/limits.ts'

export const ifMatchLimits = limits('Rulesets', {
  versionsMax: limit(16, 'count', 'Versions in one `If-Match` header; more → 400.'),
})
