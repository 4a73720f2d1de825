import { Type } from 'typebox'
import type { JsonObject } from '../../model/resource.ts'
import { closed, type KeptSingleton, oneOf } from './kind.ts'

const flag = Type.Optional(Type.Boolean())
const automated = Type.Optional(oneOf('allow', 'block', 'managed_challenge'))

/** Every setting with the value that asks for nothing. */
const off: JsonObject = {
  ai_bots_protection: 'disabled',
  auto_update_model: false,
  bm_cookie_enabled: false,
  cf_robots_variant: 'off',
  crawler_protection: 'disabled',
  enable_js: false,
  fight_mode: false,
  is_robots_txt_managed: false,
  optimize_wordpress: false,
  sbfm_definitely_automated: 'allow',
  sbfm_likely_automated: 'allow',
  sbfm_static_resource_protection: false,
  sbfm_verified_bots: 'allow',
  suppress_session_score: false,
}

/** The settings that an Enterprise zone with bot management shows before any was written. */
const shown = [
  'enable_js',
  'suppress_session_score',
  'auto_update_model',
  'ai_bots_protection',
  'crawler_protection',
  'is_robots_txt_managed',
  'cf_robots_variant',
]

const why = 'there is no bot management: rules judge each request, and challenges tell browsers from programs'

/** @source Cloudflare API, bot management */
export const botManagement: KeptSingleton = {
  kind: 'bot_management',
  terraform: 'cloudflare_bot_management',
  noun: 'the bot management of a zone',
  scope: 'zone',
  path: '/bot_management',
  write: 'PUT',
  body: Type.Object(
    {
      ai_bots_protection: Type.Optional(oneOf('block', 'disabled', 'only_on_ad_pages')),
      auto_update_model: flag,
      bm_cookie_enabled: flag,
      cf_robots_variant: Type.Optional(oneOf('off', 'policy_only')),
      crawler_protection: Type.Optional(oneOf('enabled', 'disabled')),
      enable_js: flag,
      fight_mode: flag,
      is_robots_txt_managed: flag,
      optimize_wordpress: flag,
      sbfm_definitely_automated: automated,
      sbfm_likely_automated: automated,
      sbfm_static_resource_protection: flag,
      sbfm_verified_bots: Type.Optional(oneOf('allow', 'block')),
      suppress_session_score: flag,
    },
    closed,
  ),
  defaults: Object.fromEntries(shown.map(name => [name, off[name]!])),
  computed: () => ({ using_latest_model: true }),
  withoutMeaning: document =>
    Object.keys(document)
      .filter(name => document[name] !== off[name])
      .map(name => ({ pointer: `/${name}`, what: name, why })),
  why,
}
