import { timestampOf } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import type { Checked, Problem } from '../../model/problem.ts'
import type { AuditEntry, List, ListKind, Ruleset, RulesetPhase, Scope } from '../../model/resource.ts'
import {
  createRuleset,
  entryPointExists,
  replaceEntryPoint,
  rulesetInUse,
  type WriteContext,
} from '../../rulesets/index.ts'
import type { RulesetBasis } from '../../store/port/rulesets.ts'
import type { AuditedChange } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { accepted, refusal, refused } from '../http/errors.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { listsNamedBy } from '../lists/references.ts'
import { type Expected, requireExpected, requireNothingExpected } from './if-match.ts'
import type { ManagedCatalog } from './managed.ts'
import { rulesetToWire } from './wire.ts'

/** A write: where it goes, and on which conditions. */
export interface Target {
  readonly scope: Scope
  /** The account itself, or the one that the zone belongs to. */
  readonly accountId: string
  /** `?dry_run=true`: all checks run, nothing is stored. */
  readonly dryRun: boolean
  /** Versions that the write is based on. */
  readonly expected: Expected
  readonly audit: (change: AuditedChange) => AuditEntry
  /** @throws ApiError 403 when the credentials may not write rulesets of this phase here */
  readonly authorize: (phase: RulesetPhase) => void
  /** Gets the reasons why parts of the document are stored and not enforced, by message. Absent: they are refused. */
  readonly kept: Map<string, Problem> | undefined
  /** Gets the reasons why parts of the document have a smaller effect than at Cloudflare, by message. */
  readonly inPart: Map<string, Problem>
}

/** The next version of a ruleset, or why the request for it is refused. */
export type Change = (current: Ruleset, context: WriteContext) => Checked<Ruleset>

/** Writes of one scope run one at a time; after a concurrent write by another process, the write is read and checked again. */
export class RulesetWrites {
  readonly #deps: ApiDeps
  readonly #managed: () => Promise<ManagedCatalog>
  readonly #queue = new KeyedQueue()

  constructor(deps: ApiDeps, managed: () => Promise<ManagedCatalog>) {
    this.#deps = deps
    this.#managed = managed
  }

  create(target: Target, body: unknown): Promise<Ruleset> {
    return this.#inTurn(target, async surroundings => {
      const ruleset = accepted(createRuleset(body, surroundings.context))
      target.authorize(ruleset.phase)
      await this.#refuseSecondEntryPoint(ruleset)
      await this.#insert(target, ruleset, surroundings)
      return ruleset
    })
  }

  change(target: Target, id: string, change: Change): Promise<Ruleset> {
    return this.#inTurn(target, async surroundings => {
      const { context, rulesets } = surroundings
      const current = rulesets.find(ruleset => ruleset.id === id)
      if (current === undefined) throw context.managed(id) ? managedRuleset(id) : rulesetNotFound(id)
      target.authorize(current.phase)
      await requireExpected(this.#deps.store, target.expected, current)
      const next = accepted(change(current, context))
      await this.#update(target, current, next, surroundings)
      return next
    })
  }

  putEntryPoint(target: Target, phase: RulesetPhase, body: unknown): Promise<Ruleset> {
    target.authorize(phase)
    return this.#inTurn(target, async surroundings => {
      const { context, rulesets } = surroundings
      const current = rulesets.find(
        ruleset => ruleset.phase === phase && (ruleset.kind === 'zone' || ruleset.kind === 'root'),
      )
      if (current === undefined) requireNothingExpected(target.expected, phase)
      else await requireExpected(this.#deps.store, target.expected, current)
      const next = accepted(replaceEntryPoint(current, phase, body, context))
      if (current === undefined) await this.#insert(target, next, surroundings)
      else await this.#update(target, current, next, surroundings)
      return next
    })
  }

  delete(target: Target, id: string): Promise<void> {
    return this.#inTurn(target, async ({ context, rulesets }) => {
      const current = rulesets.find(ruleset => ruleset.id === id)
      if (current === undefined) throw context.managed(id) ? managedRuleset(id) : rulesetNotFound(id)
      target.authorize(current.phase)
      await requireExpected(this.#deps.store, target.expected, current)
      const problem = rulesetInUse(current, rulesets)
      if (problem !== undefined) throw refused(problem)
      if (target.dryRun) return
      const audit = target.audit({ action: 'delete', ...audited(current), after: null })
      const basis = { rulesets, lists: [] }
      if (!(await this.#deps.store.rulesets.delete(target.scope, id, audit, basis))) throw rulesetNotFound(id)
    })
  }

  /** The newest version is the ruleset itself: it can only go with it. */
  deleteVersion(target: Target, id: string, version: number): Promise<void> {
    return this.#inTurn(target, async ({ context, rulesets }) => {
      const current = rulesets.find(ruleset => ruleset.id === id)
      if (current === undefined) throw context.managed(id) ? managedRuleset(id) : rulesetNotFound(id)
      target.authorize(current.phase)
      if (current.version === version) throw refusal('newestVersion', { id, version: String(version) })
      const old = await this.#deps.store.rulesets.version(target.scope, id, version)
      if (old === undefined) throw versionNotFound(id, version)
      if (target.dryRun) return
      const audit = target.audit({ action: 'delete', ...audited(old), after: null })
      const deleted = await this.#deps.store.rulesets.deleteVersion(target.scope, id, version, audit)
      if (!deleted) throw versionNotFound(id, version)
    })
  }

  #inTurn<T>(target: Target, write: (surroundings: Surroundings) => Promise<T>): Promise<T> {
    const { kind, id } = target.scope
    return this.#queue.write(`${kind} ${id}`, async () => write(await this.#surroundings(target)))
  }

  /** Read again for each attempt: a write is checked against the state that it replaces. */
  async #surroundings(target: Target): Promise<Surroundings> {
    const { scope, accountId, inPart } = target
    const note = noteOf(target)
    const { store, clock, hasGeoDatabases, knowsLeakedPasswords } = this.#deps
    const [managed, rulesets, lists] = await Promise.all([
      this.#managed(),
      store.rulesets.all(scope),
      store.lists.list(accountId),
    ])
    const custom = new Map(
      rulesets.filter(({ kind }) => kind === 'custom').map(ruleset => [ruleset.id, ruleset]),
    )
    const context: WriteContext = {
      scope,
      now: timestampOf(clock.nowMs()),
      newId,
      managed: managed.find,
      custom: id => custom.get(id),
      lists: knownLists(lists),
      hasRedirectList: name => lists.some(list => list.kind === 'redirect' && list.name === name),
      ...(note === undefined ? {} : { notEnforced: note }),
      inPart: {
        note: problem => void inPart.set(problem.message, problem),
        sources: { hasGeoDatabases, knowsLeakedPasswords },
      },
    }
    return { context, rulesets, lists }
  }

  async #insert(target: Target, ruleset: Ruleset, surroundings: Surroundings): Promise<void> {
    if (target.dryRun) return
    const change = {
      action: 'create',
      ...audited(ruleset),
      before: null,
      after: auditedAfter(target, ruleset),
    } as const
    await this.#deps.store.rulesets.insert(ruleset, target.audit(change), basisOf(ruleset, surroundings))
  }

  async #update(target: Target, current: Ruleset, next: Ruleset, surroundings: Surroundings): Promise<void> {
    if (target.dryRun) return
    const change = { action: 'update', ...audited(current), after: auditedAfter(target, next) } as const
    await this.#deps.store.rulesets.update(next, target.audit(change), basisOf(next, surroundings))
  }

  async #refuseSecondEntryPoint({ kind, phase, scope }: Ruleset): Promise<void> {
    if (kind === 'custom') return
    const present = await this.#deps.store.rulesets.entryPoint(scope, phase)
    if (present !== undefined) throw refused(entryPointExists(kind, phase))
  }
}

interface Surroundings {
  readonly context: WriteContext
  /** Every ruleset of the scope. */
  readonly rulesets: readonly Ruleset[]
  /** Every list of the account. */
  readonly lists: readonly List[]
}

/** The state that the ruleset was checked against, for the store to compare. */
function basisOf({ rules }: Ruleset, { rulesets, lists }: Surroundings): RulesetBasis {
  const named = new Set(rules.flatMap(rule => [...listsNamedBy(rule)]))
  return { rulesets, lists: lists.filter(({ name }) => named.has(name)).map(({ id }) => id) }
}

/** Notes each part that is kept and not enforced once. Undefined where such parts are refused. */
export function noteOf({ kept }: Pick<Target, 'kept'>): WriteContext['notEnforced'] {
  return kept === undefined ? undefined : problem => void kept.set(problem.message, problem)
}

/** The audit trail names the parts that are not enforced, or only in part. */
function auditedAfter({ kept = new Map(), inPart }: Target, ruleset: Ruleset): object {
  return {
    ...rulesetToWire(ruleset),
    ...(kept.size === 0 ? {} : { not_enforced: [...kept.keys()] }),
    ...(inPart.size === 0 ? {} : { partly_enforced: [...inPart.keys()] }),
  }
}

function audited(before: Ruleset): Pick<AuditedChange, 'resource' | 'before'> {
  return { resource: { kind: 'ruleset', id: before.id }, before: rulesetToWire(before) }
}

/** The check of a document needs no items of lists. */
function knownLists(lists: readonly List[]): WriteContext['lists'] {
  const known = new Set(lists.map(list => `${list.kind} ${list.name}`))
  return (name, type) => (known.has(`${listKinds[type]} ${name}`) ? () => false : undefined)
}

const listKinds: Readonly<Record<'Ip' | 'Bytes' | 'Int', ListKind>> = {
  Ip: 'ip',
  Bytes: 'hostname',
  Int: 'asn',
}

export function rulesetNotFound(id: string): Error {
  return refusal('rulesetNotFound', { id: id.slice(0, 64) })
}

export function versionNotFound(id: string, version: number): Error {
  return refusal('versionNotFound', { id, version: String(version) })
}

function managedRuleset(id: string): Error {
  return refusal('managedRuleset', { id })
}
