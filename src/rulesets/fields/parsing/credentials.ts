import { bytesOfText } from '../../../kit/bytes.ts'
import type { Credentials, RequestView } from '../request-view.ts'
import { firstHeader, mediaType } from './header-values.ts'

/**
 * The user name and password of a sign-in: a POST of a form or a flat JSON object with usual names for both.
 * WordPress, Drupal, Joomla, Ghost, Magento, Plone and Exchange OWA use these names.
 * @source Cloudflare docs, leaked credentials detection, "Default scan locations"
 */
export function commonCredentials(view: RequestView): Credentials | undefined {
  if (view.method !== 'POST' || view.body.raw === '') return undefined
  const values = valuesOf(view)
  const username = usernames.map(values).find(isText)
  const password = passwords.map(values).find(isText)
  if (username === undefined || password === undefined) return undefined
  return { username: bytesOfText(username), password: bytesOfText(password) }
}

const usernames = [
  'username',
  'user',
  'email',
  'login',
  'log',
  'name',
  'userid',
  'user_name',
  'user_login',
  'user_email',
  '_username',
  'login[username]',
  '__ac_name',
]
const passwords = [
  'password',
  'pass',
  'passwd',
  'pwd',
  'user_password',
  '_password',
  'login[password]',
  '__ac_password',
]

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function valuesOf({ rawHeaders, body }: RequestView): (name: string) => unknown {
  const type = mediaType(firstHeader(rawHeaders, 'content-type'))
  const text = Buffer.from(body.raw, 'latin1').toString('utf8')
  if (type === 'application/x-www-form-urlencoded') {
    const form = new URLSearchParams(text)
    return name => form.get(name)
  }
  const json = type === 'application/json' ? parsed(text) : undefined
  return name => (json !== undefined && Object.hasOwn(json, name) ? json[name] : undefined)
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    // Not JSON: it holds no credentials in a usual place.
    return undefined
  }
}
