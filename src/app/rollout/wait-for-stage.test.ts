import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Rollout } from '../../model/rollout.ts'
import { openSqliteStore, StoreError } from '../../store/index.ts'
import { anAccount, testCipher } from '../../store/testing/data.ts'
import { waitForStage } from './wait-for-stage.ts'

test('an edge without a copy waits while others serve earlier documents, also while the database is away', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-wait-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const store = await openSqliteStore(join(folder, 'database.db'), { migrate: true, cipher: testCipher })
  t.after(() => store.close())
  await store.accounts.insert(anAccount())
  const rollout: Rollout = {
    state: 'staged',
    everywhere: (await store.changes.head()) - 1,
    staged: await store.changes.head(),
    first: ['a'],
    beganMs: 1000,
    lastMs: 1000,
    reason: '',
  }
  const put = async (changes: Partial<Rollout>) =>
    store.rollout.put({ ...rollout, ...changes }, (await store.rollout.get()).revision)
  await put({})
  const { everywhere: position, beganMs: stage } = rollout
  await store.rollout.report({ edge: 'b', stage, position, requests: 0, mitigated: 0, failed: 0 })
  let isAway = false
  const reached = new Proxy(store, {
    get(of, name: keyof typeof store) {
      if (isAway) throw new StoreError('unavailable', 'the database does not answer')
      return of[name]
    },
  })
  const lines: string[] = []
  const told = (line: string) => void lines.push(line)
  await waitForStage(reached, 'a', told)
  assert.deepEqual(lines, [], 'a first edge takes the newest documents')
  const over = { yet: false }
  const waiting = waitForStage(reached, 'c', told).then(() => {
    over.yet = true
  })
  const toldOf = async (what: RegExp) => {
    while (!lines.some(line => what.test(line))) await sleep(20)
  }
  await toldOf(/the newest changes are staged/)
  isAway = true
  await toldOf(/the database does not answer/)
  isAway = false
  await put({ state: 'halted' })
  await toldOf(/the newest changes are withdrawn: it waits until a person decides/)
  assert.equal(over.yet, false)
  await put({ state: 'idle' })
  await waiting
  assert.equal(lines.length, 3)
})
