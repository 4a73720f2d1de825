import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { readSettings } from '../model/settings/index.ts'
import { holdWork } from './hold-work.ts'
import { openStore } from './state/stores.ts'

test('one process has the work; another takes it when it ends', async t => {
  const data = await mkdtemp(join(tmpdir(), 'sluice-work-'))
  t.after(() => rm(data, { recursive: true }))
  const settings = readSettings({ SLUICE_DATA: data, SLUICE_SECRET_KEY: '5a'.repeat(32) })
  assert.ok(settings.ok)
  const store = await openStore(settings.value, true)
  const begin = () => {
    const told: boolean[] = []
    return { told, end: holdWork(store, 'analytics', held => told.push(held), pino({ level: 'silent' })) }
  }
  const one = begin()
  while (one.told.length === 0) await sleep(5)
  const two = begin()
  while (two.told.length === 0) await sleep(5)
  assert.deepEqual([one.told, two.told], [[true], [false]])
  await one.end()
  while (two.told.at(-1) !== true) await sleep(50)
  assert.deepEqual(one.told.includes(false), false)
  await two.end()
  await store.close()
})
