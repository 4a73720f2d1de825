import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordFields, recordHead } from '../../bus/index.ts'
import { auditLogs } from '../../model/datasets/audit-logs.ts'
import type { AuditEntry } from '../../model/resource.ts'
import type { Store } from '../../store/port.ts'
import { auditPartition, auditRecord, auditSource } from './audit-source.ts'

const accountId = 'a'.repeat(32)
const zoneId = 'b'.repeat(32)

function entryOf(changes: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: 'e1',
    accountId,
    at: '2026-01-02T03:04:05.678900Z',
    actor: { kind: 'token', id: 't1', email: 'admin@localhost', ip: '192.0.2.1' },
    action: 'update',
    resource: { kind: 'zone', id: 'z1' },
    method: 'PATCH',
    path: '/client/v4/zones/z1',
    before: { paused: false },
    after: { paused: true },
    ...changes,
  }
}

test('an entry becomes a record with every field of the dataset', () => {
  const record = auditRecord(entryOf({ zoneId }))
  assert.deepEqual(recordHead(record), { zone: zoneId, account: accountId, dataset: 'audit_logs' })
  const fields = recordFields(record)
  assert.deepEqual(
    Object.keys(fields),
    auditLogs.fields.map(field => field.name),
  )
  assert.equal(fields['When'], '1767323045678900000')
  assert.deepEqual(fields['Metadata'], {
    method: 'PATCH',
    path: '/client/v4/zones/z1',
    token_id: 't1',
    zone_id: zoneId,
  })
  assert.deepEqual([fields['OldValue'], fields['NewValue']], [{ paused: false }, { paused: true }])
})

test('an entry without a zone is of its account', () => {
  const record = auditRecord(entryOf({ before: null, after: ['x'] }))
  assert.deepEqual(recordHead(record), { zone: '', account: accountId, dataset: 'audit_logs' })
  const fields = recordFields(record)
  assert.deepEqual([fields['OldValue'], fields['NewValue']], [{}, { value: ['x'] }])
})

test('the trail reads like a partition', async () => {
  const entries = [3, 4, 7, 8].map(position => ({ position, entry: entryOf({ id: `e${position}` }) }))
  const audit: Partial<Store['audit']> = {
    head: async () => 8,
    at: async moment => (moment <= '2026-01-02T03:04:05.678000Z' ? 3 : 9),
    after: async (position, limit) => entries.filter(one => one.position > position).slice(0, limit),
  }
  const source = auditSource({ audit: audit as Store['audit'] })
  const read = async (after: number, records: number, bytes: number) =>
    (await source.read(auditPartition, after, { records, bytes })).map(record => record.sequence)
  assert.deepEqual(await source.partitions(), [auditPartition])
  assert.equal(await source.head(auditPartition), 8)
  assert.equal(await source.at(auditPartition, Date.parse('2026-01-02T03:04:05.678Z')), 3)
  assert.equal(await source.at(auditPartition, Date.parse('2026-01-02T03:04:05.679Z')), 9)
  assert.deepEqual(await read(0, 10, 1e6), [3, 4, 7, 8])
  assert.deepEqual(await read(4, 1, 1e6), [7])
  assert.deepEqual(await read(0, 10, 1), [3])
  assert.deepEqual(await read(8, 10, 1e6), [])
  const [first] = await source.read(auditPartition, 0, { records: 1, bytes: 1 })
  assert.equal(first?.receivedMs, Date.parse('2026-01-02T03:04:05.678Z'))
  const size = Buffer.byteLength(first!.record)
  assert.deepEqual(await read(0, 10, 2 * size), [3, 4])
  assert.deepEqual(await read(0, 10, 2 * size - 1), [3])
})
