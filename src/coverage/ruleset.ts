import { newId } from '../kit/ids.ts'
import type { Problem } from '../model/problem.ts'
import type { JsonObject, Ruleset, RulesetPhase, Scope } from '../model/resource.ts'
import {
  closedRuleset,
  createRuleset,
  type DataSources,
  type ManagedRuleset,
  phaseEnforcement,
  type WriteContext,
} from '../rulesets/index.ts'
import { type Coverage, enforced, notEnforced, partly } from './enforcement.ts'
import { coverageLimits } from './limits.ts'

/** The parts of the installation that the document names. */
export interface RulesetSurroundings {
  readonly managed: readonly ManagedRuleset[]
  readonly sources: DataSources
  /** Absent: every id that no managed ruleset has is the id of a custom ruleset. */
  readonly custom?: readonly Ruleset[]
}

/** Checks a ruleset in its wire form as a write would, and says which parts of it act. */
export function coverRuleset(
  document: JsonObject,
  scope: Scope,
  surroundings: RulesetSurroundings,
): Coverage {
  const phase = String(document['phase'])
  const ofPhase = phaseEnforcement().get(phase)
  if (ofPhase?.status === 'not_enforced') return notEnforced(ofPhase.why)
  const notes: Problem[] = []
  const checked = createRuleset(
    document,
    contextOf(phase, scope, surroundings, note => notes.push(note)),
  )
  if (!checked.ok) return notEnforced(`it is refused: ${checked.problem.message}`)
  if (notes.length === 0) return enforced
  const reasons = [...new Set(notes.map(textOf))]
  const shown = reasons.slice(0, coverageLimits.reasonsShown).join('; ')
  const text =
    reasons.length > coverageLimits.reasonsShown
      ? `${shown}; and ${reasons.length - coverageLimits.reasonsShown} more`
      : shown
  // A rule that executes a closed ruleset does nothing else.
  const idle = new Set(
    notes.map(({ pointer }) => /^\/rules\/(\d+)\/action_parameters\/id$/.exec(pointer ?? '')?.[1]),
  )
  idle.delete(undefined)
  return idle.size === checked.value.rules.length ? notEnforced(text) : partly(text)
}

/** `rule 2: the rules of the … belong to Cloudflare`. */
function textOf({ message, pointer = '' }: Problem): string {
  const at = /^\/rules\/(\d+)/.exec(pointer)?.[1]
  const why = message.split('has no meaning on a self-hosted edge: ').at(-1)!
  const part = /\/action_parameters\/(?:.*\/)?([a-z_]+)$/.exec(pointer)?.[1]
  const named = part === undefined || part === 'id' ? '' : `${part}: `
  return at === undefined ? why : `rule ${Number(at) + 1}: ${named}${why}`
}

function contextOf(
  phase: string,
  scope: Scope,
  { managed, sources, custom }: RulesetSurroundings,
  note: (problem: Problem) => void,
): WriteContext {
  const find = (id: string) => managed.find(ruleset => ruleset.id === id)
  return {
    scope,
    now: '',
    newId,
    managed: find,
    custom: id => {
      if (custom !== undefined) return custom.find(ruleset => ruleset.id === id)
      return find(id) === undefined && closedRuleset(id) === undefined
        ? assumedCustom(id, scope, phase)
        : undefined
    },
    lists: name => (isManagedList(name) ? undefined : () => false),
    hasRedirectList: name => !isManagedList(name),
    notEnforced: note,
    inPart: { note, sources },
  }
}

/** `cf.malware`: only Cloudflare has the items, and the name of an account's own list has no dot. */
function isManagedList(name: string): boolean {
  return name.startsWith('cf.')
}

function assumedCustom(id: string, scope: Scope, phase: string): Ruleset {
  const ruleset = {
    id,
    scope,
    name: id,
    description: '',
    kind: 'custom' as const,
    version: 1,
    lastUpdated: '',
  }
  return { ...ruleset, phase: phase as RulesetPhase, rules: [] }
}
