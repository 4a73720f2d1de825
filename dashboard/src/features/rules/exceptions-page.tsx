import { useSearch } from '@tanstack/react-router'
import { type ExceptionPrefill, readExceptionSearch } from '../../ui/exception-link.ts'
import { type Draft, newDraft } from './draft.ts'
import { owaspRulesetId } from './managed-rules.ts'
import { exceptions } from './phases.ts'
import { RulesPage } from './rules-page.tsx'

const elsewhere = {
  execute: { text: 'The managed ruleset runs here: exceptions below do nothing for it', path: 'managed' },
}

export default function ExceptionsPage() {
  const search = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>
  return (
    <RulesPage words={exceptions} initial={prefilled(readExceptionSearch(search))} elsewhere={elsewhere} />
  )
}

/** The smallest exception that what is known allows: one value of the rules, else the rules. */
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
