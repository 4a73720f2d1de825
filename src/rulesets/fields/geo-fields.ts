import { continentOf, isInEuropeanUnion } from './continents.ts'
import { fieldsOf, type HttpField } from './http-field.ts'
import type { RequestView } from './request-view.ts'

const own = 'from a database in `SLUICE_GEO_DATABASES`; without one'

/** Fields that the bundled database has no values for. */
const ofOwnDatabases: ReadonlySet<string> = new Set(
  'asnum subdivision_1_iso_code subdivision_2_iso_code city region region_code postal_code metro_code lat lon timezone.name'
    .split(' ')
    .flatMap(name => [`ip.src.${name}`, `ip.geoip.${name}`]),
)

/** The client's address and its location. */
export const geoFields: readonly HttpField[] = fieldsOf([
  [
    'ip.src',
    'IP',
    "The client's address: the peer, or the address that a proxy in `SLUICE_TRUSTED_PROXIES` names in X-Forwarded-For.",
    clientIp,
  ],
  ['ip.src.asnum', 'Integer', `Number of the autonomous system, ${own} 0.`, asnum],
  [
    'ip.src.country',
    'String',
    'Code of the country (ISO 3166-1): from a database in `SLUICE_GEO_DATABASES` that knows it, else from the bundled one. Empty when unknown, as for private addresses.',
    country,
  ],
  [
    'ip.src.continent',
    'String',
    'Code of the continent that the country belongs to; empty when unknown.',
    continent,
  ],
  [
    'ip.src.is_in_european_union',
    'Boolean',
    "Whether the country belongs to the European Union, by Cloudflare's list.",
    isEuropean,
  ],
  [
    'ip.src.subdivision_1_iso_code',
    'String',
    `Code of the region (ISO 3166-2), such as US-TX, ${own} empty.`,
    region1,
  ],
  [
    'ip.src.subdivision_2_iso_code',
    'String',
    `Code of the region within that region (ISO 3166-2), ${own} empty.`,
    region2,
  ],
  ['ip.src.city', 'String', `Name of the city, ${own} empty.`, view => view.geo.city],
  ['ip.src.region', 'String', `Name of the region, ${own} empty.`, view => view.geo.region],
  [
    'ip.src.region_code',
    'String',
    `Code of the region without the country, such as TX, ${own} empty.`,
    view => view.geo.regionCode,
  ],
  ['ip.src.postal_code', 'String', `Postal code, ${own} empty.`, view => view.geo.postalCode],
  ['ip.src.metro_code', 'String', `Metro (DMA) code, ${own} empty.`, view => view.geo.metroCode],
  ['ip.src.lat', 'String', `Latitude in degrees, ${own} empty.`, view => view.geo.latitude],
  ['ip.src.lon', 'String', `Longitude in degrees, ${own} empty.`, view => view.geo.longitude],
  [
    'ip.src.timezone.name',
    'String',
    `Name of the time zone, ${own} empty.`,
    view => view.geo.timezone,
    'transform-rewrite',
  ],
  ['ip.geoip.asnum', 'Integer', 'Old name of `ip.src.asnum`.', asnum],
  ['ip.geoip.country', 'String', 'Old name of `ip.src.country`.', country],
  ['ip.geoip.continent', 'String', 'Old name of `ip.src.continent`.', continent],
  ['ip.geoip.is_in_european_union', 'Boolean', 'Old name of `ip.src.is_in_european_union`.', isEuropean],
  ['ip.geoip.subdivision_1_iso_code', 'String', 'Old name of `ip.src.subdivision_1_iso_code`.', region1],
  ['ip.geoip.subdivision_2_iso_code', 'String', 'Old name of `ip.src.subdivision_2_iso_code`.', region2],
]).map(field => (ofOwnDatabases.has(field.name) ? { ...field, needs: 'hasGeoDatabases' } : field))

function clientIp(view: RequestView): string | undefined {
  return view.clientIp === '' ? undefined : view.clientIp
}

function asnum(view: RequestView): number {
  return view.geo.asnum
}

function country(view: RequestView): string {
  return view.geo.country
}

function continent(view: RequestView): string {
  return continentOf(view.geo.country)
}

function isEuropean(view: RequestView): boolean {
  return isInEuropeanUnion(view.geo.country)
}

function region1({ geo }: RequestView): string {
  return geo.regionCode === '' ? '' : `${geo.country}-${geo.regionCode}`
}

function region2({ geo }: RequestView): string {
  return geo.subdivision2Code === '' ? '' : `${geo.country}-${geo.subdivision2Code}`
}
