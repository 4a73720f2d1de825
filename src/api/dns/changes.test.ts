import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DnsRecord } from '../../model/dns-record.ts'
import { RecordChanges } from './changes.ts'
import type { RecordContext } from './input.ts'

const zone = { id: 'z', name: 'shop.example', originUrl: 'http://192.0.2.1' } as RecordContext['zone']
const bounds = { edge: [], origins: 'public', originSockets: [] } as const
const context: RecordContext = { zone, bounds, now: '2026-01-01T00:00:00Z', pointer: '' }
const a = (content: string) => ({ type: 'A', name: 'www', content }) as const
const cname = { type: 'CNAME', name: 'www', content: 'a.test' } as const

test('the time to add a record does not depend on the number of records of its name', () => {
  const changes = new RecordChanges([])
  let reads = 0
  const known = Array.from({ length: 50 }, (_, n): DnsRecord => {
    const record = changes.add({ type: 'TXT', name: 'www', content: `text ${n}` }, context)
    const get = () => {
      reads++
      return record.content
    }
    return Object.defineProperty({ ...record }, 'content', { get })
  })
  const crowded = new RecordChanges(known)
  reads = 0
  for (let n = 0; n < 50; n++) crowded.add({ type: 'TXT', name: 'www', content: `more ${n}` }, context)
  assert.throws(() => crowded.add({ type: 'TXT', name: 'www', content: 'text 7' }, context), /identical/)
  assert.equal(reads, 0)
})

test('a name is free for a CNAME once its last address is deleted, moved or replaced', () => {
  const changes = new RecordChanges([])
  const [one, two, three] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(content =>
    changes.add(a(content), context),
  )
  changes.delete(one!.id)
  changes.patch(two!.id, { name: 'other' }, context)
  assert.throws(() => changes.add(cname, context), /A with the host www.shop.example already exists/)
  const again = new RecordChanges([two!, three!])
  again.delete(two!.id)
  again.replace(three!.id, cname, context)
  assert.throws(() => again.add(a('192.0.2.1'), context), /CNAME with the host/)
  assert.equal(again.addNew(cname, context), false)
})
