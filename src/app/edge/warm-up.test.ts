import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ManagedExecution, ZonePlan } from '../../rulesets/index.ts'
import type { Program, RuleMask, Steps, WafRequest } from '../../waf/index.ts'
import { WarmUp } from './warm-up.ts'

function* nothing(): Steps {
  yield
  return undefined
}

/** A program that only counts its requests. */
function countingProgram(): { readonly program: Program; readonly seen: WafRequest[] } {
  const seen: WafRequest[] = []
  const program: Program = {
    rules: [],
    mask: () => ({ enabled: new Uint8Array(2) }),
    exception: () => assert.fail('a warm-up has no exceptions'),
    observe: () => assert.fail('a warm-up observes no request'),
    inspect: () => assert.fail('a warm-up runs the phases itself'),
    rehearse: () => assert.fail('a warm-up begins'),
    begin(request) {
      seen.push(request)
      return {
        requestHeaders: nothing,
        wantsRequestBody: true,
        requestBodyCut: false,
        requestBodyBytesMax: 1000,
        addRequestBody: () => {},
        requestBody: nothing,
        responseHeaders: nothing,
        wantsResponseBody: true,
        responseBody: nothing,
        logging: nothing,
        *workOutData() {},
        matches: [],
        requestScore: 0,
        responseScore: 0,
        overBudget: false,
        workShare: 0,
      }
    },
  }
  return { program, seen }
}

function planWith(program: Program, ...enabled: number[]): ZonePlan {
  const mask: RuleMask = { enabled: Uint8Array.from(enabled) }
  const effect = { kind: 'execute', program, mask } as ManagedExecution
  const rulesets = [{ rules: [{ effect }] }]
  return { request: [{ rulesets }] } as unknown as ZonePlan
}

test('a program is warmed once, and again for new rules', async () => {
  const warm = new WarmUp(() => 0)
  const { program, seen } = countingProgram()
  await warm.prepare(planWith(program, 1, 0))
  const rounds = seen.length
  assert.ok(rounds > 0)
  const methods = new Set(seen.map(request => request.method))
  assert.deepEqual([...methods].sort(), ['GET', 'POST'])
  await warm.prepare(planWith(program, 1, 0))
  await warm.prepare(planWith(program, 0, 0))
  assert.equal(seen.length, rounds)
  await warm.prepare(planWith(program, 0, 1))
  const more = seen.length - rounds
  assert.ok(more > 0 && more < rounds, `${more} of ${rounds}`)
  await warm.prepare(planWith(program, 1, 1))
  assert.equal(seen.length, rounds + more)
  const other = countingProgram()
  await warm.prepare(planWith(other.program, 1, 0))
  assert.equal(other.seen.length, rounds)
})

test('warming ends when its time is over', async () => {
  let nowMs = 0
  const warm = new WarmUp(() => (nowMs += 100))
  const { program, seen } = countingProgram()
  await warm.prepare(planWith(program, 1, 1))
  assert.ok(seen.length < 10, `${seen.length} requests`)
})
