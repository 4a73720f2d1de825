import { newDraft } from '../../domain/ruleset/rules/draft.ts'
import { rateLimits } from './phases.ts'
import { RulesPage } from './rules-page.tsx'

const initial = newDraft('http_ratelimit')

export default function RateLimitsPage() {
  return <RulesPage words={rateLimits} initial={initial} />
}
