import { UnknownFieldError } from '../../expressions/index.ts'
import { bytesOfText } from '../../kit/bytes.ts'
import type { LogRecord } from '../../model/dataset.ts'
import type { UrlNormalization } from '../../model/zone-settings.ts'
import {
  type BodyView,
  type GeoView,
  type HeaderPairs,
  normalizedPath,
  type RequestView,
  type ResponseView,
  type TlsView,
} from '../../rulesets/index.ts'

/** Thrown for data that an event does not contain; the reader of a field adds its name. */
const unknown = new UnknownFieldError('')

/**
 * A request as recorded in a `firewall_events` record. Reading data that the record lacks throws, and so does reading
 * a redacted text. Paths and queries are as received, apart from normalisation: rewrites are not recorded.
 */
export class EventView implements RequestView {
  readonly #fields: LogRecord
  readonly #normalization: UrlNormalization['type'] | undefined
  readonly derived: unknown[] = []

  constructor(fields: LogRecord, normalization: UrlNormalization['type'] | undefined) {
    this.#fields = fields
    this.#normalization = normalization
  }

  get method(): string {
    return this.#text('ClientRequestMethod')
  }
  get uri(): string {
    return this.path + this.#text('ClientRequestQuery')
  }
  get path(): string {
    return this.#normalization === undefined
      ? this.rawPath
      : normalizedPath(this.rawPath, this.#normalization)
  }
  get query(): string {
    return this.#text('ClientRequestQuery').slice(1)
  }
  get rawUri(): string {
    return this.rawPath + this.#text('ClientRequestQuery')
  }
  get rawPath(): string {
    return this.#text('ClientRequestPath')
  }
  get rawQuery(): string {
    return this.query
  }
  get host(): string {
    return this.#text('ClientRequestHost')
  }
  get scheme(): 'http' | 'https' {
    return this.#text('ClientRequestScheme') === 'https' ? 'https' : 'http'
  }
  get version(): string {
    return this.#text('ClientRequestProtocol')
  }
  get clientIp(): string {
    return this.#text('ClientIP')
  }
  get receivedMs(): number {
    return Number(String(this.#fields['Datetime'] ?? '').slice(0, -6))
  }
  get rayId(): string {
    return this.#text('RayID')
  }
  get zoneName(): string {
    return this.#text('ZoneName')
  }
  get geo(): GeoView {
    return new EventGeoView(this.#fields)
  }
  get tls(): TlsView | undefined {
    throw unknown
  }
  get headers(): HeaderPairs {
    throw unknown
  }
  get rawHeaders(): HeaderPairs {
    throw unknown
  }
  get clientPort(): number {
    throw unknown
  }
  get serverIp(): string {
    throw unknown
  }
  get serverPort(): number {
    throw unknown
  }
  get randomSeed(): string {
    throw unknown
  }
  get body(): BodyView {
    throw unknown
  }
  get response(): ResponseView | undefined {
    throw unknown
  }
  get userAgent(): string {
    return this.#text('ClientRequestUserAgent')
  }
  /** Without its fragment, which is not recorded. */
  get referer(): string {
    const scheme = this.#text('ClientRefererScheme')
    const rest =
      this.#text('ClientRefererHost') + this.#text('ClientRefererPath') + this.#text('ClientRefererQuery')
    return scheme === 'unknown' || scheme === '' ? rest : `${scheme}://${rest}`
  }

  #text(name: string): string {
    const value = this.#fields[name]
    if (typeof value !== 'string') return ''
    if (value.includes('[redacted]') || value.includes('****')) throw unknown
    return bytesOfText(value)
  }
}

class EventGeoView implements GeoView {
  readonly country: string
  readonly asnum: number

  constructor(fields: LogRecord) {
    const { ClientCountry: country, ClientASN: asnum } = fields
    this.country = typeof country === 'string' && country !== 'xx' ? country.toUpperCase() : ''
    this.asnum = typeof asnum === 'number' ? asnum : 0
  }

  get city(): string {
    throw unknown
  }
  get region(): string {
    throw unknown
  }
  get regionCode(): string {
    throw unknown
  }
  get subdivision2Code(): string {
    throw unknown
  }
  get postalCode(): string {
    throw unknown
  }
  get metroCode(): string {
    throw unknown
  }
  get latitude(): string {
    throw unknown
  }
  get longitude(): string {
    throw unknown
  }
  get timezone(): string {
    throw unknown
  }
}
