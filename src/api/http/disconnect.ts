import type { FastifyReply } from 'fastify'

/** Aborted when the response is sent or the client disconnects. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  // The client disconnected before the listener was added.
  if (raw.closed) gone.abort()
  return gone.signal
}
