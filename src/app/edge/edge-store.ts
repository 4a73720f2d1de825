import type { Change } from '../../bus/index.ts'
import type { Store } from '../../store/index.ts'
import { edgeStoreLimits } from '../limits.ts'

/**
 * The calls of the store that edge workers make. `shared`: workers that ask the same get one answer of the database.
 * Other calls write, or their answers depend on the moment.
 */
const calls = {
  zones: { list: 'shared', get: 'shared' },
  plans: { documents: 'shared' },
  rulesets: { all: 'shared' },
  lists: { list: 'shared', contents: 'shared' },
  customPages: { list: 'shared' },
  customAssets: { list: 'shared' },
  accessRules: { page: 'shared', pageOf: 'shared', writtenAfter: 'shared' },
  loadBalancing: { zones: 'shared' },
  certificates: { served: 'shared' },
  crs: { active: 'shared', byVersion: 'shared', managedRulesets: 'shared', setup: 'shared', files: 'shared' },
  jobs: { listEnabled: 'shared' },
  acme: { challenges: 'own', want: 'own' },
  secrets: { putOnce: 'own' },
} as const

type Calls = typeof calls

/** The part of the store that edges use. */
export type EdgeStore = {
  readonly [Part in keyof Calls]: Pick<Store[Part], keyof Calls[Part] & keyof Store[Part]>
}

/** A call by its name. */
export interface StoreCall {
  readonly part: string
  readonly call: string
  readonly args: readonly unknown[]
}

export type Ask = (call: StoreCall) => Promise<unknown>

/** A store whose calls are answered by a function. */
export function edgeStoreOver(ask: Ask): EdgeStore {
  const parts = Object.entries(calls).map(([part, ofPart]) => [
    part,
    Object.fromEntries(
      Object.keys(ofPart).map(call => [call, (...args: unknown[]) => ask({ part, call, args })]),
    ),
  ])
  return Object.fromEntries(parts)
}

/**
 * Answers the calls of all workers of a process. All of them read the same documents after a change. The first one asks
 * the database, and the others get its answer, for a second at most and until the next change. A worker that reads before
 * a change is known here is told of the change afterwards, and reads again.
 */
export class SharedAnswers {
  readonly #store: EdgeStore
  readonly #answers = new Map<string, Promise<unknown>>()

  constructor(store: EdgeStore, changes: { subscribe(onChange: (change: Change) => void): unknown }) {
    this.#store = store
    changes.subscribe(() => this.#answers.clear())
  }

  readonly answer: Ask = call => {
    if (!isShared(call)) return this.#ask(call)
    // Each worker numbers its own calls, so the number is not part of the key.
    const key = JSON.stringify([call.part, call.call, call.args])
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    const answer = this.#ask(call)
    const forget = () => {
      if (this.#answers.get(key) === answer) this.#answers.delete(key)
    }
    this.#answers.set(key, answer)
    answer.then(() => setTimeout(forget, edgeStoreLimits.sharedMs).unref(), forget)
    return answer
  }

  async #ask({ part, call, args }: StoreCall): Promise<unknown> {
    const ofPart = this.#store[part as keyof EdgeStore] as unknown as Record<
      string,
      (...args: unknown[]) => unknown
    >
    return ofPart[call]!(...args)
  }
}

function isShared({ part, call }: StoreCall): boolean {
  return (calls as Record<string, Record<string, string>>)[part]?.[call] === 'shared'
}
