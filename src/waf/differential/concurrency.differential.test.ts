import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Worker } from 'node:worker_threads'
import { shareOf } from '../../kit/testing/share.ts'
import { crsMissing, crsProgram, crsSnapshot } from '../testing/crs.ts'
import type { Answer, Job } from '../testing/outcome-worker.ts'
import { inSteps, type Outcome, outcomeOf, type Random, randomFrom } from '../testing/outcomes.ts'
import { randomRequest, randomValue } from '../testing/random-requests.ts'
import { randomMatch, randomRules, randomText } from '../testing/random-rules.ts'
import { program, type TestRequest } from '../testing/requests.ts'
import type { Program } from '../types.ts'

/** Requests that run at the same time, in one thread or in several, do not affect each other. */

/** The clock advances at each reading, so that the engine pauses wherever it may. */
function alwaysPause(test: TestContext): void {
  let now = 1
  test.mock.method(performance, 'now', () => (now += 5))
}

/** Runs all at once: each step is one of a random request. */
function interleaved(
  rules: Program,
  requests: readonly TestRequest[],
  random: Random,
): { readonly outcomes: readonly Outcome[]; readonly pauses: number } {
  const mask = rules.mask(() => false)
  const outcomes: Outcome[] = []
  const running = requests.map((request, number) => ({ number, steps: inSteps(rules, request, { mask }) }))
  let pauses = 0
  while (running.length > 0) {
    const next = random(running.length)
    const { number, steps } = running[next]!
    const step = steps.next()
    if (step.done !== true) pauses++
    else {
      outcomes[number] = step.value
      running.splice(next, 1)
    }
  }
  return { outcomes, pauses }
}

/** With values that are too long for one slice. */
function long(request: TestRequest, value: () => string): TestRequest {
  let text = ''
  while (text.length < 12_000) text += `${value()} `
  const headers = (request.headers ?? []).filter(([name]) => !/^content-/i.test(name))
  return {
    ...request,
    method: 'POST',
    headers: [...headers, ['Content-Type', 'application/x-www-form-urlencoded']],
    body: `a=${encodeURIComponent(text.slice(0, 6000))}&b=${encodeURIComponent(text)}&c=${value()}`,
  }
}

describe('several requests in one thread', () => {
  it('small random programs', test => {
    alwaysPause(test)
    let pauses = 0
    for (let seed = 0; seed < shareOf(60); seed++) {
      const random = randomFrom(80_000 + seed)
      const text = randomRules(random)
      const rules = program(text)
      const requests = Array.from({ length: 4 }, () => long(randomMatch(random), () => randomText(random)))
      const together = interleaved(rules, requests, random)
      const alone = requests.map(request => outcomeOf(rules, request))
      assert.deepEqual(together.outcomes, alone, `seed ${seed}\n${text}`)
      pauses += together.pauses
    }
    assert.ok(pauses > shareOf(500), `${pauses} pauses`)
  })

  it('CRS 4.28.0', { skip: crsMissing }, test => {
    alwaysPause(test)
    const rules = crsProgram('4.28.0', { engine: 'DetectionOnly' })
    const random = randomFrom(81)
    for (let round = 0; round < shareOf(24); round++) {
      const requests = Array.from({ length: 4 }, (_, i) => {
        const request = randomRequest(random)
        return i % 2 === 0 ? request : long(request, () => randomValue(random))
      })
      const together = interleaved(rules, requests, random)
      assert.ok(together.pauses > 20, `${together.pauses} pauses`)
      const alone = requests.map(request => outcomeOf(rules, request, { exact: true }))
      assert.deepEqual(together.outcomes, alone)
    }
  })
})

/** The outcomes of all requests, each sent to one of several workers. */
async function byWorkers(
  count: number,
  rules: string | SharedArrayBuffer,
  requests: readonly TestRequest[],
): Promise<readonly Outcome[]> {
  const file = new URL('../testing/outcome-worker.ts', import.meta.url)
  const workers = Array.from({ length: count }, () => new Worker(file, { workerData: rules }))
  const outcomes: Outcome[] = []
  let left = requests.length
  await new Promise<void>((resolve, reject) => {
    for (const worker of workers) {
      worker.on('error', reject)
      worker.on('message', ({ number, outcome }: Answer) => {
        outcomes[number] = outcome
        if (--left === 0) resolve()
      })
    }
    for (const [number, request] of requests.entries()) {
      const job: Job = { number, request }
      workers[number % count]!.postMessage(job)
    }
  })
  await Promise.all(workers.map(worker => worker.terminate()))
  return outcomes
}

describe('requests over several workers', () => {
  it('a small program', async () => {
    const random = randomFrom(83)
    const text = randomRules(random)
    const rules = program(text)
    const requests = Array.from({ length: 60 }, () => randomMatch(random))
    const want = requests.map(request => outcomeOf(rules, request))
    assert.deepEqual(await byWorkers(3, text, requests), want)
  })

  it('CRS 4.28.0', { skip: crsMissing }, async () => {
    const rules = crsProgram('4.28.0')
    const random = randomFrom(84)
    const requests = Array.from({ length: shareOf(120) }, () => randomRequest(random))
    const want = requests.map(request => outcomeOf(rules, request))
    assert.deepEqual(await byWorkers(2, crsSnapshot('4.28.0'), requests), want)
  })
})
