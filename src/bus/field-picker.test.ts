import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FieldPicker } from './field-picker.ts'
import { recordFields } from './stored-record.ts'

const head = { zone: 'a'.repeat(32), account: 'b'.repeat(32), dataset: 'http_requests' }

function stored(fields: object): string {
  return JSON.stringify({ ...head, fields })
}

/** The values of these names by parsing. */
function parsed(record: string, names: readonly string[]): Readonly<Record<string, unknown>> {
  const fields = recordFields(record)
  return Object.fromEntries(names.map(name => [name, fields[name]]))
}

const names = ['ClientIP', 'RayID', 'EdgeResponseStatus', 'EdgeResponseBytes', 'OriginResponseBytes']

test('picked fields have the values that parsing gives', () => {
  const rows: readonly object[] = [
    {
      ClientIP: '192.0.2.1',
      RayID: 'r',
      EdgeResponseStatus: 200,
      EdgeResponseBytes: 5,
      OriginResponseBytes: 7,
    },
    // Another order, and members between them.
    { OriginResponseBytes: 1, Path: '/a', EdgeResponseBytes: 2, Port: 3, RayID: '', ClientIP: 'é漢😀' },
    { EdgeResponseBytes: -12, EdgeResponseStatus: 0, OriginResponseBytes: 999_999_999_999_999 },
    // Values that look like members.
    { Path: 'ClientIP:', Query: ',RayID:,', ClientIP: 'RayID', RayID: 'ClientIP' },
    { List: ['ClientIP', 'RayID'], RayID: 'r' },
    {},
    { Path: 'only others' },
    { RayID: 'r', RequestHeaders: { ClientIP: 'nested' }, EdgeResponseStatus: 200 },
    { EdgeResponseStatus: 200, RayID: 'r', RequestHeaders: { host: 'h' } },
  ]
  const picker = new FieldPicker(names)
  // Each after each other one: the order of an earlier record must not matter.
  for (const before of rows)
    for (const fields of rows) {
      picker.pick(stored(before))
      const record = stored(fields)
      const picked = picker.pick(record)
      if (picked !== undefined) assert.deepEqual({ ...picked }, parsed(record, names), record)
    }
  const record = stored(rows[0]!)
  assert.deepEqual({ ...picker.pick(record) }, parsed(record, names))
})

test('nothing is picked where only parsing is certain', () => {
  const rows: readonly object[] = [
    { RayID: 'a "quote"' },
    { Path: 'back\\slash', RayID: 'r' },
    { RequestHeaders: { RayID: 'nested' } },
    { RequestHeaders: { host: 'h' }, RayID: 'after' },
    { RayID: null },
    { RayID: true },
    { RayID: ['r'] },
    { RayID: { r: 1 } },
    { EdgeResponseBytes: 1.5 },
    { EdgeResponseBytes: 1e21 },
    { EdgeResponseBytes: 9_007_199_254_740_991 },
  ]
  for (const fields of rows)
    assert.equal(new FieldPicker(names).pick(stored(fields)), undefined, stored(fields))
  const usual = new FieldPicker(names)
  usual.pick(stored(Object.fromEntries(names.map(name => [name, name]))))
  const long = stored({ Path: names.join('').repeat(100), RayID: 'r' })
  assert.equal(usual.pick(long), undefined)
  for (const text of ['', '{}', '{"zone":"', stored({ RayID: 'r' }).slice(0, -4)])
    assert.equal(new FieldPicker(['RayID']).pick(text), undefined, text)
})

test('records of random members are picked as they are parsed', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) % below
  }
  const texts = ['', 'a', 'ClientIP', '"RayID":', '{', '}', ',', '\\', '\u2028', '\u007f', 'x'.repeat(300)]
  const value = (): unknown => {
    const kind = random(8)
    if (kind < 4) return texts[random(texts.length)]! + texts[random(texts.length)]!
    if (kind < 6) return random(1_000_000) - 500_000
    return [true, null, [], ['RayID'], { RayID: 'x' }, 0.5, -0][random(7)]
  }
  const known = [...names, 'Path', 'RequestHeaders', 'Port']
  const picker = new FieldPicker(names)
  let picked = 0
  for (let round = 0; round < 20_000; round++) {
    const members = Array.from({ length: random(9) }, () => [known[random(known.length)]!, value()])
    const record = stored(Object.fromEntries(members))
    const found = picker.pick(record)
    if (found === undefined) continue
    picked++
    assert.deepEqual({ ...found }, parsed(record, names), record)
  }
  assert.ok(picked > 2000, `${picked}`)
})
