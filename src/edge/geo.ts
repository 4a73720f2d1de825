import { createRequire } from 'node:module'
import { open } from 'maxmind'

/**
 * Opens the bundled country database (about 8 MB in memory).
 * @returns looks up an address: ISO 3166 code in upper case, empty when it is private or not in the database
 */
export async function openCountryLookup(): Promise<(address: string) => string> {
  const path = createRequire(import.meta.url).resolve(
    '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
  )
  const reader = await open<CountryEntry>(path, { cache: { max: 10_000 } })
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
