import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modsecurityLines } from './modsecurity-lines.ts'

const match = { id: 1, rule_id: 'a'.repeat(32), phase: 1, score: 0, message: 'm', tags: [], target: '' }
const record = {
  time: '2026-01-02T03:04:05.678Z',
  ray_id: '8f0c5a3b2e1d4c6f',
  zone: 'shop.example',
  client_ip: '192.0.2.7',
  request: { method: 'GET', uri: '/a?b=c', protocol: 'HTTP/1.1', headers: [] },
  status: 200,
  action: '',
  score: 0,
  threshold: 0,
}
const head = '[2026-01-02T03:04:05.678Z] [client 192.0.2.7] ModSecurity: Warning.'
const tail = '[hostname "shop.example"] [uri "/a"] [unique_id "8f0c5a3b2e1d4c6f"]'

test('one line per matched rule, none without matches', () => {
  assert.equal(modsecurityLines({ ...record, matched: [] }), '')
  const lines = modsecurityLines({ ...record, matched: [match, { ...match, id: 2, score: 5 }] })
  assert.equal(lines, `${head} [id "1"] [msg "m"] ${tail}\n${head} [id "2"] [msg "m"] [score "5"] ${tail}`)
})

test('a client cannot inject quotes or line breaks', () => {
  const data = 'a"] [id "2"]\n[x] \\ \u007f'
  const line = modsecurityLines({ ...record, matched: [{ ...match, data }] })
  assert.equal(line, `${head} [id "1"] [msg "m"] [data "a\\"] [id \\"2\\"]\\x0a[x] \\\\ \\x7f"] ${tail}`)
})

test('a rule of the zone is named by its id', () => {
  const line = modsecurityLines({ ...record, matched: [{ ...match, id: 0 }] })
  assert.match(line, /\[id "a{32}"\]/)
})
