import { createHmac } from 'node:crypto'
import type { TestContext } from 'node:test'
import { type Received, type Receiver, type Reply, startReceiver } from './receiver.ts'

export interface Azure extends Receiver {
  /** Blobs by container and name. */
  readonly blobs: Map<string, { readonly body: Buffer; readonly type: string }>
  /** Query of an account SAS, signed with the account's key. */
  sas(changes?: Partial<Record<'sp' | 'srt' | 'ss' | 'se', string>>): string
}

const account = 'shoplogs'
const permissionFor: Readonly<Record<string, string>> = { GET: 'r', DELETE: 'd' }
const accountKey = Buffer.from('the key of the account')

/**
 * The blob service of one account with one container: Put Blob and Delete Blob under an account SAS, whose signature,
 * times and permissions are checked.
 * @source Azure Storage REST API, "Put Blob", "Create an account SAS"
 */
export async function startAzure(t: TestContext, container: string): Promise<Azure> {
  const blobs: Azure['blobs'] = new Map()
  const answer = ({ method, url, headers, raw }: Received): Reply => {
    const problem = sasProblem(url.searchParams, permissionFor[method] ?? 'wc')
    if (problem !== undefined) return failed(403, problem)
    if (!headers['x-ms-version'] || Number.isNaN(Date.parse(String(headers['x-ms-date']))))
      return failed(400, 'MissingRequiredHeader')
    const name = decodeURIComponent(url.pathname.slice(1))
    if (!name.startsWith(`${container}/`)) return failed(404, 'ContainerNotFound')
    const blob = blobs.get(name)
    if (method === 'GET') return blob ? { status: 200, body: blob.body } : failed(404, 'BlobNotFound')
    if (method === 'DELETE') return blobs.delete(name) ? { status: 202 } : failed(404, 'BlobNotFound')
    if (method !== 'PUT' || headers['x-ms-blob-type'] !== 'BlockBlob')
      return failed(400, 'InvalidHeaderValue')
    if (headers['content-length'] === undefined) return failed(411, 'MissingContentLengthHeader')
    if (headers['if-none-match'] === '*' && blobs.has(name)) return failed(409, 'BlobAlreadyExists')
    blobs.set(name, { body: raw, type: headers['content-type']! })
    return { status: 201 }
  }
  const receiver = await startReceiver(t, answer)
  return Object.assign(receiver, {
    blobs,
    sas(changes = {}) {
      const fields = {
        sv: '2021-08-06',
        ss: 'b',
        srt: 'o',
        sp: 'w',
        se: '2099-01-01T00:00:00Z',
        spr: 'https',
        ...changes,
      }
      const query = new URLSearchParams(fields)
      query.set('sig', signatureOf(query))
      return query.toString()
    },
  } satisfies Pick<Azure, 'blobs' | 'sas'>)
}

function signatureOf(query: URLSearchParams): string {
  const names = ['sp', 'ss', 'srt', 'st', 'se', 'sip', 'spr', 'sv', 'ses']
  const text = [account, ...names.map(name => query.get(name) ?? ''), ''].join('\n')
  return createHmac('sha256', accountKey).update(text).digest('base64')
}

function sasProblem(query: URLSearchParams, permissions: string): string | undefined {
  if (query.get('sig') !== signatureOf(query) || Date.parse(query.get('se')!) < Date.now())
    return 'AuthenticationFailed'
  if (!query.get('ss')!.includes('b')) return 'AuthorizationServiceMismatch'
  if (!query.get('srt')!.includes('o')) return 'AuthorizationResourceTypeMismatch'
  const given = query.get('sp')!
  return [...permissions].some(letter => given.includes(letter))
    ? undefined
    : 'AuthorizationPermissionMismatch'
}

function failed(status: number, code: string): Reply {
  return { status, headers: { 'x-ms-error-code': code }, body: `<Error><Code>${code}</Code></Error>` }
}
