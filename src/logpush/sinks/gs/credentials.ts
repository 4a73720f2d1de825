import { createSign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { refusalOptions, retryOf } from '../answer-status.ts'
import { destinationLimits } from '../limits.ts'
import type { Outgoing } from '../outgoing.ts'
import { SinkError } from '../sink.ts'
import { metadataToken, type Token } from './metadata.ts'

const scope = 'https://www.googleapis.com/auth/devstorage.read_write'
/** A token is renewed this long before it expires. */
const marginMs = 60_000

/** The content of the file of `GOOGLE_APPLICATION_CREDENTIALS`. */
type CredentialsFile =
  | {
      readonly type: 'service_account'
      readonly client_email: string
      readonly private_key: string
      readonly private_key_id?: string
      readonly token_uri: string
    }
  | {
      readonly type: 'authorized_user'
      readonly client_id: string
      readonly client_secret: string
      readonly refresh_token: string
      readonly token_uri?: string
    }

/** Access tokens are valid for an hour, and every delivery opens its destination again. By file and its content. */
const tokens = new Map<string, { readonly token: string; readonly untilMs: number }>()
const tokensKept = 100

/**
 * An access token for Cloud Storage. A service account signs its own request (RFC 7523), a user's file has a refresh
 * token. Without a file, the metadata service of a Google machine issues one.
 * @param refused a token that the server refused, not to be used again
 * @throws SinkError with step `authenticate`
 */
export async function googleToken(
  outgoing: Outgoing,
  signal: AbortSignal,
  refused?: string,
): Promise<string> {
  const path = process.env['GOOGLE_APPLICATION_CREDENTIALS'] ?? ''
  const text = path === '' ? '' : await readCredentials(path)
  const kept = tokens.get(text)
  if (kept !== undefined && kept.untilMs > Date.now() && kept.token !== refused) return kept.token
  const { token, seconds } =
    path === '' ? await metadataToken(signal) : await freshToken(parseFile(text), outgoing, signal)
  if (tokens.size >= tokensKept) tokens.clear()
  tokens.set(text, { token, untilMs: Date.now() + seconds * 1000 - marginMs })
  return token
}

async function readCredentials(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw noCredentials(`the file of GOOGLE_APPLICATION_CREDENTIALS cannot be read: ${code}`)
  }
}

async function freshToken(file: CredentialsFile, outgoing: Outgoing, signal: AbortSignal): Promise<Token> {
  const url = new URL(file.token_uri ?? 'https://oauth2.googleapis.com/token')
  const { status, headers, body } = await outgoing.send(
    {
      method: 'POST',
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(grantOf(file)).toString(),
      answerBytesMax: destinationLimits.googleTokenBytesMax,
    },
    signal,
  )
  const answer = jsonOf(body)
  const { access_token: token, expires_in: seconds, error } = answer
  // An error of OAuth; the server might repeat the request in it.
  const known = /^[a-z_]{1,40}$/.test(String(error)) ? ` ${error}` : ''
  if (status !== 200 || typeof token !== 'string')
    throw new SinkError(
      'access-denied',
      retryOf(status),
      `${url.host} gives no token (${status}${known}): the key of GOOGLE_APPLICATION_CREDENTIALS is deleted or disabled, or the clock of this machine is wrong`,
      { ...refusalOptions({ status, headers }), step: 'authenticate' },
    )
  return { token, seconds: typeof seconds === 'number' ? seconds : 0 }
}

function grantOf(file: CredentialsFile): Record<string, string> {
  if (file.type === 'authorized_user') {
    const { client_id, client_secret, refresh_token } = file
    return { grant_type: 'refresh_token', client_id, client_secret, refresh_token }
  }
  const nowSeconds = Math.floor(Date.now() / 1000)
  const head = { alg: 'RS256', typ: 'JWT', ...(file.private_key_id ? { kid: file.private_key_id } : {}) }
  const claims = {
    iss: file.client_email,
    scope,
    aud: file.token_uri,
    iat: nowSeconds,
    exp: nowSeconds + 3600,
  }
  const text = `${base64url(head)}.${base64url(claims)}`
  const signature = createSign('RSA-SHA256').update(text).sign(file.private_key, 'base64url')
  return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: `${text}.${signature}` }
}

function parseFile(text: string): CredentialsFile {
  const file = jsonOf(Buffer.from(text))
  const needed: Record<string, readonly string[]> = {
    service_account: ['client_email', 'private_key', 'token_uri'],
    authorized_user: ['client_id', 'client_secret', 'refresh_token'],
  }
  const names = needed[String(file['type'])]
  if (names === undefined || names.some(name => typeof file[name] !== 'string'))
    throw noCredentials(
      'the file of GOOGLE_APPLICATION_CREDENTIALS holds neither the key of a service account nor the credentials of a user',
    )
  return file as unknown as CredentialsFile
}

function jsonOf(body: Buffer): Record<string, unknown> {
  try {
    return Object(JSON.parse(body.toString('utf8')))
  } catch {
    return {}
  }
}

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function noCredentials(message: string): SinkError {
  return new SinkError('no-credentials', 'never', `no Google credentials: ${message}`, {
    step: 'authenticate',
  })
}
