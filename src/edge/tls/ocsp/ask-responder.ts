import { Agent, request } from 'undici'
import { type AddressPolicy, failureWords, guardedConnector } from '../../../outgoing/index.ts'
import { ocspLimits } from '../limits.ts'
import type { Staple } from './messages.ts'
import { OcspError } from './ocsp-error.ts'
import type { OcspSubject } from './subject.ts'

/**
 * Asks the responder of a certificate for its status.
 * @throws OcspError with the reason
 */
export async function askResponder(
  subject: OcspSubject,
  policy: AddressPolicy,
  nowMs: () => number,
): Promise<Staple> {
  // Loaded here, because most edges have no certificate that needs it.
  await import('reflect-metadata')
  const { checkedStaple, ocspRequest } = await import('./messages.ts')
  return checkedStaple(await post(subject.responder, ocspRequest(subject), policy), subject, nowMs())
}

async function post(url: URL, body: Buffer, policy: AddressPolicy): Promise<Buffer> {
  const { answerMsMax, answerBytesMax } = ocspLimits
  const dispatcher = new Agent({
    connect: guardedConnector(policy, { timeout: answerMsMax }),
    headersTimeout: answerMsMax,
    bodyTimeout: answerMsMax,
    maxResponseSize: answerBytesMax,
  })
  try {
    const answer = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/ocsp-request', accept: 'application/ocsp-response' },
      body,
      signal: AbortSignal.timeout(2 * answerMsMax),
    })
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    if (answer.statusCode !== 200) throw new OcspError(`${url.host} answers with status ${answer.statusCode}`)
    return bytes
  } catch (error) {
    throw error instanceof OcspError ? error : new OcspError(failureWords(url, error), error)
  } finally {
    void dispatcher.destroy()
  }
}
