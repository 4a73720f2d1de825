import type { Interruption, Program, RuleMask, Steps } from '../../src/waf/index.ts'
import type { SampleRequest } from '../support/sample-request.ts'
import { waitedMs } from '../support/waiting.ts'

/** The result of one request. Times are milliseconds, without time in which others had the processor. */
export interface Run {
  readonly whole: number
  /** The longest time without a yield. */
  readonly slice: number
  readonly score: number
  readonly overBudget: boolean
  /** The rule that refused the request: then later rules have not run. */
  readonly refusedBy: number | undefined
}

/** Bytes of a body that arrive at once, as from a socket. */
const partBytes = 64 * 1024

/** The phases of the request and of logging; other work of the process may run between two slices. */
export function runOnce(program: Program, mask: RuleMask, { request, body }: SampleRequest): Run {
  const start = ownMs()
  const slices = new Slices(start)
  const transaction = program.begin(request, mask)
  let refusal = slices.through(transaction.requestHeaders())
  for (let from = 0; from < body.length; from += partBytes) {
    transaction.addRequestBody(body.subarray(from, from + partBytes))
    slices.end()
  }
  refusal = slices.through(transaction.requestBody(true)) ?? refusal
  slices.through(transaction.logging())
  slices.end()
  const { requestScore: score, overBudget } = transaction
  const whole = ownMs() - start
  return { whole, slice: slices.longest, score, overBudget, refusedBy: refusal?.ruleId }
}

class Slices {
  longest = 0
  #start: number

  constructor(start: number) {
    this.#start = start
  }

  through(steps: Steps): Interruption | undefined {
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
      this.end()
    }
  }

  end(): void {
    const now = ownMs()
    this.longest = Math.max(this.longest, now - this.#start)
    this.#start = now
  }
}

function ownMs(): number {
  return performance.now() - waitedMs()
}
