import { bytesOfText } from '../../kit/bytes.ts'
import type { GeoView } from '../../rulesets/fields/request-view.ts'

/**
 * The record of an address: in the shape of GeoIP2/GeoLite2 and of DB-IP City, Country and ASN, or in the flat shape of
 * ip-location-db. All types are unknown, because the user supplies the file.
 */
export interface GeoRecord {
  readonly country?: { readonly iso_code?: unknown }
  readonly registered_country?: { readonly iso_code?: unknown }
  readonly subdivisions?: readonly { readonly iso_code?: unknown; readonly names?: Names }[]
  readonly city?: { readonly names?: Names } | string
  readonly postal?: { readonly code?: unknown }
  readonly location?: {
    readonly latitude?: unknown
    readonly longitude?: unknown
    readonly metro_code?: unknown
    readonly time_zone?: unknown
  }
  readonly traits?: { readonly autonomous_system_number?: unknown }
  readonly autonomous_system_number?: unknown
  readonly country_code?: unknown
  readonly state1?: unknown
  readonly postcode?: unknown
  readonly latitude?: unknown
  readonly longitude?: unknown
  readonly timezone?: unknown
}

type Names = { readonly en?: unknown }

/** Looks values up in the databases in order. The first database with a value wins. */
export class AddressGeo implements GeoView {
  readonly #address: string
  readonly #readers: readonly ((address: string) => GeoRecord | undefined)[]
  /** One for each database that was read so far. */
  readonly #records: (GeoRecord | undefined)[] = []
  /** Every record needs it. */
  #country: string | undefined

  constructor(address: string, readers: readonly ((address: string) => GeoRecord | undefined)[]) {
    this.#address = address
    this.#readers = readers
  }

  get country(): string {
    this.#country ??= this.#text(
      record => record.country?.iso_code ?? record.country_code ?? record.registered_country?.iso_code,
    ).toUpperCase()
    return this.#country
  }

  get asnum(): number {
    const number = this.#first(
      record => record.autonomous_system_number ?? record.traits?.autonomous_system_number,
    )
    return Number.isSafeInteger(Number(number)) ? Number(number) : 0
  }

  get city(): string {
    return this.#text(({ city }) => (typeof city === 'object' ? city.names?.en : city))
  }

  get region(): string {
    return this.#text(record => record.subdivisions?.[0]?.names?.en ?? record.state1)
  }

  get regionCode(): string {
    return this.#text(record => record.subdivisions?.[0]?.iso_code)
  }

  get subdivision2Code(): string {
    return this.#text(record => record.subdivisions?.[1]?.iso_code)
  }

  get postalCode(): string {
    return this.#text(record => record.postal?.code ?? record.postcode)
  }

  get metroCode(): string {
    return this.#text(record => record.location?.metro_code)
  }

  get latitude(): string {
    return this.#degrees(record => record.location?.latitude ?? record.latitude)
  }

  get longitude(): string {
    return this.#degrees(record => record.location?.longitude ?? record.longitude)
  }

  get timezone(): string {
    return this.#text(record => record.location?.time_zone ?? record.timezone)
  }

  /** As a byte string. */
  #text(of: (record: GeoRecord) => unknown): string {
    const value = this.#first(of)
    return value === undefined ? '' : bytesOfText(String(value))
  }

  /** Rounded to five digits, about a metre. Some databases use single precision, whose further digits are noise. */
  #degrees(of: (record: GeoRecord) => unknown): string {
    const value = this.#first(of)
    return typeof value === 'number' ? String(Number(value.toFixed(5))) : (value ?? '')
  }

  #first(of: (record: GeoRecord) => unknown): string | number | undefined {
    for (let at = 0; at < this.#readers.length; at++) {
      if (at === this.#records.length) this.#records.push(this.#readers[at]!(this.#address))
      const record = this.#records[at]
      const value = record === undefined ? undefined : of(record)
      if ((typeof value === 'string' && value !== '') || typeof value === 'number') return value
    }
    return undefined
  }
}
