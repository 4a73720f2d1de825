import type { Call } from '../../../api/client.ts'
import {
  type Definition,
  definitionOf,
  type Entry,
  type ListPhase,
  type Position,
  type Rule,
} from './document.ts'

/** A change of a list of rules as an API call. Each names the version it is based on. */
export interface At {
  readonly zoneId: string
  readonly phase: ListPhase
  /** Null when the zone has no rules in the phase yet. */
  readonly entry: Entry | null
}

export function createCall({ zoneId, phase, entry }: At, rule: Definition, position?: Position): Call {
  if (entry === null) {
    // The API refuses this when an entry point exists by now; a PUT would replace its rules.
    const body = { kind: 'zone', name: 'default', phase, rules: [rule] }
    return { method: 'POST', path: `/zones/${zoneId}/rulesets`, body }
  }
  const body = position === undefined ? rule : { ...rule, position }
  return { method: 'POST', path: rulesPath(zoneId, entry), body, ifMatch: entry.version }
}

export function updateCall({ zoneId, entry }: At, ruleId: string, rule: Definition): Call {
  return {
    method: 'PATCH',
    path: `${rulesPath(zoneId, entry!)}/${ruleId}`,
    body: rule,
    ifMatch: entry!.version,
  }
}

export function enableCall(at: At, rule: Rule, enabled: boolean): Call {
  return updateCall(at, rule.id, { ...definitionOf(rule), enabled })
}

export function moveCall({ zoneId, entry }: At, ruleId: string, position: Position): Call {
  const path = `${rulesPath(zoneId, entry!)}/${ruleId}`
  return { method: 'PATCH', path, body: { position }, ifMatch: entry!.version }
}

export function deleteCall({ zoneId, entry }: At, ruleId: string): Call {
  return { method: 'DELETE', path: `${rulesPath(zoneId, entry!)}/${ruleId}`, ifMatch: entry!.version }
}

/** JSON pointer of the rule in the body of a call: the prefix of pointers in errors. */
export function rulePointer({ body }: Call): string {
  return typeof body === 'object' && body !== null && 'rules' in body ? '/rules/0' : ''
}

function rulesPath(zoneId: string, { id }: Entry): string {
  return `/zones/${zoneId}/rulesets/${id}/rules`
}
