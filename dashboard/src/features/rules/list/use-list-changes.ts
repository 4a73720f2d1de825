import { useRef, useState } from 'react'
import type { Call } from '../../../api/client.ts'
import { createCall, deleteCall, enableCall, moveCall } from '../../../domain/ruleset/rules/calls.ts'
import {
  copyOf,
  type ListPhase,
  moved,
  nameOf,
  positionAt,
  type Rule,
} from '../../../domain/ruleset/rules/document.ts'
import { useRuleChange } from '../../../domain/ruleset/rules/use-rules.ts'

/** Changes of a list, with the last call (`made`) and its announcement for screen readers (`said`). */
export function useListChanges(zoneId: string, phase: ListPhase, rules: readonly Rule[]) {
  const [made, setMade] = useState<Call>()
  const [said, setSaid] = useState('')
  const change = useRuleChange(zoneId, phase, setMade)
  const move = useMove(rules, change, setSaid)
  const enable = (rule: Rule, enabled: boolean) =>
    change.mutate({
      make: at => enableCall(at, at.entry?.rules.find(({ id }) => id === rule.id) ?? rule, enabled),
      expect: before => before.map(other => (other.id === rule.id ? { ...other, enabled } : other)),
      failed: `Failed to ${enabled ? 'enable' : 'disable'} “${nameOf(rule)}”`,
    })
  const copy = (rule: Rule) =>
    change.mutate({
      make: at => createCall(at, copyOf(rule), { after: rule.id }),
      done: `“${copyOf(rule).description}” created below it (disabled)`,
      failed: `Failed to duplicate “${nameOf(rule)}”`,
    })
  const remove = (rule: Rule) => {
    setSaid(`${nameOf(rule)} deleted`)
    change.mutate({
      make: at => deleteCall(at, rule.id),
      expect: before => before.filter(({ id }) => id !== rule.id),
      done: `“${nameOf(rule)}” deleted. You can restore it from History.`,
      failed: `Failed to delete “${nameOf(rule)}”`,
    })
  }
  return { move, enable, copy, remove, made, said, isPending: change.isPending }
}

type RuleChange = ReturnType<typeof useRuleChange>

function useMove(rules: readonly Rule[], change: RuleChange, onSay: (text: string) => void) {
  // Two clicks can come before the list renders the first move.
  const order = useRef({ drawn: rules, expected: rules })
  if (order.current.drawn !== rules) order.current = { drawn: rules, expected: rules }
  return (rule: Rule, drawnFrom: number, drawnTo: number) => {
    const { expected } = order.current
    const from = expected.findIndex(({ id }) => id === rule.id)
    const to = Math.min(Math.max(from + drawnTo - drawnFrom, 0), expected.length - 1)
    if (from < 0 || to === from) return
    const position = positionAt(expected, from, to)
    order.current = { drawn: rules, expected: moved(expected, from, to) }
    onSay(`${nameOf(rule)} moved to position ${to + 1} of ${expected.length}`)
    change.mutate({
      make: at => moveCall(at, rule.id, position),
      expect: before => moved(before, from, to),
      failed: `Failed to move “${nameOf(rule)}”`,
    })
  }
}
