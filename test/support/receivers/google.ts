import { createVerify, generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Received, type Receiver, type Reply, startReceiver } from './receiver.ts'

export interface Google extends Receiver {
  /** Objects by name. */
  readonly objects: Map<string, { readonly body: Buffer; readonly type: string }>
  /** A key file of a service account that the server knows; its tokens come from the server itself. */
  readonly keyFile: string
}

const email = 'sluice@project.iam.gserviceaccount.com'

/**
 * Google's token endpoint (RFC 7523) and the JSON API of Cloud Storage: media upload into one bucket, preconditions,
 * delete. Signature, claims and the token are checked.
 * @source Google Identity, "Using OAuth 2.0 for server to server applications"; Cloud Storage JSON API
 */
export async function startGoogle(t: TestContext, bucket: string): Promise<Google> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const objects: Google['objects'] = new Map()
  const receiver = await startReceiver(t, request =>
    request.url.pathname === '/token' ? token(request) : storage(request),
  )
  const directory = await mkdtemp(join(tmpdir(), 'sluice-google-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  const keyFile = join(directory, 'key.json')
  await writeFile(
    keyFile,
    JSON.stringify({
      type: 'service_account',
      client_email: email,
      private_key_id: 'key-1',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      token_uri: `https://${receiver.host}/token`,
    }),
  )

  const token = (request: Received): Reply => {
    const form = new URLSearchParams(request.text)
    if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
      return denied('unsupported_grant_type')
    const [head, claims, signature] = (form.get('assertion') ?? '').split('.') as [string, string, string]
    const verified = createVerify('RSA-SHA256')
      .update(`${head}.${claims}`)
      .verify(publicKey, signature, 'base64url')
    if (!verified || decoded(head)['kid'] !== 'key-1') return denied('invalid_grant')
    const { iss, aud, scope, iat, exp } = decoded(claims)
    const now = Date.now() / 1000
    const fits =
      iss === email &&
      aud === `https://${receiver.host}/token` &&
      scope === 'https://www.googleapis.com/auth/devstorage.read_write' &&
      Math.abs(Number(iat) - now) < 60 &&
      Number(exp) - Number(iat) <= 3600
    if (!fits) return denied('invalid_grant')
    return {
      status: 200,
      body: JSON.stringify({ access_token: 'ya29.token', expires_in: 3599, token_type: 'Bearer' }),
    }
  }
  const storage = ({ method, url, headers, raw }: Received): Reply => {
    if (headers.authorization !== 'Bearer ya29.token') return { status: 401 }
    const [, path] = /^\/(?:upload\/)?storage\/v1\/b\/([^/]+)\/o/.exec(url.pathname) ?? []
    if (path !== bucket) return { status: 404 }
    if (method === 'DELETE') {
      const name = decodeURIComponent(url.pathname.slice(`/storage/v1/b/${bucket}/o/`.length))
      return { status: objects.delete(name) ? 204 : 404 }
    }
    if (method === 'GET' && url.searchParams.get('alt') === 'media') {
      const object = objects.get(decodeURIComponent(url.pathname.slice(`/storage/v1/b/${bucket}/o/`.length)))
      return object === undefined ? { status: 404 } : { status: 200, body: object.body }
    }
    const name = url.searchParams.get('name')
    const isUpload =
      method === 'POST' &&
      url.pathname.startsWith('/upload/') &&
      url.searchParams.get('uploadType') === 'media'
    if (!isUpload || !name) return { status: 400 }
    if (url.searchParams.get('ifGenerationMatch') === '0' && objects.has(name)) return { status: 412 }
    objects.set(name, { body: raw, type: headers['content-type']! })
    return { status: 200, body: JSON.stringify({ name, bucket, generation: '1' }) }
  }
  return Object.assign(receiver, { objects, keyFile })
}

function denied(error: string): Reply {
  return { status: 400, body: JSON.stringify({ error }) }
}

function decoded(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
}
