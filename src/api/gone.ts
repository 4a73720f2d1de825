import type { FastifyReply } from 'fastify'

/** Aborted once nobody waits for the answer any more: the client has it, or has left. */
export function whenGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  // The client left before this: nothing will tell of it any more.
  if (raw.closed) gone.abort()
  return gone.signal
}
