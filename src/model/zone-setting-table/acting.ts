import { originSettingLimits, zoneSettingLimits } from '../limits.ts'
import { ciphers } from './ciphers.ts'
import { acts, actsPartly, type ZoneSettingDeclaration } from './declaration.ts'
import { choice, flag, object, range } from './shapes.ts'

const noReputation = 'no reputation of visitors is known, so the level challenges no client for it'
const oldTls = 'the edge never speaks TLS older than 1.2'
const secondsAsText = (max: number) => ({ ...range(1, max), text: true }) as const
const offOn = choice('off', 'on')

const securityHeader = object({
  strict_transport_security: object({
    enabled: flag,
    include_subdomains: flag,
    max_age: range(0, 2_147_483_647),
    nosniff: flag,
    preload: flag,
  }),
})

const challengeSeconds = [
  300, 900, 1800, 2700, 3600, 7200, 10800, 14400, 28800, 57600, 86400, 604800, 2592000, 31536000,
]

/** Settings with an effect. @source Cloudflare API, zone settings */
export const actingSettings: Readonly<Record<string, ZoneSettingDeclaration>> = {
  always_use_https: acts(offOn, 'off'),
  browser_check: acts(offOn, 'off'),
  challenge_ttl: acts(choice(...challengeSeconds), 1800),
  ciphers,
  development_mode: acts(offOn, 'off'),
  hotlink_protection: acts(offOn, 'off'),
  http2: acts(offOn, 'on'),
  ip_geolocation: acts(offOn, 'on'),
  max_upload: acts(range(1, zoneSettingLimits.uploadMegabytesMax), zoneSettingLimits.uploadMegabytesMax),
  min_tls_version: actsPartly(choice('1.0', '1.1', '1.2', '1.3'), '1.0', { '1.0': oldTls, '1.1': oldTls }),
  origin_max_http_version: acts(choice('2', '1'), '2'),
  // The API of Cloudflare documents a number, but answers with text.
  proxy_read_timeout: acts(secondsAsText(6000), 100),
  pseudo_ipv4: acts(choice('off', 'add_header', 'overwrite_header'), 'off'),
  security_header: acts(securityHeader, {
    strict_transport_security: {
      enabled: false,
      include_subdomains: false,
      max_age: 0,
      nosniff: false,
      preload: false,
    },
  }),
  security_level: actsPartly(
    choice('off', 'essentially_off', 'low', 'medium', 'high', 'under_attack'),
    'medium',
    { low: noReputation, medium: noReputation, high: noReputation },
  ),
  /** A zone that has not chosen has the mode that its origin's URL says. */
  ssl: acts(choice('off', 'flexible', 'full', 'strict'), 'flexible'),
  tls_1_3: actsPartly(choice('on', 'off', 'zrt'), 'on', {
    zrt: 'TLS 1.3 is on, but the edge accepts no early data, because it can be repeated',
  }),
  true_client_ip_header: acts(offOn, 'off'),
  websockets: acts(offOn, 'on'),
}

/** Settings that only Sluice has. */
export const ownSettings: Readonly<Record<string, ZoneSettingDeclaration>> = {
  grpc: acts(offOn, 'off'),
  on_error: acts(choice('default', 'block', 'allow'), 'default'),
  proxy_connect_timeout: acts(secondsAsText(60), originSettingLimits.originConnectSeconds),
  waf_body_limit_action: acts(choice('process_partial', 'reject'), 'process_partial'),
}
