import { assert } from '../../kit/assert.ts'
import { WafTransaction } from '../transaction.ts'
import type { Program, ProgramRule, RuleMask, Transaction, WafRequest } from '../types.ts'
import { PersistentStore } from '../variables/persistent.ts'
import type { Variable } from '../variables/state.ts'
import type { CompiledRule } from './compiled.ts'
import { phases } from './draft.ts'
import { enabledRules, type PhaseList, type PhaseOrders } from './flow.ts'
import type { EngineSettings } from './settings.ts'

/** What a mask leaves of the program. Made with the mask, shared by its requests. */
export interface MaskedProgram {
  /** By phase; index 0 is unused. */
  readonly phases: readonly PhaseList[]
  readonly wantsRequestBody: boolean
  readonly wantsResponseBody: boolean
}

export class CompiledProgram implements Program {
  readonly rules: readonly ProgramRule[]
  readonly settings: EngineSettings
  readonly nowMs: (startedMs: number) => number
  readonly store = new PersistentStore()
  readonly #orders: PhaseOrders
  readonly #masked = new WeakMap<RuleMask, MaskedProgram>()

  constructor(
    rules: readonly ProgramRule[],
    orders: PhaseOrders,
    settings: EngineSettings,
    nowMs: (startedMs: number) => number,
  ) {
    this.rules = rules
    this.settings = settings
    this.nowMs = nowMs
    this.#orders = orders
  }

  mask(off: (rule: ProgramRule) => boolean): RuleMask {
    const enabled = Uint8Array.from(this.rules, rule => (rule.role !== 'support' && off(rule) ? 0 : 1))
    const mask: RuleMask = Object.freeze({ enabled })
    this.#masked.set(mask, this.#maskedBy(enabled))
    return mask
  }

  begin(request: WafRequest, mask: RuleMask): Transaction {
    const masked = this.#masked.get(mask)
    assert(masked !== undefined, 'a mask is used with the program that made it')
    return new WafTransaction(this, masked, request)
  }

  #maskedBy(enabled: Uint8Array): MaskedProgram {
    const lists: PhaseList[] = [{ rules: [], next: new Int32Array(0) }]
    for (const phase of phases) lists[phase] = enabledRules(this.#orders[phase] ?? [], enabled)
    return {
      phases: lists,
      wantsRequestBody: this.#wants('request', 'request-body', lists.slice(2)),
      wantsResponseBody: this.#wants('response', 'response-body', lists.slice(4)),
    }
  }

  /**
   * Rules that detect something decide; the machinery around them reads bodies for their sake only. In a program without
   * detection rules on that side every rule decides.
   * @param lists of the phases in which the body is there
   */
  #wants(role: 'request' | 'response', needs: Variable['needs'], lists: readonly PhaseList[]): boolean {
    const detects = this.rules.some(rule => rule.role === role)
    for (const { rules } of lists) {
      for (const rule of rules) {
        if ((!detects || rule.info.role === role) && reads(rule, needs)) return true
      }
    }
    return false
  }
}

function reads(rule: CompiledRule, needs: Variable['needs']): boolean {
  return rule.links.some(link => link.targets.some(target => target.variable.needs === needs))
}
