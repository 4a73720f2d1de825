import { newDraft } from '../../domain/ruleset/rules/draft.ts'
import { customRules } from './phases.ts'
import { RulesPage } from './rules-page.tsx'

const initial = newDraft('http_request_firewall_custom')

export default function CustomRulesPage() {
  return <RulesPage words={customRules} initial={initial} />
}
