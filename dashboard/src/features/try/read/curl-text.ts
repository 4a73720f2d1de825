import { headerOf, type RequestDraft } from '../request-draft.ts'
import { bytesOf, ofBase64, textOf } from './bytes.ts'
import { curlUserAgent } from './curl-command.ts'
import { withoutDotSegments } from './url-text.ts'

/** The curl command that sends a draft; it removes curl's default headers that the draft lacks. */
export function curlOf(draft: RequestDraft): string {
  const { method, url, headers, protocol } = draft
  const body = draft.isBase64 ? (ofBase64(draft.body) ?? '') : bytesOf(draft.body)
  const lines: string[] = []
  const implied = body === '' ? 'GET' : 'POST'
  if (method === 'HEAD' && body === '') lines.push('-I')
  else if (method !== implied) lines.push(`-X ${quoted(method)}`)
  if (protocol === 'HTTP/1.0') lines.push('--http1.0')
  if (withoutDotSegments(url) !== url) lines.push('--path-as-is')
  if (/[[\]{}]/.test(url)) lines.push('-g')
  for (const [name, value] of headers) {
    if (isDefault(draft, name, value)) continue
    lines.push(`-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`)
  }
  for (const name of body === '' ? ['User-Agent', 'Accept'] : ['User-Agent', 'Accept', 'Content-Type'])
    if (headerOf(draft, name.toLowerCase()) === undefined) lines.push(`-H '${name}:'`)
  if (body !== '') lines.push(`--data-raw ${quotedBytes(body)}`)
  return [`curl ${quoted(url)}`, ...lines].join(' \\\n  ')
}

function isDefault({ headers }: RequestDraft, name: string, value: string): boolean {
  const same = headers.filter(([other]) => other.toLowerCase() === name.toLowerCase())
  if (same.length > 1) return false
  return (name === 'Accept' && value === '*/*') || (name === 'User-Agent' && value === curlUserAgent)
}

function quoted(text: string): string {
  return quotedBytes(bytesOf(text))
}

/** Plain quotes where possible; `$'…'` for binary data and control characters. */
function quotedBytes(bytes: string): string {
  if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(bytes)) return bytes
  const text = /[\0-\x08\x0b-\x1f\x7f]/.test(bytes) ? undefined : textOf(bytes)
  if (text !== undefined) return `'${text.replaceAll("'", `'\\''`)}'`
  const escaped = bytes.replace(/[^\x20-\x7e]|['\\]/g, byte =>
    byte === "'" || byte === '\\' ? `\\${byte}` : `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  return `$'${escaped}'`
}
