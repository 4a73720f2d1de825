import { originSettingLimits, zoneSettingLimits } from './limits.ts'
import { type ManagedTransform, managedTransformsOf } from './managed-transforms.ts'
import type { Json } from './resource.ts'

/** How a zone handles requests, apart from its rulesets. */
export interface ZoneSettings {
  readonly urlNormalization: UrlNormalization
  /** The transforms that are switched on. */
  readonly managedTransforms: ReadonlySet<ManagedTransform>
  /** The origin receives the client's country: `CF-IPCountry`. */
  readonly ipGeolocation: boolean
  readonly wafBodyLimitAction: WafBodyLimitAction
  /** The oldest version of TLS for clients. Versions older than 1.2 are never spoken. */
  readonly minTlsVersion: '1.2' | '1.3'
  /** Clients may use TLS 1.3. */
  readonly tls13: boolean
  /** Clients may use HTTP/2. */
  readonly http2: boolean
  /** How requests reach the origin; undefined: by its URL, with a checked certificate. */
  readonly ssl: SslMode | undefined
  /** Plain requests are redirected to https. */
  readonly alwaysUseHttps: boolean
  /** The longest request body, in bytes. */
  readonly uploadBytesMax: number
  /** The handling of requests that rules could not evaluate completely; undefined: the setting of the installation. */
  readonly onError: 'block' | 'allow' | undefined
  /** Time for the origin to begin its response, and then for each further part of it; undefined: the limits of the edge. */
  readonly originReadTimeoutMs: number | undefined
  readonly originConnectTimeoutMs: number
  /** Requests go to origins over HTTP/2 if these offer it. */
  readonly originHttp2: boolean
  /** The edge shows origins the zone's client certificate. */
  readonly originClientAuth: boolean
  /** gRPC calls pass; rules do not see their messages. */
  readonly grpc: boolean
  /** Rules see whether a request has credentials, and whether its password has leaked. */
  readonly leakedCredentialChecks: boolean
  /** Where to look for credentials, in addition to the usual members and headers. */
  readonly credentialDetections: readonly CredentialDetection[]
  /** `security_level` is `under_attack`: clients without a clearance are challenged. */
  readonly underAttack: boolean
  /** Blocks known attack tools by User-Agent, and challenges requests without one. */
  readonly browserCheck: boolean
  /** Blocks image requests from pages on other sites. */
  readonly hotlinkProtection: boolean
  /** Time for which a solved challenge lets its client through, in seconds; undefined: the limit of the edge. */
  readonly challengeSeconds: number | undefined
  readonly securityHeader: SecurityHeader | undefined
  /** WebSockets pass; else a request for one is a plain request. */
  readonly websockets: boolean
  readonly pseudoIpv4: 'off' | 'add_header' | 'overwrite_header'
  /** Ciphers for TLS 1.2; undefined: all that the edge speaks. */
  readonly ciphers: readonly string[] | undefined
}

/** Headers of responses over HTTPS. */
export interface SecurityHeader {
  /** Value of `Strict-Transport-Security` (RFC 6797 6.1). */
  readonly hsts: string
  readonly nosniff: boolean
}

/** A custom detection location: value expressions. @source Cloudflare docs, leaked credentials detection */
export interface CredentialDetection {
  readonly id: string
  readonly username?: string
  readonly password?: string
}

/**
 * `off` and `flexible` connect to origins by http, `full` by https, `strict` by https with a checked certificate. With
 * `off`, clients are redirected to http.
 * @source Cloudflare docs, encryption modes
 */
export type SslMode = 'off' | 'flexible' | 'full' | 'strict'

/** The mode of a zone that has not chosen one. */
export function sslModeOf(originUrl: string | undefined): SslMode {
  return originUrl?.startsWith('https:') ? 'strict' : 'flexible'
}

/** @source Cloudflare docs, URL normalization settings */
export interface UrlNormalization {
  /** `cloudflare` is `rfc3986` with `\` as `/` and runs of `/` merged. */
  readonly type: 'cloudflare' | 'rfc3986'
  /** The readers of the normalised URL: expressions, expressions and the origin, or neither. */
  readonly scope: 'incoming' | 'both' | 'none'
}

/**
 * The handling of a request whose body is longer than the managed rules inspect: it passes and its records say so, or it
 * is refused with 413. The values are ModSecurity's for `SecRequestBodyLimitAction`.
 */
export type WafBodyLimitAction = 'process_partial' | 'reject'

/** One stored value. Each is written separately, so that two concurrent changes do not undo each other. */
export interface StoredZoneSetting {
  /** The name of a setting in Cloudflare's API, `waf_body_limit_action`, `url_normalization`, `origin_tls_client_auth`, or the name of a managed transform. */
  readonly id: string
  readonly value: Json
  /** ISO 8601, UTC. */
  readonly modifiedOn: string
}

/** Ciphers of the edge for TLS 1.2: with forward secrecy and authenticated encryption only. OpenSSL's names. */
export const edgeCiphers = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
] as const

/** The settings of a zone without stored values. */
export const defaultZoneSettings: ZoneSettings = Object.freeze({
  urlNormalization: Object.freeze({ type: 'cloudflare', scope: 'incoming' }),
  managedTransforms: new Set<ManagedTransform>(),
  ipGeolocation: true,
  wafBodyLimitAction: 'process_partial',
  minTlsVersion: '1.2',
  tls13: true,
  http2: true,
  ssl: undefined,
  alwaysUseHttps: false,
  uploadBytesMax: zoneSettingLimits.uploadMegabytesMax * 1024 ** 2,
  onError: undefined,
  originReadTimeoutMs: undefined,
  originConnectTimeoutMs: originSettingLimits.originConnectSeconds * 1000,
  originHttp2: true,
  originClientAuth: false,
  grpc: false,
  leakedCredentialChecks: false,
  credentialDetections: Object.freeze([]),
  underAttack: false,
  browserCheck: false,
  hotlinkProtection: false,
  challengeSeconds: undefined,
  securityHeader: undefined,
  websockets: true,
  pseudoIpv4: 'off',
  ciphers: undefined,
})

/** Zones without stored values share one object. Values were checked when they were written. */
export function zoneSettingsOf(stored: readonly StoredZoneSetting[]): ZoneSettings {
  if (stored.length === 0) return defaultZoneSettings
  const values = new Map(stored.map(({ id, value }) => [id, value]))
  return {
    urlNormalization:
      (values.get('url_normalization') as UrlNormalization | undefined) ??
      defaultZoneSettings.urlNormalization,
    managedTransforms: managedTransformsOf(values),
    ipGeolocation: values.get('ip_geolocation') !== 'off',
    wafBodyLimitAction:
      (values.get('waf_body_limit_action') as WafBodyLimitAction | undefined) ??
      defaultZoneSettings.wafBodyLimitAction,
    minTlsVersion: values.get('min_tls_version') === '1.3' ? '1.3' : '1.2',
    tls13: values.get('tls_1_3') !== 'off',
    http2: values.get('http2') !== 'off',
    ssl: values.get('ssl') as SslMode | undefined,
    alwaysUseHttps: values.get('always_use_https') === 'on',
    uploadBytesMax:
      ((values.get('max_upload') as number | undefined) ?? zoneSettingLimits.uploadMegabytesMax) * 1024 ** 2,
    onError: onErrorOf(values.get('on_error')),
    originReadTimeoutMs: milliseconds(values.get('proxy_read_timeout')),
    originConnectTimeoutMs:
      milliseconds(values.get('proxy_connect_timeout')) ?? defaultZoneSettings.originConnectTimeoutMs,
    originClientAuth: values.get('origin_tls_client_auth') === true,
    grpc: values.get('grpc') === 'on',
    leakedCredentialChecks: values.get('leaked_credential_checks') === true,
    credentialDetections:
      (values.get('leaked_credential_detections') as readonly CredentialDetection[] | undefined) ??
      defaultZoneSettings.credentialDetections,
    underAttack: values.get('security_level') === 'under_attack',
    browserCheck: values.get('browser_check') === 'on',
    hotlinkProtection: values.get('hotlink_protection') === 'on',
    challengeSeconds: values.get('challenge_ttl') as number | undefined,
    securityHeader: securityHeaderOf(values.get('security_header')),
    websockets: values.get('websockets') !== 'off',
    pseudoIpv4: (values.get('pseudo_ipv4') as ZoneSettings['pseudoIpv4'] | undefined) ?? 'off',
    ciphers: ciphersOf(values.get('ciphers')),
    originHttp2: values.get('origin_max_http_version') !== '1',
  }
}

function securityHeaderOf(value: Json | undefined): SecurityHeader | undefined {
  const stored = value as { readonly strict_transport_security?: StoredHsts } | undefined
  const {
    enabled,
    max_age = 0,
    include_subdomains,
    preload,
    nosniff,
  } = stored?.strict_transport_security ?? {}
  if (enabled !== true) return undefined
  const subdomains = include_subdomains ? '; includeSubDomains' : ''
  return { hsts: `max-age=${max_age}${subdomains}${preload ? '; preload' : ''}`, nosniff: nosniff === true }
}

interface StoredHsts {
  readonly enabled?: boolean
  readonly max_age?: number
  readonly include_subdomains?: boolean
  readonly preload?: boolean
  readonly nosniff?: boolean
}

/** A list without a cipher that the edge speaks is kept without being enforced. */
function ciphersOf(value: Json | undefined): readonly string[] | undefined {
  const spoken = edgeCiphers.filter(name => (value as readonly Json[] | undefined)?.includes(name))
  return spoken.length > 0 ? spoken : undefined
}

function onErrorOf(value: Json | undefined): ZoneSettings['onError'] {
  return value === 'block' || value === 'allow' ? value : undefined
}

/** @param seconds a number, or its digits */
function milliseconds(seconds: Json | undefined): number | undefined {
  return seconds === undefined ? undefined : Number(seconds) * 1000
}
