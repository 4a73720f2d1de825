import { type Static, Type } from 'typebox'
import { someOf } from './parts.ts'
import { Shape } from './shape.ts'

const noOptimizer = 'pages and images go through as the origin made them'
const noApps = 'nothing is added to pages'
const noClients = 'visitors are judged by rules alone'
const noBuffers = 'bodies are held back as far as rules look at them'

/** Cloudflare's settings that would do nothing here, and why. */
export const settingsWithoutMeaning: Readonly<Record<string, string>> = {
  automatic_https_rewrites: noOptimizer,
  autominify: noOptimizer,
  bic: noClients,
  content_converter: noOptimizer,
  disable_apps: noApps,
  disable_pay_per_crawl: noApps,
  disable_rum: noApps,
  disable_zaraz: noApps,
  email_obfuscation: noOptimizer,
  fonts: noOptimizer,
  hotlink_protection: noClients,
  mirage: noOptimizer,
  opportunistic_encryption: 'HTTPS is not announced to clients that come over HTTP',
  polish: noOptimizer,
  redirects_for_ai_training: noClients,
  request_body_buffering: noBuffers,
  response_body_buffering: noBuffers,
  rocket_loader: noOptimizer,
  server_side_excludes: noOptimizer,
  sxg: noOptimizer,
}

/** @source Cloudflare API, set configuration rule; its other settings would do nothing here, so they are refused */
export const setConfigShape = new Shape(
  Type.Object(
    {
      security_level: Type.Optional(
        Type.Enum(['off', 'essentially_off', 'low', 'medium', 'high', 'under_attack']),
      ),
      ssl: Type.Optional(Type.Enum(['full', 'strict'])),
    },
    someOf,
  ),
  {
    meaningless: settingsWithoutMeaning,
  },
)

export type SetConfigParameters = Static<typeof setConfigShape.schema>
