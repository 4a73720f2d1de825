import { open, rm } from 'node:fs/promises'
import type { FastifyReply } from 'fastify'
import { analyticsRequestLimits } from './limits.ts'

/** The successful response of an operation in OpenAPI form. */
export const parquetAnswer = {
  200: { description: 'A Parquet file', content: { 'application/vnd.apache.parquet': {} } },
}

/**
 * Answers with a file and removes it. A client that accepts nothing for a while is disconnected.
 * @source Apache Parquet: its media type is registered at IANA
 */
export async function sendParquet(reply: FastifyReply, path: string, name: string): Promise<FastifyReply> {
  const file = await open(path)
  // An open file stays readable.
  await rm(path)
  const { size } = await file.stat()
  reply.raw.setTimeout(analyticsRequestLimits.exportStalledMs, () => reply.raw.destroy())
  reply.header('content-type', 'application/vnd.apache.parquet').header('content-length', size)
  reply.header('content-disposition', `attachment; filename="${name}.parquet"`)
  return reply.send(file.createReadStream())
}
