import { newDraft } from '../../domain/ruleset/rules/draft.ts'
import { rateLimits } from './phases.ts'
import { RulesOfPhase } from './rules-of-phase.tsx'

const initial = newDraft('http_ratelimit')

export default function RateLimitsPage() {
  return <RulesOfPhase words={rateLimits} initial={initial} />
}
