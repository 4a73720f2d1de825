import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { GeoView } from '../../rulesets/fields/request-view.ts'
import { mmdbOf } from '../testing/mmdb.ts'
import { geoLookup, readGeoDatabases } from './geo.ts'

/** The shapes of GeoLite2 City and ASN, and the flat shape of ip-location-db. */
const city = mmdbOf({
  '8.8.8.0/24': {
    country: { iso_code: 'US', names: { en: 'United States' } },
    subdivisions: [
      { iso_code: 'TX', names: { de: 'Texas (de)', en: 'Texas' } },
      { iso_code: 'TRV', names: { en: 'Travis' } },
    ],
    city: { names: { en: 'São Paulo' } },
    postal: { code: '78701' },
    location: { latitude: 30.27, longitude: -97.74, metro_code: 635, time_zone: 'America/Chicago' },
  },
  '203.0.113.0/24': { registered_country: { iso_code: 'NZ' } },
})
const flat = mmdbOf({
  '8.8.8.0/24': { country_code: 'CA', city: 'Elsewhere' },
  '1.1.1.0/24': {
    country_code: 'au',
    city: 'Sydney',
    state1: 'New South Wales',
    postcode: '2000',
    latitude: -33.900001525878906,
    longitude: 151,
    timezone: 'Australia/Sydney',
  },
})
const asn = mmdbOf({ '8.8.8.0/24': { autonomous_system_number: 15169, autonomous_system_organization: 'X' } })

async function lookup(t: TestContext, files: readonly Buffer[]): Promise<(address: string) => GeoView> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-geo-'))
  t.after(() => rm(folder, { recursive: true }))
  const paths = files.map((_, at) => join(folder, `${at}.mmdb`))
  await Promise.all(files.map((content, at) => writeFile(paths[at]!, content)))
  return geoLookup(await readGeoDatabases(paths))
}

const names = [
  'country',
  'asnum',
  'city',
  'region',
  'regionCode',
  'subdivision2Code',
  'postalCode',
  'metroCode',
  'latitude',
  'longitude',
  'timezone',
] as const

test('countries are known without own databases', async t => {
  const geoOf = await lookup(t, [])
  assert.match(geoOf('8.8.8.8').country, /^[A-Z]{2}$/)
  for (const address of ['10.0.0.1', '127.0.0.1', '::1', 'nonsense', '']) {
    const found = geoOf(address)
    assert.deepEqual(
      names.map(name => found[name]),
      ['', 0, '', '', '', '', '', '', '', '', ''],
      address,
    )
  }
})

test('values come from the databases in order, and countries finally from the bundled one', async t => {
  const geoOf = await lookup(t, [city, flat, asn])
  const rows: readonly (readonly [string, ...(string | number)[]])[] = [
    [
      '8.8.8.8',
      'US',
      15169,
      'S\xc3\xa3o Paulo',
      'Texas',
      'TX',
      'TRV',
      '78701',
      '635',
      '30.27',
      '-97.74',
      'America/Chicago',
    ],
    ['1.1.1.1', 'AU', 0, 'Sydney', 'New South Wales', '', '', '2000', '', '-33.9', '151', 'Australia/Sydney'],
    ['203.0.113.9', 'NZ', 0, '', '', '', '', '', '', '', '', ''],
    ['fe80::1', '', 0, '', '', '', '', '', '', '', '', ''],
  ]
  for (const [address, ...want] of rows) {
    const found = geoOf(address)
    assert.deepEqual(
      names.map(name => found[name]),
      want,
      address,
    )
  }
  assert.equal((await lookup(t, [flat, city]))('8.8.8.8').country, 'CA')
  assert.match((await lookup(t, [asn]))('8.8.8.8').country, /^[A-Z]{2}$/)
})

test('values of the wrong type are ignored', async t => {
  const odd = mmdbOf({
    '8.8.8.0/24': { autonomous_system_number: 'x', city: { names: { en: [] } }, postal: 'x' },
  })
  const found = (await lookup(t, [odd]))('8.8.8.8')
  assert.equal(found.asnum, 0)
  assert.equal(found.city, '')
  assert.equal(found.postalCode, '')
})

test('an error names a file that is missing or in another format', async t => {
  await assert.rejects(
    readGeoDatabases(['/nowhere/city.mmdb']),
    /^Error: SLUICE_GEO_DATABASES: \/nowhere\/city\.mmdb cannot be read: ENOENT/,
  )
  for (const content of ['', 'nonsense', `${'x'.repeat(1000)}`]) {
    await assert.rejects(
      lookup(t, [Buffer.from(content)]),
      /^Error: SLUICE_GEO_DATABASES: .+0\.mmdb is not a database in MaxMind format: /,
    )
  }
  await assert.rejects(
    lookup(t, [city.subarray(city.length - 300)]),
    /SLUICE_GEO_DATABASES: .+0\.mmdb is not a database/,
  )
})
