import { setImmediate } from 'node:timers/promises'
import type { ZonePlan } from '../../rulesets/index.ts'
import type { Program, RuleMask } from '../../waf/index.ts'
import { warmUp } from '../../waf/warm-up.ts'

/** Maximum rounds of a new program; a program with a few new rules runs one round. */
const warmUpRounds = 8
/** Time limit of the first round, which is by far the slowest; later rounds end at the shorter limit. */
const budgetMs = { first: 1000, further: 400 } as const

/**
 * Warms programs up before requests reach them. Works in slices, so that the edge can serve requests meanwhile.
 */
export class WarmUp {
  /** Rules that have run, by program. */
  readonly #run = new WeakMap<Program, Uint8Array>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Resolves when the plan's programs are warm; at once if they were before. */
  async prepare(plan: ZonePlan): Promise<void> {
    for (const phase of [...plan.request, plan.response])
      for (const { rules } of phase?.rulesets ?? [])
        for (const { effect } of rules)
          if (effect.kind === 'execute') await this.#warm(effect.program, effect.mask)
    if (plan.shadow !== undefined) await this.#warm(plan.shadow.execution.program, plan.shadow.execution.mask)
  }

  async #warm(program: Program, mask: RuleMask): Promise<void> {
    const known = this.#run.get(program)
    if (known !== undefined && !addsTo(known, mask.enabled)) return
    const all = known ?? new Uint8Array(mask.enabled.length)
    for (const [at, bits] of mask.enabled.entries()) all[at]! |= bits
    this.#run.set(program, all)
    const beganMs = this.#nowMs()
    for (let round = 0; round < (known === undefined ? warmUpRounds : 1); round++)
      for (const _ of warmUp(program, mask)) {
        if (this.#nowMs() - beganMs >= (round === 0 ? budgetMs.first : budgetMs.further)) return
        await setImmediate()
      }
  }
}

function addsTo(known: Uint8Array, enabled: Uint8Array): boolean {
  return enabled.some((bits, at) => (bits & ~known[at]!) !== 0)
}
