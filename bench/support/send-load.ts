import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { LoadOrder, LoadReply, LoadResult } from './edge-load.ts'

/** @throws Error if a connection fails */
export async function sendLoad(generator: ChildProcess, order: LoadOrder): Promise<LoadResult> {
  generator.send(order)
  const [reply] = (await once(generator, 'message')) as [LoadReply]
  if ('failure' in reply) throw new Error(reply.failure)
  return reply
}
