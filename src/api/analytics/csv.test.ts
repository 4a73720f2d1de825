import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from './csv.ts'
import { eventToWire } from './wire.ts'

test('no cell begins like a formula or breaks its line', () => {
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
    const line = csvLine(eventToWire({ position: { timeMs: 0, id: 1 }, fields }))
    assert.ok(line.includes(`,${cell},`), JSON.stringify(line))
    assert.ok(line.endsWith('\r\n'))
  }
})
