import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { readLogFiles } from '../support/log-files.ts'

/**
 * A power loss takes what was not synced: each life of the process ends with SIGKILL. Its data directory is put back
 * to the copies that a preloaded library made at each sync.
 */
const lives = 4

/** Of records. */
const perGroup = 20

for (const sync of ['always', 'interval'] as const)
  test(`power losses with sync ${sync}: no reset, no line twice, nothing lost that was synced`, async t => {
    const directory = mkdtempSync(join(tmpdir(), 'sluice-power-'))
    t.after(() => rmSync(directory, { recursive: true, force: true }))
    const library = join(directory, 'durable-files.so')
    const source = join(import.meta.dirname, 'durable-files.c')
    if (
      process.platform !== 'linux' ||
      spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl']).status !== 0
    ) {
      console.error('NOT TESTED: power losses: they need Linux and a C compiler (cc)')
      return t.skip('no cc')
    }
    const [data, durable, out] = ['data', 'durable', 'out'].map(name => join(directory, name)) as [
      string,
      string,
      string,
    ]
    mkdirSync(data)
    mkdirSync(durable)
    const start = (life: string) => {
      const script = join(import.meta.dirname, 'power-loss-process.ts')
      const child = spawn(process.execPath, [script, data, out, sync, life], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, LD_PRELOAD: library, DURABLE_FROM: data, DURABLE_TO: durable },
      })
      return { child, lines: createInterface({ input: child.stdout }), closed: once(child, 'close') }
    }
    const troubles: string[] = []
    const kept: string[] = []
    for (let life = 1; life <= lives; life++) {
      const { child, lines, closed } = start(String(life))
      let groups = 0
      for await (const line of lines) {
        if (!line.startsWith('kept ')) troubles.push(line)
        else {
          groups = Number(line.slice('kept '.length))
          if (groups === 40 + 7 * life) child.kill('SIGKILL')
        }
      }
      await closed
      assert.equal(child.signalCode, 'SIGKILL', 'it writes and delivers until it is killed')
      for (let group = 1; group <= groups; group++)
        for (let i = 0; i < perGroup; i++) kept.push(`${life}-${group}-${i}`)
      forgetRemoved(durable, data)
      rmSync(data, { recursive: true })
      cpSync(durable, data, { recursive: true })
    }
    const { child, lines, closed } = start('drain')
    for await (const line of lines) troubles.push(line)
    await closed
    assert.equal(child.exitCode, 0)

    const delivered = (await readLogFiles(out)).map(line => String(line['RayID']))
    const ids = new Set(delivered)
    assert.deepEqual(troubles, [])
    assert.equal(delivered.length, ids.size, 'no line came twice')
    if (sync === 'always')
      assert.deepEqual(
        kept.filter(id => !ids.has(id)),
        [],
      )
    assert.ok(delivered.length > perGroup * 20, `${delivered.length} delivered`)
    t.diagnostic(`${kept.length} records, ${delivered.length} delivered`)
  })

/** A file system keeps the order of what is removed and what is synced later. */
function forgetRemoved(durable: string, data: string): void {
  for (const name of readdirSync(durable, { recursive: true, encoding: 'utf8' }))
    if (!existsSync(join(data, name))) rmSync(join(durable, name), { recursive: true, force: true })
}
