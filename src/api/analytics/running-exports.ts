import type { FastifyReply } from 'fastify'
import type { Api } from '../http/context.ts'
import { refusal } from '../http/errors.ts'
import { analyticsRequestLimits } from './limits.ts'

/** The exports that are written at present. They end when the server stops. */
export class RunningExports {
  readonly #running = new Set<FastifyReply>()
  readonly #closing = new AbortController()

  constructor(app: Api) {
    app.addHook('preClose', async () => {
      this.#closing.abort(new Error('the server stops'))
      // A client that accepts nothing would delay the stop.
      for (const { raw } of this.#running) raw.destroy()
    })
  }

  /**
   * @returns aborted when the server stops
   * @throws ApiError 429
   */
  begin(reply: FastifyReply): AbortSignal {
    if (this.#running.size >= analyticsRequestLimits.exportsMax)
      throw refusal('tooManyExports', { limit: String(analyticsRequestLimits.exportsMax) })
    this.#running.add(reply)
    reply.raw.once('close', () => this.#running.delete(reply))
    // The client disconnected before the listener was added.
    if (reply.raw.closed) this.#running.delete(reply)
    return this.#closing.signal
  }
}
