import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import type { Answered, Call } from '../../analytics/index.ts'
import { analyticsLimits } from '../../analytics/limits.ts'
import { retireLimits } from '../limits.ts'
import type { FromSupervisor } from './inheritance.ts'

interface Open {
  readonly from: ChildProcess
  readonly call: Call
}

/**
 * Queries of analytics from processes without the store to the one that has it. A query stays open until it is answered:
 * when the store passes to another process meanwhile, that one gets the query too.
 */
export class PassedQueries {
  readonly #open = new Map<number, Open>()
  #holder: ChildProcess | undefined
  #lastId = 0

  /** The process has been told to take the store. */
  give(holder: ChildProcess): void {
    this.#holder = holder
    for (const [id, query] of this.#open) this.#pass(id, query)
  }

  /** The process has no store any more. */
  release(holder: ChildProcess): void {
    if (this.#holder === holder) this.#holder = undefined
  }

  ask(from: ChildProcess, call: Call): void {
    // The process that asks gives up by itself.
    if (this.#open.size >= retireLimits.passedQueriesMax) return
    const id = ++this.#lastId
    const query = { from, call }
    this.#open.set(id, query)
    setTimeout(() => this.#open.delete(id), analyticsLimits.beginMsMax).unref()
    this.#pass(id, query)
  }

  answer({ id, ...answer }: Answered): void {
    const query = this.#open.get(id)
    this.#open.delete(id)
    const remove = () => answer.file !== undefined && rmSync(answer.file, { force: true })
    if (query === undefined) remove()
    else send(query.from, { kind: 'answer', answered: { ...answer, id: query.call.id } }, remove)
  }

  /** A holder that asks has given the store up already, or has just got it and asks itself. */
  #pass(id: number, { from, call }: Open): void {
    if (this.#holder !== undefined && this.#holder !== from)
      send(this.#holder, { kind: 'query', call: { ...call, id } }, () => {})
  }
}

/** @param failed the process has ended */
function send(to: ChildProcess, message: FromSupervisor, failed: () => void): void {
  to.send(message, error => error && failed())
}
