import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Value } from '../../expressions/types.ts'
import { fieldValue, nowhere } from '../testing/request-view.ts'
import type { GeoView } from './request-view.ts'

const austin: GeoView = {
  country: 'US',
  asnum: 64496,
  city: 'Austin',
  region: 'Texas',
  regionCode: 'TX',
  subdivision2Code: 'TRV',
  postalCode: '78701',
  metroCode: '635',
  latitude: '30.27',
  longitude: '-97.74',
  timezone: 'America/Chicago',
}

test('the location of the client', () => {
  const rows: readonly (readonly [string, known: Value, unknown: Value])[] = [
    ['asnum', 64496, 0],
    ['country', 'US', ''],
    ['continent', 'NA', ''],
    ['is_in_european_union', false, false],
    ['subdivision_1_iso_code', 'US-TX', ''],
    ['subdivision_2_iso_code', 'US-TRV', ''],
    ['city', 'Austin', ''],
    ['region', 'Texas', ''],
    ['region_code', 'TX', ''],
    ['postal_code', '78701', ''],
    ['metro_code', '635', ''],
    ['lat', '30.27', ''],
    ['lon', '-97.74', ''],
    ['timezone.name', 'America/Chicago', ''],
  ]
  for (const [name, known, unknown] of rows) {
    assert.equal(fieldValue(`ip.src.${name}`, { geo: austin }), known, name)
    assert.equal(fieldValue(`ip.src.${name}`), unknown, name)
  }
  for (const name of ['asnum', 'country', 'continent', 'subdivision_1_iso_code', 'subdivision_2_iso_code']) {
    const want = fieldValue(`ip.src.${name}`, { geo: austin })
    assert.equal(fieldValue(`ip.geoip.${name}`, { geo: austin }), want, name)
  }
  assert.equal(fieldValue('ip.src'), '192.0.2.7')
})

test('continents and the European Union', () => {
  for (const [country, continent, european] of [
    ['DE', 'EU', true],
    ['GB', 'EU', false],
    ['CH', 'EU', false],
    ['YT', 'AF', true],
    ['GF', 'SA', true],
    ['CY', 'EU', true],
    ['TR', 'AS', false],
    ['NZ', 'OC', false],
    ['AQ', 'AN', false],
    ['T1', 'T1', false],
    ['XX', '', false],
    ['', '', false],
  ] as const) {
    const inCountry = { ...nowhere, country }
    assert.equal(fieldValue('ip.src.continent', { geo: inCountry }), continent, country)
    assert.equal(fieldValue('ip.src.is_in_european_union', { geo: inCountry }), european, country)
    assert.equal(fieldValue('ip.geoip.is_in_european_union', { geo: inCountry }), european, country)
  }
})
