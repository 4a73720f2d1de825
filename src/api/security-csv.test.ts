import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from './security-csv.ts'
import { eventToWire } from './security-wire.ts'

test('no cell begins like a formula, and none ends its line', () => {
  for (const [agent, cell] of [
    ['curl/8', 'curl/8'],
    ['=1', "'=1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@a', "'@a"],
    ['\t=1', "'\t=1"],
    ['\n=1', `"'\n=1"`],
    ['\r=1', `"'\r=1"`],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠a', "'＠a"],
    ['a=1', 'a=1'],
    ['a,"b"', '"a,""b"""'],
  ] as const) {
    const fields = { ClientRequestUserAgent: agent, Metadata: {} }
    const line = csvLine(eventToWire({ place: { timeMs: 0, id: 1 }, fields }))
    assert.ok(line.includes(`,${cell},`), JSON.stringify(line))
    assert.ok(line.endsWith('\r\n'))
  }
})
