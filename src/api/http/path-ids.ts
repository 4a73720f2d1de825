import type { FastifyRequest } from 'fastify'
import { isId } from '../../kit/ids.ts'
import { notRouted } from './errors.ts'

/** Answers 404 if an id or version in the path is malformed. */
export async function requireIds(request: FastifyRequest): Promise<void> {
  const params = request.params as Readonly<Record<string, string>>
  for (const [name, value] of Object.entries(params)) {
    if (name.endsWith('_id') && !isId(value)) throw notRouted(request.url)
    if (name === 'version' && !versionNumber.test(value)) throw notRouted(request.url)
  }
}

/** Safe integers without leading zeros. */
const versionNumber = /^[1-9][0-9]{0,14}$/
