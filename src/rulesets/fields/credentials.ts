import { bytesOfText } from '../../kit/bytes.ts'
import { bodyOf, contentType, form } from './body-fields.ts'
import { derived } from './derived.ts'
import type { Arguments } from './parsing/arguments.ts'
import { mediaType } from './parsing/header-values.ts'
import { percentDecoded } from './parsing/percent-decoded.ts'
import type { Credentials } from './request-view.ts'

/**
 * The user name and password of a sign-in: a POST of a form or a flat JSON object with usual names for both.
 * WordPress, Drupal, Joomla, Ghost, Magento, Plone and Exchange OWA use these names.
 * @source Cloudflare docs, leaked credentials detection, "Default scan locations"
 */
export const commonCredentials = derived(bodyOf, (body, view): Credentials | undefined => {
  if (view.method !== 'POST' || body.raw === '') return undefined
  const isJson = mediaType(contentType(view)) === 'application/json'
  const values = isJson ? jsonValues(body.raw) : formValues(form(view))
  const username = firstOf(usernames, values)
  const password = firstOf(passwords, values)
  return username === undefined || password === undefined ? undefined : { username, password }
})

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

const wanted: ReadonlySet<string> = new Set([...usernames, ...passwords])
/** Each byte of a name may be an escape of three. */
const longestEncodedName = 3 * Math.max(...[...wanted].map(name => name.length))

type Values = ReadonlyMap<string, string>

function firstOf(names: readonly string[], values: Values): string | undefined {
  return names.map(name => values.get(name)).find(value => value !== undefined && value !== '')
}

/** The first value of each wanted argument, as bytes. A client can send thousands of others: they are not decoded. */
function formValues({ names, values }: Arguments): Values {
  const found = new Map<string, string>()
  for (const [at, encoded] of names.entries()) {
    if (encoded.length > longestEncodedName) continue
    const name = percentDecoded(encoded)
    if (wanted.has(name) && !found.has(name))
      found.set(name, percentDecoded(values[at]!.replaceAll('+', ' ')))
  }
  return found
}

function jsonValues(raw: string): Values {
  const found = new Map<string, string>()
  const json = parsed(Buffer.from(raw, 'latin1').toString('utf8'))
  for (const name of wanted) {
    const value = json !== undefined && Object.hasOwn(json, name) ? json[name] : undefined
    if (typeof value === 'string') found.set(name, bytesOfText(value))
  }
  return found
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    // Not JSON: it has no credentials in the usual members.
    return undefined
  }
}
