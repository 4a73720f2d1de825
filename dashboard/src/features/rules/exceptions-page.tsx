import { useSearch } from '@tanstack/react-router'
import { type ExceptionPrefill, readExceptionSearch } from '../../domain/links/exception-link.ts'
import { owaspRulesetId } from '../../domain/ruleset/owasp/document.ts'
import { type Draft, newDraft } from '../../domain/ruleset/rules/draft.ts'
import { exceptions } from './phases.ts'
import { RulesOfPhase } from './rules-of-phase.tsx'

const elsewhere = {
  execute: { text: 'The managed ruleset runs here; exceptions below it have no effect', path: 'managed' },
}

export default function ExceptionsPage() {
  const search = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>
  return (
    <RulesOfPhase words={exceptions} initial={prefilled(readExceptionSearch(search))} elsewhere={elsewhere} />
  )
}

/** The narrowest exception for the given link: one value of the rules, otherwise the rules. */
function prefilled({ description, expression, rules = [], collection, key }: ExceptionPrefill): Draft {
  const draft = newDraft('http_request_firewall_managed')
  const value = collection === undefined ? undefined : { collection, ...(key === undefined ? {} : { key }) }
  const isValue = value !== undefined && rules.length > 0
  return {
    ...draft,
    description: description ?? '',
    expression: expression ?? '',
    skip: {
      ...draft.skip,
      scope: isValue ? 'targets' : 'rules',
      rules: isValue || rules.length === 0 ? {} : { [owaspRulesetId]: rules },
      targets: isValue ? rules.map(rule => ({ rule, ...value })) : [],
    },
  }
}
