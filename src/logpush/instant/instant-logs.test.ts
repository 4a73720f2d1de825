import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SequencedRecord } from '../../bus/port.ts'
import { timestampOf } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import type { InstantSession } from '../../model/resource.ts'
import type { Store } from '../../store/port.ts'
import { instantLimits } from '../limits.ts'
import type { RecordSource } from '../stream/source.ts'
import type { InstantEnd, InstantListener } from '../types.ts'
import { openInstantLogs } from './instant-logs.ts'
import { InstantLimitError } from './limit-error.ts'
import { checkInstantSession, instantSessionEnd } from './session.ts'

const zone = 'a'.repeat(32)
const startMs = Date.parse('2026-01-02T03:00:00Z')

/** A log in memory; `read` counts how often it is asked. */
class MemoryLog implements RecordSource {
  readonly records = new Map<string, SequencedRecord[]>([['one', []]])
  reads = 0
  failure: Error | undefined

  append(fields: object, { partition = 'one', zoneId = zone, dataset = 'http_requests' } = {}): void {
    const list = this.records.get(partition) ?? []
    this.records.set(partition, list)
    const record = JSON.stringify({ zone: zoneId, account: 'b'.repeat(32), dataset, fields })
    list.push({ sequence: list.length + 1, receivedMs: startMs, record })
  }
  async partitions() {
    if (this.failure !== undefined) throw this.failure
    return [...this.records.keys()]
  }
  async head(partition: string) {
    return this.records.get(partition)?.length ?? 0
  }
  async at() {
    return 1
  }
  async read(partition: string, after: number, limits: { readonly records: number }) {
    this.reads++
    return (this.records.get(partition) ?? []).slice(after, after + limits.records)
  }
}

class MemoryInstant {
  readonly sessions = new Map<string, InstantSession>()
  readonly touches: string[] = []
  async list() {
    return [...this.sessions.values()]
  }
  async get(id: string) {
    return this.sessions.get(id)
  }
  async insert(session: InstantSession) {
    this.sessions.set(session.id, session)
  }
  async touch(_id: string, listenedOn: string) {
    this.touches.push(listenedOn)
  }
  async delete(id: string) {
    this.sessions.delete(id)
  }
}

class TestListener implements InstantListener {
  text = ''
  leftOut = 0
  waiting = 0
  ended: InstantEnd | undefined
  waitingBytes() {
    return this.waiting
  }
  send(lines: string) {
    this.text += lines
  }
  leaveOut(lines: number) {
    this.leftOut += lines
  }
  end(reason: InstantEnd) {
    this.ended = reason
  }
  get rays(): string[] {
    return this.text
      .split('\n')
      .slice(0, -1)
      .map(line => (JSON.parse(line) as { RayID: string }).RayID)
  }
}

function open() {
  const log = new MemoryLog()
  const instant = new MemoryInstant()
  const clock = { ms: startMs, nowMs: () => clock.ms }
  const errors: string[] = []
  const store: Pick<Store, 'instant'> = { instant }
  const logs = openInstantLogs({ store, reader: log, clock, onError: message => errors.push(message) })
  const session = (changes: Partial<InstantSession> = {}) => {
    const now = timestampOf(clock.ms)
    const made = {
      id: newId(),
      zoneId: zone,
      fields: 'RayID',
      filter: '',
      sample: 1,
      createdOn: now,
      listenedOn: now,
    }
    const whole = { ...made, ...changes }
    instant.sessions.set(whole.id, whole)
    return whole
  }
  return { log, instant, clock, errors, logs, session }
}

/** Waits for what other turns of the event loop bring about. */
async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !condition(); turn++) await sleep(10)
  assert.ok(condition())
}

test('records after the start reach every listener of their zone and dataset', async () => {
  const { log, logs, session } = open()
  log.append({ RayID: 'before' })
  const made = session()
  const [first, second] = [new TestListener(), new TestListener()]
  await logs.listen(made, first)
  await logs.listen(made, second)
  log.append({ RayID: 'r1' })
  log.append({ RayID: 'other zone' }, { zoneId: 'c'.repeat(32) })
  log.append({ RayID: 'event' }, { dataset: 'firewall_events' })
  log.append({ RayID: 'r2' }, { partition: 'new' })
  await until(() => first.rays.length === 2 && second.rays.length === 2)
  assert.deepEqual(first.rays.sort(), ['r1', 'r2'])
  assert.deepEqual(second.rays.sort(), ['r1', 'r2'])
  assert.deepEqual(logs.stats(), { sessions: 1, listeners: 2, linesSent: 4, linesLeftOut: 0 })
  await logs.close()
  assert.deepEqual([first.ended, second.ended], ['stopped', 'stopped'])
  assert.equal(logs.stats().listeners, 0)
})

test('lines have the fields that were requested and the weight of the sample', async () => {
  const { log, logs, session } = open()
  const listener = new TestListener()
  const filter = '{"where":{"key":"EdgeResponseStatus","operator":"geq","value":400}}'
  await logs.listen(session({ fields: 'EdgeResponseStatus,RayID', filter, sample: 10 }), listener)
  for (let n = 0; n < 1000; n++) log.append({ RayID: `r${n}`, EdgeResponseStatus: n % 2 === 0 ? 200 : 404 })
  await until(() => log.records.get('one')!.length === 1000 && listener.rays.length > 20)
  await sleep(150)
  const lines = listener.text.trimEnd().split('\n')
  // Half of 1,000 pass the filter, a tenth of them the sample.
  assert.ok(lines.length > 25 && lines.length < 80, String(lines.length))
  for (const line of lines) {
    assert.match(line, /^\{"EdgeResponseStatus":404,"RayID":"r\d+","sampleInterval":10\}$/)
  }
  await logs.close()
})

test('the log is read only while there are listeners', async () => {
  const { log, logs, session } = open()
  const leave = await logs.listen(session(), new TestListener())
  await until(() => log.reads > 1)
  leave()
  leave()
  await sleep(30)
  const { reads } = log
  await sleep(250)
  assert.equal(log.reads, reads)
  assert.equal(logs.stats().sessions, 0)
  await logs.close()
})

test('a slow listener loses lines, counted, and another one none', async () => {
  const { log, logs, session } = open()
  const made = session()
  const [slow, quick] = [new TestListener(), new TestListener()]
  await logs.listen(made, slow)
  await logs.listen(made, quick)
  slow.waiting = instantLimits.waitingBytesMax + 1
  for (let n = 0; n < 300; n++) log.append({ RayID: `r${n}` })
  await until(() => quick.rays.length === 300)
  assert.deepEqual([slow.rays.length, slow.leftOut, quick.leftOut], [0, 300, 0])
  // As soon as it has caught up to the limit, it gets lines again.
  slow.waiting = instantLimits.waitingBytesMax
  log.append({ RayID: 'last' })
  await until(() => slow.rays.length === 1)
  assert.deepEqual(logs.stats(), { sessions: 1, listeners: 2, linesSent: 302, linesLeftOut: 300 })
  await logs.close()
})

test('a session ends after 60 minutes, and when it is deleted', async () => {
  const { logs, clock, instant, session } = open()
  const [old, gone] = [new TestListener(), new TestListener()]
  await logs.listen(session(), old)
  clock.ms += instantLimits.sessionMs - 1
  const replaced = session()
  await logs.listen(replaced, gone)
  await sleep(600)
  assert.equal(old.ended, undefined)
  clock.ms++
  await until(() => old.ended !== undefined)
  assert.equal(old.ended, 'age')
  instant.sessions.delete(replaced.id)
  clock.ms += 60_000
  await until(() => gone.ended !== undefined)
  assert.equal(gone.ended, 'gone')
  assert.equal(logs.stats().sessions, 0)
  await logs.close()
})

test('the store is told of listeners each minute, and when the last one leaves', async () => {
  const { logs, clock, instant, session } = open()
  const leave = await logs.listen(session(), new TestListener())
  clock.ms += 59_999
  await sleep(600)
  assert.equal(instant.touches.length, 1)
  clock.ms++
  await until(() => instant.touches.length === 2)
  clock.ms += 5000
  leave()
  assert.deepEqual(instant.touches, [startMs, startMs + 60_000, startMs + 65_000].map(timestampOf))
  await logs.close()
})

test('listeners and sessions have a limit', async () => {
  const { logs, session } = open()
  const made = session()
  const leaves = []
  for (let n = 0; n < instantLimits.listenersMax; n++)
    leaves.push(await logs.listen(made, new TestListener()))
  const refused = (what: string) => (error: unknown) =>
    error instanceof InstantLimitError && error.limited === what
  await assert.rejects(logs.listen(made, new TestListener()), refused('listeners'))
  leaves[0]!()
  await logs.listen(made, new TestListener())
  for (let n = 1; n < instantLimits.sessionsMax; n++) await logs.listen(session(), new TestListener())
  await assert.rejects(logs.listen(session(), new TestListener()), refused('sessions'))
  await logs.close()
  await assert.rejects(logs.listen(session(), new TestListener()), /closed/)
})

test('a log that cannot be read refuses listeners, and is read again when possible', async () => {
  const { log, logs, errors, session } = open()
  log.failure = new Error('away')
  await assert.rejects(logs.listen(session(), new TestListener()), /away/)
  assert.equal(logs.stats().listeners, 0)
  log.failure = undefined
  const listener = new TestListener()
  await logs.listen(session(), listener)
  log.failure = new Error('away')
  await until(() => errors.length > 0)
  log.append({ RayID: 'r1' })
  log.failure = undefined
  await until(() => listener.rays.length === 1)
  assert.equal(errors.length, 1)
  await logs.close()
})

test('records that arrive too fast are skipped', async () => {
  const { log, logs, errors, session } = open()
  const listener = new TestListener()
  await logs.listen(session(), listener)
  const extra = instantLimits.behindRecordsMax + instantLimits.chunkRecords + 1
  for (let n = 0; n < extra; n++) log.append({ RayID: `r${n}` })
  await until(() => errors.length === 1)
  assert.match(errors[0]!, /50001 records of one/)
  log.append({ RayID: 'last' })
  await until(() => listener.rays.at(-1) === 'last')
  assert.equal(listener.rays.length, instantLimits.chunkRecords + 1)
  await logs.close()
})

test('the settings of a session are checked', async t => {
  const rows: [name: string, wish: object, pointer: string, message: RegExp][] = [
    ['field', { fields: 'RayID,ClientIp' }, '/fields', /'ClientIp'.*did you mean ClientIP/],
    ['empty name', { fields: 'RayID,' }, '/fields', /'' is not a valid value/],
    ['field of another dataset', { fields: 'RuleID' }, '/fields', /http_requests has no such field/],
    ['filter text', { filter: '{' }, '/filter', /the filter is not valid/],
    [
      'filter field',
      { filter: '{"where":{"key":"X","operator":"eq","value":1}}' },
      '/filter',
      /\/where\/key/,
    ],
    ['sample 0', { sample: 0 }, '/sample', /whole number from 1/],
    ['sample 1.5', { sample: 1.5 }, '/sample', /whole number/],
    ['sample above', { sample: instantLimits.sampleMax + 1 }, '/sample', /10000/],
  ]
  for (const [name, wish, pointer, message] of rows)
    await t.test(name, () => {
      const checked = checkInstantSession(wish)
      assert.ok(!checked.ok)
      assert.equal(checked.problem.pointer, pointer)
      assert.match(checked.problem.message, message)
    })
  for (const sample of [1, 10, 100, instantLimits.sampleMax])
    assert.ok(checkInstantSession({ sample, fields: 'RayID', filter: '' }).ok)
  const defaults = checkInstantSession({})
  assert.ok(defaults.ok)
  assert.match(defaults.value.fields, /^ClientIP,ClientRequestHost,/)
})

test('a session is over when it is old, or has no listeners', () => {
  const at = (ms: number) => timestampOf(startMs + ms)
  const session = {
    id: '',
    zoneId: zone,
    fields: '',
    filter: '',
    sample: 1,
    createdOn: at(0),
    listenedOn: at(0),
  }
  const { idleMs, sessionMs } = instantLimits
  assert.equal(instantSessionEnd(session, startMs + idleMs - 1), undefined)
  assert.equal(instantSessionEnd(session, startMs + idleMs), 'idle')
  const listened = { ...session, listenedOn: at(sessionMs) }
  assert.equal(instantSessionEnd(listened, startMs + sessionMs - 1), undefined)
  assert.equal(instantSessionEnd(listened, startMs + sessionMs), 'age')
})
