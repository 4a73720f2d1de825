import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Reader } from 'maxmind'

/** The bundled country database, about 8 MB: read once, shared by all threads of a process. */
export async function readCountries(): Promise<SharedArrayBuffer> {
  const path = createRequire(import.meta.url).resolve(
    '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
  )
  const content = await readFile(path)
  const shared = new SharedArrayBuffer(content.length)
  new Uint8Array(shared).set(content)
  return shared
}

/**
 * @param database from `readCountries`
 * @returns looks up an address: ISO 3166 code in upper case, empty when it is private or not in the database
 */
export function countryLookup(database: SharedArrayBuffer): (address: string) => string {
  // Keyed by the places of its records: one a country.
  const cache = new Map()
  const reader = new Reader<CountryEntry>(Buffer.from(database), { cache })
  return address => {
    try {
      return reader.get(address)?.country_code ?? ''
    } catch {
      // Not an address, such as the peer of a connection that is gone.
      return ''
    }
  }
}

/** The database's own shape; maxmind's types know only MaxMind's databases. */
type CountryEntry = import('maxmind').CountryResponse & { readonly country_code?: string }
