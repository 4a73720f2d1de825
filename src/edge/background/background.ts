import type { Background, ShadowFinding } from '../exchange/background-port.ts'
import type { Inspection } from '../exchange/decisions.ts'
import type { EdgeLimits } from '../exchange/deps.ts'
import type { RequestParts } from '../exchange/exchange.ts'
import type { RequestFacts } from '../exchange/facts.ts'
import type { Excepted } from '../exchange/skips.ts'
import { forgetRequest } from './kept-request.ts'
import { encryptPayloads } from './payload.ts'
import { beginSample, finishSample } from './sample.ts'
import { beginShadow, finishShadow } from './shadow.ts'
import { type Attached, type BackgroundState, newBackgroundState } from './state.ts'

/** Attaches shadows, samples and the encryption of payloads to the requests of one edge. */
export class BackgroundWork implements Background {
  readonly #state: BackgroundState

  constructor(deps: BackgroundState['deps'], limits: EdgeLimits, counters: BackgroundState['counters']) {
    this.#state = newBackgroundState(deps, limits, counters)
  }

  managedRulesReached(request: RequestParts): void {
    beginShadow(this.#state, request)
  }

  inspectionBegun(request: RequestParts, inspection: Inspection, excepted: Excepted): void {
    beginSample(this.#state, request, inspection, excepted)
  }

  needsContent(facts: RequestFacts): boolean {
    return this.#attachedTo(facts)?.kept !== undefined
  }

  beforeRecord(request: RequestParts): Promise<void> | undefined {
    return encryptPayloads(this.#state, request)
  }

  beforeEvents(request: RequestParts): Promise<ShadowFinding | undefined> | undefined {
    const run = this.#attachedTo(request.facts)?.shadow
    return run === undefined ? undefined : finishShadow(this.#state, request, run)
  }

  ended(request: RequestParts): Promise<void> | undefined {
    const attached = this.#attachedTo(request.facts)
    return attached === undefined ? undefined : this.#end(request, attached)
  }

  /** No evaluation begins any more. */
  stop(): void {
    this.#state.stopped = true
  }

  async #end(request: RequestParts, { sample }: Attached): Promise<void> {
    if (sample !== undefined) await finishSample(this.#state, request, sample)
    forgetRequest(this.#state, request.facts)
    this.#state.attached.delete(request.facts)
  }

  #attachedTo(facts: RequestFacts): Attached | undefined {
    const { attached } = this.#state
    return attached.size === 0 ? undefined : attached.get(facts)
  }
}
