import type { TraceInput } from '../../../api/types.ts'
import type { RequestDraft } from '../request-draft.ts'

/** The body of the API call for a draft. */
export function traceInput(draft: RequestDraft): TraceInput {
  const { method, url, body, clientIp, country, cleared, protocol } = draft
  const headers = headerRecord(draft)
  const context = {
    ...(clientIp !== '' && { client_ip: clientIp }),
    ...(country !== '' && { geoloc: { iso_code: country.toUpperCase() } }),
    ...(cleared && { skip_challenge: true }),
  }
  return {
    method,
    url,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body !== '' && { body: draft.isBase64 ? { base64: body } : { plain_text: body } }),
    ...(Object.keys(context).length > 0 && { context }),
    ...(protocol !== 'HTTP/1.1' && { protocol: protocol as 'HTTP/1.0' }),
    skip_response: true,
  }
}

/** Headers with equal names become a list. */
function headerRecord({ headers }: RequestDraft): Record<string, string | string[]> {
  const record: Record<string, string | string[]> = {}
  for (const [name, value] of headers) {
    const known = Object.hasOwn(record, name) ? record[name] : undefined
    record[name] = known === undefined ? value : [known, value].flat()
  }
  return record
}
