import { newDraft } from '../../domain/ruleset/rules/draft.ts'
import { customRules } from './phases.ts'
import { RulesOfPhase } from './rules-of-phase.tsx'

const initial = newDraft('http_request_firewall_custom')

export default function CustomRulesPage() {
  return <RulesOfPhase words={customRules} initial={initial} />
}
