import type { axios } from 'acme-client'
import { Agent, request } from 'undici'
import { acmeLimits } from './limits.ts'

type Adapter = Extract<NonNullable<(typeof axios)['defaults']['adapter']>, (...args: never) => unknown>

/** @param trusted CA certificates in PEM that the authority's own address is verified with; undefined: public ones */
export function authorityAgent(trusted: string | undefined): Agent {
  const { answerMsMax, answerBytesMax } = acmeLimits
  return new Agent({
    headersTimeout: answerMsMax,
    bodyTimeout: answerMsMax,
    maxResponseSize: answerBytesMax,
    connect: { timeout: answerMsMax, ...(trusted === undefined ? {} : { ca: trusted }) },
  })
}

/**
 * Sends the library's requests with undici. The library's own HTTP client hides the cause when the authority cannot
 * be reached. It waits for hours if the authority asks for it, and has no bound on answers.
 */
export function adapterOver(dispatcher: Agent): Adapter {
  return async config => {
    const answer = await request(config.url!, {
      dispatcher,
      method: config.method!.toUpperCase() as 'GET' | 'HEAD' | 'POST',
      headers: JSON.parse(JSON.stringify(config.headers)) as Record<string, string>,
      body: (config.data as string | undefined) ?? null,
    })
    const { statusCode: status, headers } = answer
    return {
      status,
      statusText: '',
      headers: headers as Record<string, string>,
      data: await answer.body.text(),
      config,
    }
  }
}
