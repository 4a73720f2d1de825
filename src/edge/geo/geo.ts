import { createRequire } from 'node:module'
import { type CountryResponse, Reader } from 'maxmind'
import { readSharedFile } from '../../kit/shared-file.ts'
import type { GeoView } from '../../rulesets/fields/request-view.ts'
import { recordLimits } from '../limits.ts'
import { AddressGeo, type GeoRecord } from './geo-record.ts'

/** Location databases, read once and shared by all threads of a process. */
export interface GeoDatabases {
  /** The bundled database, about 8 MB. */
  readonly countries: SharedArrayBuffer
  /** The user's databases, in the order of lookup. */
  readonly own: readonly SharedArrayBuffer[]
}

/**
 * @param paths files in MaxMind format
 * @throws an error that names the setting and the file, when a file is unreadable or no such database
 */
export async function readGeoDatabases(paths: readonly string[]): Promise<GeoDatabases> {
  const countries = createRequire(import.meta.url).resolve(
    '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
  )
  return {
    countries: await readSharedFile(countries),
    own: await Promise.all(paths.map(readOwn)),
  }
}

async function readOwn(path: string): Promise<SharedArrayBuffer> {
  let content: SharedArrayBuffer
  try {
    content = await readSharedFile(path)
  } catch (error) {
    const reason = (error as Error).message
    throw new Error(`SLUICE_GEO_DATABASES: ${path} cannot be read: ${reason}`, { cause: error })
  }
  try {
    new Reader(Buffer.from(content)).get('192.0.2.1')
  } catch (error) {
    const reason = (error as Error).message
    throw new Error(`SLUICE_GEO_DATABASES: ${path} is not a database in MaxMind format: ${reason}`, {
      cause: error,
    })
  }
  return content
}

/**
 * @returns a function that locates an address, with each value looked up on first use. Values are empty for private
 * addresses and for texts that are no address. Clients send many requests each, so the last addresses are kept
 */
export function geoLookup({ own, countries }: GeoDatabases): (address: string) => GeoView {
  const readers = [...own, countries].map(recordReader)
  const known = new Map<string, GeoView>()
  return address => {
    let found = known.get(address)
    if (found === undefined) {
      // A copy: the address may be a slice that keeps a long X-Forwarded-For alive.
      const copy = Buffer.from(address, 'latin1').toString('latin1')
      found = new AddressGeo(copy, readers)
      if (known.size >= recordLimits.geoAddressesKept) known.clear()
      known.set(copy, found)
    }
    return found
  }
}

function recordReader(database: SharedArrayBuffer): (address: string) => GeoRecord | undefined {
  // The types of maxmind describe only MaxMind's own databases.
  const reader = new Reader<GeoRecord & CountryResponse>(Buffer.from(database), { cache: new RecordCache() })
  return address => {
    try {
      return reader.get(address) ?? undefined
    } catch {
      // No address, such as the peer of a closed connection.
      return undefined
    }
  }
}

/** Decoded records by file offset. Many addresses share a record. */
class RecordCache {
  readonly #records = new Map<string | number, unknown>()

  get(key: string | number): unknown {
    return this.#records.get(key)
  }

  set(key: string | number, record: unknown): void {
    if (this.#records.size >= recordLimits.geoRecordsMax) this.#records.clear()
    this.#records.set(key, record)
  }
}
