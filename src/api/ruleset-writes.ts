import { timestampOf } from '../kit/clock.ts'
import { newId } from '../kit/ids.ts'
import type { Checked } from '../model/problem.ts'
import type { Phase, Ruleset, Scope } from '../model/resource.ts'
import { createRuleset, entryPointExists, replaceEntryPoint, type WriteContext } from '../rulesets/index.ts'
import { StoreError } from '../store/port.ts'
import type { ApiDeps } from './deps.ts'
import { accepted, refusal, refused } from './errors.ts'
import type { ManagedCatalog } from './managed.ts'
import { Turns } from './turns.ts'

/** Where a write goes, and whether it is only tried (`?dry_run=true`): checked in full, nothing stored. */
export interface Target {
  readonly scope: Scope
  readonly dryRun: boolean
}

/** The next version of a ruleset, or why the request for it is refused. */
export type Change = (current: Ruleset, context: WriteContext) => Checked<Ruleset>

/** Writes of one scope take turns; a write of another process in between is met by one new try. */
export class RulesetWrites {
  readonly #deps: ApiDeps
  readonly #managed: () => Promise<ManagedCatalog>
  readonly #turns = new Turns()

  constructor(deps: ApiDeps, managed: () => Promise<ManagedCatalog>) {
    this.#deps = deps
    this.#managed = managed
  }

  create(target: Target, body: unknown): Promise<Ruleset> {
    return this.#inTurn(target, async context => {
      const ruleset = accepted(createRuleset(body, context))
      await this.#refuseSecondEntryPoint(ruleset)
      await this.#insert(target, ruleset)
      return ruleset
    })
  }

  change(target: Target, id: string, change: Change): Promise<Ruleset> {
    return this.#inTurn(target, async context => {
      const current = await this.#deps.store.rulesets.get(target.scope, id)
      if (current === undefined) throw context.managed(id) ? managedRuleset(id) : rulesetNotFound(id)
      const next = accepted(change(current, context))
      await this.#update(target, next)
      return next
    })
  }

  putEntryPoint(target: Target, phase: Phase, body: unknown): Promise<Ruleset> {
    return this.#inTurn(target, async context => {
      const current = await this.#deps.store.rulesets.entryPoint(target.scope, phase)
      const next = accepted(replaceEntryPoint(current, phase, body, context))
      if (current === undefined) await this.#insert(target, next)
      else await this.#update(target, next)
      return next
    })
  }

  delete(target: Target, id: string): Promise<void> {
    return this.#inTurn(target, async context => {
      const { store } = this.#deps
      const current = await store.rulesets.get(target.scope, id)
      if (current === undefined) throw context.managed(id) ? managedRuleset(id) : rulesetNotFound(id)
      if (!target.dryRun && !(await store.rulesets.delete(target.scope, id))) throw rulesetNotFound(id)
    })
  }

  #inTurn<T>(target: Target, write: (context: WriteContext) => Promise<T>): Promise<T> {
    const { kind, id } = target.scope
    const attempt = async () => write(await this.#context(target.scope))
    return this.#turns.run(`${kind} ${id}`, async () => {
      try {
        return await attempt()
      } catch (error) {
        if (!lostRace(error)) throw error
      }
      try {
        return await attempt()
      } catch (error) {
        throw lostRace(error) ? refusal('tooManyWrites') : error
      }
    })
  }

  async #context(scope: Scope): Promise<WriteContext> {
    const managed = await this.#managed()
    return { scope, now: timestampOf(this.#deps.clock.nowMs()), newId, managed: managed.find }
  }

  async #insert(target: Target, ruleset: Ruleset): Promise<void> {
    if (!target.dryRun) await this.#deps.store.rulesets.insert(ruleset)
  }

  async #update(target: Target, ruleset: Ruleset): Promise<void> {
    if (!target.dryRun) await this.#deps.store.rulesets.update(ruleset)
  }

  async #refuseSecondEntryPoint({ kind, phase, scope }: Ruleset): Promise<void> {
    const present = await this.#deps.store.rulesets.entryPoint(scope, phase)
    if (present !== undefined) throw refused(entryPointExists(kind, phase))
  }
}

/** Somebody else wrote between our read and our write. */
function lostRace(error: unknown): boolean {
  return error instanceof StoreError && (error.code === 'stale' || error.code === 'conflict')
}

export function rulesetNotFound(id: string): Error {
  return refusal('rulesetNotFound', { id: id.slice(0, 64) })
}

function managedRuleset(id: string): Error {
  return refusal('managedRuleset', { id })
}
