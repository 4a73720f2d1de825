import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ExpressionType, Value } from '../../expressions/types.ts'
import { fieldValue, viewOf } from '../testing/request-view.ts'
import { httpFields } from './table.ts'

const reference = join(import.meta.dirname, '../../../../shared/reference/fields.json')
const ours = ['cf.zone.plan', 'cf.colo.id', 'cf.unique_visitor_id']

test('the table has the fields of the reference and a few additional ones', {
  skip: existsSync(reference) ? false : 'the reference is not here',
}, () => {
  const wanted: { name: string; type: string; phase: string }[] = JSON.parse(readFileSync(reference, 'utf8'))
  const table = httpFields
    .filter(({ name }) => !ours.includes(name))
    .map(({ name, type, availability }) => ({
      name,
      type,
      phase: availability === 'response' ? 'response' : 'request',
    }))
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
  assert.deepEqual(
    table.sort(byName),
    wanted.map(({ name, type, phase }) => ({ name, type, phase })).sort(byName),
  )
  for (const name of ours)
    assert.ok(
      httpFields.some(field => field.name === name),
      name,
    )
})

test('a field is in the table once, with a sentence as description', () => {
  assert.equal(new Set(httpFields.map(({ name }) => name)).size, httpFields.length)
  for (const { name, description } of httpFields) assert.match(description, /^(?:[A-Z0-9`]).*[.?]$/, name)
})

test('every field has a value of its type for an empty request, except response fields', () => {
  for (const { name, type, read } of httpFields) {
    const value = read(viewOf())
    if (name === 'http.response.code') assert.equal(value, undefined)
    else assert.ok(isOfType(value, type), `${name} is ${type}`)
  }
})

function isOfType(value: Value, type: ExpressionType): boolean {
  if (type.startsWith('Array')) return Array.isArray(value)
  if (type.startsWith('Map')) return value instanceof Map
  if (type === 'Integer') return Number.isSafeInteger(value)
  return typeof value === (type === 'Boolean' ? 'boolean' : 'string')
}

test('neutral values do not make rules match', () => {
  const rows: readonly (readonly [string, Value])[] = [
    ['cf.bot_management.score', 99],
    ['cf.waf.score', 100],
    ['cf.waf.score.sqli', 100],
    ['cf.llm.prompt.injection_score', 100],
    ['cf.threat_score', 0],
    ['cf.client.bot', false],
    ['cf.verified_bot_category', ''],
    ['cf.waf.content_scan.obj_sizes', []],
    ['cf.llm.prompt.custom_topic_categories', new Map()],
    ['http.request.jwt.claims.aud', new Map()],
    ['cf.tls_client_auth.cert_verified', false],
    ['cf.timings.worker_msec', 0],
  ]
  for (const [name, want] of rows) assert.deepEqual(fieldValue(name), want, name)
})

test('facts about the edge', () => {
  const rows: readonly (readonly [string, Value])[] = [
    ['cf.edge.server_ip', '198.51.100.1'],
    ['cf.edge.server_port', 8080],
    ['cf.edge.client_port', 40000],
    ['cf.edge.client_tcp', true],
    ['cf.zone.name', 'example.com'],
    ['cf.zone.plan', 'ENT'],
    ['cf.ray_id', '0123456789abcdef'],
    ['cf.random_seed', '\0'.repeat(16)],
    ['cf.colo.id', 1],
    ['cf.unique_visitor_id', '192.0.2.7'],
  ]
  for (const [name, want] of rows) assert.deepEqual(fieldValue(name), want, name)
  assert.equal(fieldValue('cf.edge.server_ip', { serverIp: '' }), undefined)
  assert.equal(fieldValue('ip.src', { clientIp: '' }), undefined)
})
