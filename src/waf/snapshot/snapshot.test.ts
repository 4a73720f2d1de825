import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { shareOf } from '../../kit/testing/share.ts'
import { compile, compileSnapshot } from '../compile/compile.ts'
import { crsMissing, crsProgram, crsSnapshot } from '../testing/crs.ts'
import { outcomeOf, randomFrom } from '../testing/outcomes.ts'
import { randomRequest } from '../testing/random-requests.ts'
import { randomMatch, randomRules } from '../testing/random-rules.ts'
import { send } from '../testing/requests.ts'
import type { Answer } from '../testing/snapshot-worker.ts'
import type { CompileOptions, Program } from '../types.ts'
import { loadProgram } from './program-snapshot.ts'
import { isSnapshot } from './snapshot.ts'

const data = new Map([
  ['words one.conf', 'evil\nbad words\n'],
  ['words two.conf', 'other\n'],
  ['nets one.conf', '192.0.2.0/24\n'],
])
const readData = (name: string, from: string): string | undefined => data.get(`${name} ${from}`)

function snapshotOf(rules: string, options: Partial<CompileOptions> = {}): SharedArrayBuffer {
  const outcome = compileSnapshot([{ name: 'one.conf', text: rules }], { readData, ...options })
  assert.ok(outcome.ok)
  return outcome.value
}

function load(snapshot: ArrayBufferLike): Program {
  const program = loadProgram(snapshot)
  assert.ok(program !== undefined)
  return program
}

describe('a program from a snapshot', () => {
  it('behaves as the compiled one: random rules', () => {
    for (let seed = 0; seed < shareOf(400); seed++) {
      const random = randomFrom(90_000 + seed)
      const text = randomRules(random)
      const outcome = compile([{ name: 'one.conf', text }], { readData })
      assert.ok(outcome.ok)
      const loaded = load(snapshotOf(text))
      for (let i = 0; i < 10; i++) {
        const request = randomMatch(random)
        assert.deepEqual(
          outcomeOf(loaded, request),
          outcomeOf(outcome.value, request),
          `seed ${seed}\n${text}`,
        )
      }
    }
  })

  it('behaves as the compiled one: CRS 4.28.0', { skip: crsMissing }, () => {
    const compiled = crsProgram('4.28.0')
    const loaded = load(crsSnapshot('4.28.0'))
    assert.deepEqual(loaded.rules, compiled.rules)
    const random = randomFrom(91)
    for (let i = 0; i < shareOf(640); i++) {
      const request = randomRequest(random)
      assert.deepEqual(outcomeOf(loaded, request), outcomeOf(compiled, request), JSON.stringify(request))
      if (i < 20) {
        const exact = { exact: true }
        assert.deepEqual(outcomeOf(loaded, request, exact), outcomeOf(compiled, request, exact))
      }
    }
  })

  it('has read its data files, each relative to the source that names it', () => {
    const outcome = compileSnapshot(
      [
        {
          name: 'one.conf',
          text: `SecRule ARGS "@pmFromFile words" "id:1,phase:1,capture,msg:'%{TX.0}'"
            SecRule REMOTE_ADDR "@ipMatchFromFile nets" "id:2,phase:1"`,
        },
        { name: 'two.conf', text: 'SecRule ARGS "@pmFromFile words" "id:3,phase:1"' },
      ],
      { readData },
    )
    assert.ok(outcome.ok)
    const program = load(outcome.value)
    assert.deepEqual(send(program, { target: '/?a=BAD%20WORDS' }).matched, ['1 bad words', '2'])
    assert.deepEqual(send(program, { target: '/?a=other', clientIp: '198.51.100.1' }).matched, ['3'])
  })

  it('keeps settings, passive ranges, and texts of rules', () => {
    const rules = `SecResponseBodyMimeType application/json
      SecDefaultAction "phase:1,deny,status:406,tag:all"
      SecAction "id:2147483647,phase:1,block,msg:'one'"
      SecRule RESPONSE_BODY "@rx (?i)SECRET" "id:2,phase:4,deny,severity:CRITICAL,tag:'paranoia-level/1'"`
    const passive = [[2_147_483_647, 2_147_483_647]] as const
    const program = load(snapshotOf(rules, { passive }))
    const [rule] = program.rules
    assert.deepEqual(
      [rule?.id, rule?.line, rule?.source, rule?.tags],
      [2_147_483_647, 3, 'one.conf', ['all']],
    )
    assert.match(rule?.text ?? '', /^SecAction "id:2147483647/)
    const response = { headers: [['Content-Type', 'application/json']], body: 'a secret' } as const
    const { matched, interruption } = send(program, { response })
    assert.deepEqual([matched, interruption?.ruleId], [['2147483647 one', '2'], 2])
    assert.equal(send(load(snapshotOf(rules)), {}).interruption?.status, 406)
  })

  it('takes the clock and the limits of memory and work', () => {
    const snapshot = snapshotOf(
      `SecRule DURATION "@gt 10" "id:1,phase:1"\nSecRule ARGS "@rx a.c" "id:2,phase:1"`,
    )
    const request = { target: '/?a=abc', startedMs: 1_000_000 }
    const late = loadProgram(snapshot, { clock: { nowMs: () => 1_000_020 }, memoBytesMax: 0 })
    assert.deepEqual(send(late!, request).matched, ['1', '2'])
    assert.equal(send(loadProgram(snapshot, { workMax: 1 })!, request).transaction.overBudget, true)
  })
})

describe('a snapshot', () => {
  const snapshot = snapshotOf(`SecRule ARGS "@rx union.+select" "id:1,phase:1"`)

  it('with damage anywhere is refused', () => {
    assert.ok(isSnapshot(snapshot))
    for (let at = 0; at < snapshot.byteLength; at += 97) {
      const damaged = new Uint8Array(snapshot.slice(0))
      damaged[at]! ^= 0x10
      assert.equal(loadProgram(damaged.buffer), undefined, `byte ${at}`)
    }
  })

  it('that is incomplete, too long, of another version, or something else is refused', () => {
    const longer = new Uint8Array(snapshot.byteLength + 4)
    longer.set(new Uint8Array(snapshot))
    const other = new Int32Array(snapshot.slice(0))
    other[0]!++
    const rows = [
      snapshot.slice(0, snapshot.byteLength - 4),
      snapshot.slice(0, snapshot.byteLength - 1),
      snapshot.slice(0, 8),
      new SharedArrayBuffer(0),
      new SharedArrayBuffer(4096),
      longer.buffer,
      other.buffer,
    ]
    for (const row of rows) assert.equal(loadProgram(row), undefined, `${row.byteLength} bytes`)
  })

  it('requires a program without mistakes', () => {
    const outcome = compileSnapshot([{ name: 'one.conf', text: 'SecRule ARGS "@rx (" "id:1"' }], { readData })
    assert.ok(!outcome.ok)
    assert.deepEqual(
      outcome.diagnostics.map(({ code }) => code),
      ['invalid-operator'],
    )
  })

  it('is shared by all threads, and never written to', async () => {
    const before = new Uint8Array(snapshot.slice(0))
    const worker = new Worker(new URL('../testing/snapshot-worker.ts', import.meta.url), {
      workerData: snapshot,
    })
    const ask = (target: string): Promise<Answer> =>
      new Promise((resolve, reject) => {
        worker.once('message', resolve)
        worker.once('error', reject)
        worker.postMessage(target)
      })
    const target = '/?a=union%20all%20select'
    const { matched } = send(load(snapshot), { target })
    assert.deepEqual(matched, ['1'])
    assert.deepEqual(await ask(target), { isSnapshot: true, matched })
    assert.deepEqual(new Uint8Array(snapshot.slice(0)), before)
    // Changes made here are visible there.
    new Uint8Array(snapshot).fill(0, 0, 4)
    assert.deepEqual(await ask('/'), { isSnapshot: false, matched: [] })
    await worker.terminate()
  })
})
