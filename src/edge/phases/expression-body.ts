import type { InspectionContext } from './context.ts'

/**
 * Reads the beginning of the body for expressions, once per request. Managed rules and the origin still get all of it.
 * @throws ClientBodyError
 */
export async function readBodyForExpressions({ core, facts, state, body }: InspectionContext): Promise<void> {
  if (body === undefined || state.bodyShown) return
  state.bodyShown = true
  const { expressionBodyBytesMax } = core.limits
  const complete = await body.read(expressionBodyBytesMax, () => {})
  // Collected after the first read, because parts may arrive as single bytes.
  const parts: Uint8Array[] = []
  await body.readAgain(expressionBodyBytesMax, part => void parts.push(part))
  const raw = Buffer.concat(parts)
  if (raw.length === 0) return
  state.setBody(raw.toString('latin1'), !complete, facts.body?.announcedBytes ?? body.bytesReceived)
}
