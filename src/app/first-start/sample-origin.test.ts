import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openSqliteStore } from '../../store/index.ts'
import { anAccount, aZone, testCipher } from '../../store/testing/data.ts'
import { systemAudit } from '../system-audit.ts'
import { SampleOrigin } from './sample-origin.ts'

async function installation(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-sample-'))
  const store = await openSqliteStore(join(directory, 'sluice.db'), { migrate: true, cipher: testCipher })
  t.after(async () => {
    await store.close()
    await rm(directory, { recursive: true })
  })
  const account = anAccount()
  await store.accounts.insert(account)
  const audit = await systemAudit(store, { id: 'start', means: 'START', command: 'sluice serve' })
  const lines: string[] = []
  const open = () => new SampleOrigin(store, audit, line => lines.push(line), false)
  return { store, account, lines, open }
}

/** Another program on the port of a URL. */
async function take(t: TestContext, url: string): Promise<void> {
  const other = createServer().listen(Number(new URL(url).port), '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
}

test('the sample site keeps its port, and takes another one when that is taken', async t => {
  const { store, account, lines, open } = await installation(t)
  const first = open()
  const url = await first.begin()
  const zones = [aZone(account.id, { originUrl: url }), aZone(account.id)]
  for (const zone of zones) await store.zones.insert(zone)
  await first.close()

  const second = open()
  await second.resume()
  assert.equal((await fetch(url)).status, 200)
  await second.close()
  assert.deepEqual(lines, [])

  await take(t, url)
  const third = open()
  t.after(() => third.close())
  await third.resume()
  const moved = (await store.zones.get(zones[0]!.id))!.originUrl!
  assert.notEqual(moved, url)
  assert.equal((await fetch(moved)).status, 200)
  assert.equal((await store.zones.get(zones[1]!.id))!.originUrl, zones[1]!.originUrl)
  assert.equal(lines.length, 1)
  assert.match(lines.join(), new RegExp(`${url}: .* ${moved}`))
  const [entry] = await store.audit.list(account.id, { offset: 0, limit: 1 })
  assert.deepEqual(entry?.resource, { kind: 'zone', id: zones[0]!.id })
})

for (const movedBefore of [0, 1])
  test(`a start that is interrupted after ${movedBefore} of 2 zones have moved to the sample site loses none`, async t => {
    const { store, account, open } = await installation(t)
    const first = open()
    const url = await first.begin()
    const zones = [aZone(account.id, { originUrl: url }), aZone(account.id, { originUrl: url })]
    for (const zone of zones) await store.zones.insert(zone)
    await first.close()
    await take(t, url)

    const update = store.zones.update.bind(store.zones)
    let moved = 0
    store.zones.update = (...change) => {
      if (moved++ === movedBefore) throw new Error('the power is gone')
      return update(...change)
    }
    const second = open()
    await second.resume()
    store.zones.update = update
    await second.close()
    for (const zone of await store.zones.list()) if (zone.originUrl !== url) await take(t, zone.originUrl!)

    const third = open()
    t.after(() => third.close())
    await third.resume()
    const origins = (await store.zones.list()).map(zone => zone.originUrl)
    assert.deepEqual(new Set(origins).size, 1)
    assert.match(await (await fetch(origins[0]!)).text(), /sample/i)
  })
