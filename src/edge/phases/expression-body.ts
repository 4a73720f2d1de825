import type { InspectionContext } from './context.ts'

/**
 * Reads the beginning of the body for expressions, once a request; managed rules and the origin get it all the same.
 * @throws ClientBodyError
 */
export async function readBodyForExpressions({ core, exchange, body }: InspectionContext): Promise<void> {
  if (body === undefined || exchange.bodyShown) return
  exchange.bodyShown = true
  const { expressionBodyBytesMax } = core.limits
  const complete = await body.read(expressionBodyBytesMax, () => {})
  // Only now: as they come, parts may be a byte each.
  const parts: Uint8Array[] = []
  await body.readAgain(expressionBodyBytesMax, part => void parts.push(part))
  const raw = Buffer.concat(parts)
  if (raw.length === 0) return
  exchange.state.setBody(raw.toString('latin1'), !complete, body.announcedBytes ?? body.bytesReceived)
}
