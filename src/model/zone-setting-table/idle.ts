import type { Json } from '../resource.ts'
import { idle, type ZoneSettingDeclaration } from './declaration.ts'
import { choice, flag, isObject, list, object, range, text } from './shapes.ts'

const noCache = 'the edge keeps no cache'
const noOptimizer = 'pages and images go through as the origin made them'
const noCompression = 'the edge chooses no compression for responses by itself'
const noRewriting = 'nothing in pages is rewritten'
const noScripts = 'nothing is added to pages'
const noNetwork = 'one installation has no network of data centers'
const noDns = 'Sluice is not a name server'
const noCrawlers = 'crawlers of AI companies are not told from other clients'

const offOn = choice('off', 'on')
const off = (why: string) => idle(offOn, 'off', why)
const isOff = (value: Json) => !isObject(value) || value['enabled'] !== true
const edgeCacheSeconds = [
  30, 60, 300, 1200, 1800, 3600, 7200, 10800, 14400, 18000, 28800, 43200, 57600, 72000, 86400, 172800, 259200,
  345600, 432000, 518400, 604800,
]

/** Settings without effect. @source Cloudflare API, zone settings */
export const idleSettings: Readonly<Record<string, ZoneSettingDeclaration>> = {
  '0rtt': off('the edge accepts no early data, because it can be repeated'),
  advanced_ddos: off('floods are limited by the bounds of the edge, and not told by their patterns'),
  aegis: idle(object({ enabled: flag, pool_id: text(100) }), { enabled: false }, noNetwork, isOff),
  always_online: off(noCache),
  automatic_https_rewrites: off(noRewriting),
  automatic_platform_optimization: idle(
    object({
      cache_by_device_type: flag,
      cf: flag,
      enabled: flag,
      hostnames: list(text(255), 100),
      wordpress: flag,
      wp_plugin: flag,
    }),
    {
      cache_by_device_type: false,
      cf: false,
      enabled: false,
      hostnames: [],
      wordpress: false,
      wp_plugin: false,
    },
    noOptimizer,
    isOff,
  ),
  brotli: off(noCompression),
  browser_cache_ttl: idle(range(0, 31_536_000), 0, noCache),
  cache_level: idle(choice('aggressive', 'basic', 'simplified'), 'aggressive', noCache, () => false),
  china_network_enabled: off(noNetwork),
  cname_flattening: idle(choice('flatten_at_root', 'flatten_all'), 'flatten_at_root', noDns),
  content_converter: off(noOptimizer),
  early_hints: off('the edge sends 103 only where the origin does'),
  edge_cache_ttl: idle(choice(...edgeCacheSeconds), 7200, noCache, () => false),
  email_obfuscation: off(noRewriting),
  fonts: off(noOptimizer),
  h2_prioritization: idle(choice('off', 'on', 'custom'), 'off', 'clients choose the order of responses'),
  http3: off('the edge does not speak HTTP/3'),
  image_resizing: idle(choice('off', 'on', 'open'), 'off', noOptimizer),
  ipv6: idle(offOn, 'on', 'the operator of the edge chooses the addresses that it listens on'),
  minify: idle(
    object({ css: offOn, html: offOn, js: offOn }),
    { css: 'off', html: 'off', js: 'off' },
    noOptimizer,
    value => !isObject(value) || !Object.values(value).includes('on'),
  ),
  mirage: off(noOptimizer),
  nel: idle(object({ enabled: flag }), { enabled: false }, 'the edge collects no reports of browsers', isOff),
  opportunistic_encryption: off('HTTPS is not announced to clients that use HTTP'),
  opportunistic_onion: off('the edge is no onion service'),
  orange_to_orange: off(noNetwork),
  origin_error_page_pass_thru: idle(offOn, 'on', 'the pages of the origin are passed on'),
  origin_h2_max_streams: idle(range(1, 200), 200, 'the edge sends up to 200 requests on one connection'),
  polish: idle(choice('off', 'lossless', 'lossy'), 'off', noOptimizer),
  pre_render: off(noOptimizer),
  prefetch_preload: off(noCache),
  privacy_pass: off('Cloudflare ended the first version of Privacy Pass in 2023'),
  redirects_for_ai_training: off(noCrawlers),
  replace_insecure_js: off(noRewriting),
  response_buffering: off('responses are sent as they come, as far as rules let them'),
  rocket_loader: off(noOptimizer),
  search_for_agents: off(noCrawlers),
  server_side_exclude: off(noRewriting),
  sha1_support: off('the edge shows no certificate that is signed with SHA-1'),
  sort_query_string_for_cache: off(noCache),
  ssl_recommender: off('origins are not scanned'),
  tls_1_2_only: off('min_tls_version and tls_1_3 say which versions clients may use'),
  tls_client_auth: off(
    'a zone has no certificate of Cloudflare; origin_tls_client_auth shows origins its own one',
  ),
  transformations: idle(choice('off', 'on', 'open'), 'off', noOptimizer),
  transformations_allowed_origins: idle(text(10_000), '', noOptimizer),
  waf: off('Cloudflare ended the first version of its managed rules; rulesets execute the OWASP ruleset'),
  webmcp_enabled: off(noScripts),
  webmcp_packs: idle(text(1000), '', noScripts),
  webp: off(noOptimizer),
}
