import { Agent, fetch, type Response } from 'undici'
import { type AddressPolicy, guardedConnector } from '../../outgoing/index.ts'
import { CrsError } from '../crs-error.ts'
import { crsLimits } from '../limits.ts'

/**
 * The body behind a URL, redirects followed as far as the policy allows their addresses.
 * @param bytesMax more is refused, at the latest when it has arrived
 * @throws CrsError `download-failed`, `too-large`
 */
export async function download(url: string, bytesMax: number, policy: AddressPolicy): Promise<Buffer> {
  const dispatcher = new Agent({ connect: guardedConnector(policy) })
  try {
    const signal = AbortSignal.timeout(crsLimits.downloadMs)
    const response = await fetch(url, { signal, headers: { 'user-agent': 'sluice' }, dispatcher })
    if (!response.ok) {
      await response.body?.cancel()
      throw new CrsError('download-failed', `${url} answered ${response.status}`)
    }
    return await readBounded(response, url, bytesMax)
  } catch (error) {
    if (error instanceof CrsError) throw error
    throw new CrsError('download-failed', `${url} cannot be fetched: ${reasonOf(error)}`, { cause: error })
  } finally {
    await dispatcher.destroy()
  }
}

async function readBounded(response: Response, url: string, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of response.body ?? []) {
    total += chunk.length
    if (total > bytesMax) throw new CrsError('too-large', `${url} is larger than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** `fetch` says "fetch failed" and hides why in `cause`. */
function reasonOf(error: unknown): string {
  const { message, cause, name } = error as Error
  if (name === 'TimeoutError') return `no answer within ${crsLimits.downloadMs / 1000} s`
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}
