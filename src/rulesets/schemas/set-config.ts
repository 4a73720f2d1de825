import { type Static, Type } from 'typebox'
import type { Json } from '../../model/resource.ts'
import { type Enforcement, isObject, zoneSettingTable } from '../../model/zone-setting-table/index.ts'
import { someOf } from './parts.ts'
import { Shape } from './shape.ts'

const noOptimizer = 'pages and images go through as the origin made them'
const noApps = 'nothing is added to pages'
const noBuffers = 'bodies are held back as far as rules look at them'

/** Cloudflare's settings that would do nothing here, and why. */
export const settingsWithoutMeaning: Readonly<Record<string, string>> = {
  automatic_https_rewrites: noOptimizer,
  autominify: noOptimizer,
  content_converter: noOptimizer,
  disable_apps: noApps,
  disable_pay_per_crawl: noApps,
  disable_rum: noApps,
  disable_zaraz: noApps,
  email_obfuscation: noOptimizer,
  fonts: noOptimizer,
  mirage: noOptimizer,
  opportunistic_encryption: 'HTTPS is not announced to clients that use HTTP',
  polish: noOptimizer,
  redirects_for_ai_training: 'crawlers of AI companies are not told from other clients',
  request_body_buffering: noBuffers,
  response_body_buffering: noBuffers,
  rocket_loader: noOptimizer,
  server_side_excludes: noOptimizer,
  sxg: noOptimizer,
}

/** Whether a value of such a setting asks for what happens anyway: the feature is off, or what it would add is. */
export function isMetAnyway(name: string, value: Json): boolean {
  if (name.startsWith('disable_')) return value === true
  if (name === 'autominify')
    return isObject(value) && Object.entries(value).every(([kind, on]) => minified.has(kind) && on === false)
  if (name === 'polish') return value === 'off'
  if (name.endsWith('_body_buffering')) return value === 'standard'
  return value === false
}

const minified: ReadonlySet<string> = new Set(['css', 'html', 'js'])

/** The settings that act here. @source Cloudflare API, set configuration rule */
export const setConfigShape = new Shape(
  Type.Object(
    {
      bic: Type.Optional(Type.Boolean()),
      hotlink_protection: Type.Optional(Type.Boolean()),
      security_level: Type.Optional(
        Type.Enum(['off', 'essentially_off', 'low', 'medium', 'high', 'under_attack']),
      ),
      ssl: Type.Optional(Type.Enum(['full', 'strict'])),
    },
    someOf,
  ),
)

export type SetConfigParameters = Static<typeof setConfigShape.schema>

/** The effect of a setting that acts here equals the effect of the zone setting whose value it replaces. */
export function effectOf(name: keyof SetConfigParameters, value: string | boolean): Enforcement {
  const ofZone = name === 'bic' ? 'browser_check' : name
  const valueOfZone = typeof value === 'boolean' ? (value ? 'on' : 'off') : value
  return zoneSettingTable.get(ofZone)!.enforcementOf(valueOfZone)
}

const sslPart: Enforcement = {
  status: 'partly',
  how: "full and strict; the zone's own setting says whether TLS is used",
}

/** The settings of configuration rules, in the order of names, and the effect of each. */
export function configSettingEnforcement(): ReadonlyMap<string, Enforcement> {
  const acting: readonly (readonly [string, Enforcement])[] = [
    ['bic', effectOf('bic', true)],
    ['hotlink_protection', effectOf('hotlink_protection', true)],
    ['security_level', effectOf('security_level', 'high')],
    ['ssl', sslPart],
  ]
  const idle = Object.entries(settingsWithoutMeaning).map(
    ([name, why]) => [name, { status: 'not_enforced', why }] as const,
  )
  return new Map([...acting, ...idle].sort(([a], [b]) => (a < b ? -1 : 1)))
}
