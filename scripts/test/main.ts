import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { setTimeout as sleep } from 'node:timers/promises'
import { idleCoreCounter } from './idle-cores.ts'
import { type Job, planJobs } from './plan.ts'
import { builtProduct } from './product.ts'

/**
 * `npm test [-- FILE_OR_FOLDER…]`: two jobs for each core at a time, because many of them mostly wait, and up to four while
 * the cores are idle. Prints a line for each file that is done, the whole of what failed, and in the end what was skipped.
 */

interface Outcome {
  readonly job: Job
  readonly passed: number
  readonly failed: number
  /** Reason and name of each test that was skipped. */
  readonly skipped: readonly string[]
  readonly seconds: number
  /** Details of failures for the reader; empty without one. */
  readonly report: string
}

const root = join(import.meta.dirname, '../..')
const together = join(import.meta.dirname, 'together.ts')
const preloaded = ['deadline.ts', 'follow.ts'].map(name => join(import.meta.dirname, name))
const testTimeoutMs = 300_000
/** Another job begins when so much of the processor is unused. */
const idleCoresMin = 0.3
/** By then a job that has begun shows what it takes. */
const paceMs = 1500
const tellsOfFailure: ReadonlySet<string> = new Set(['test:fail', 'test:stdout', 'test:stderr'])

// The tests and the instances that they start load the same modules over and over.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/sluice-tests/modules')
process.env['SLUICE_TEST_PRODUCT'] ??= builtProduct(root)

const jobs = planned(process.argv.slice(2))
const outcomes: Outcome[] = []
const startMs = performance.now()

await runAll([...jobs])
printSummary()

function planned(wanted: readonly string[]): readonly Job[] {
  try {
    return planJobs(root, wanted)
  } catch (error) {
    console.error((error as Error).message)
    process.exit(2)
  }
}

async function runAll(waiting: Job[]): Promise<void> {
  const cores = availableParallelism()
  const work = async () => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) await finish(job)
  }
  const running = Array.from({ length: 2 * cores }, work)
  const idleCores = idleCoreCounter()
  // A `for` would copy it each turn, and a job that ends would lower an old copy.
  let more = 0
  while (waiting.length > 0) {
    await sleep(paceMs)
    if (idleCores() < idleCoresMin || more === 2 * cores || waiting.length === 0) continue
    more++
    running.push(finish(waiting.shift()!).finally(() => more--))
  }
  await Promise.all(running)
}

async function finish(job: Job): Promise<void> {
  const outcome = await runJob(job)
  outcomes.push(outcome)
  printLine(outcome)
}

async function runJob(job: Job): Promise<Outcome> {
  const jobStartMs = performance.now()
  const stream = run({
    files: [together],
    argv: [...job.files],
    execArgv: preloaded.flatMap(path => ['--import', path]),
    timeout: testTimeoutMs,
    cwd: root,
  })
  const events: { type: string; data: unknown }[] = []
  let passed = 0
  let failed = 0
  const skipped: string[] = []
  const unfinished = new Set(job.files.map(file => relative(root, file)))
  for await (const event of stream) {
    if (tellsOfFailure.has(event.type)) events.push(event)
    if (event.type === 'test:fail' && !isOfSubtests(event.data.details.error)) failed++
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const { name, skip, file, details } = event.data
    if (details.type === 'suite') unfinished.delete(name)
    if (event.type === 'test:fail') continue
    // The tests of a suite that is skipped are not there.
    if (skip !== undefined)
      skipped.push(`${skip === true ? 'no reason given' : skip}: ${relative(root, file ?? '')}: ${name}`)
    else if (details.type !== 'suite') passed++
  }
  const report = failed === 0 ? '' : await text(Readable.from(events).compose(new spec()))
  // A test that ends its process takes the rest of the job with it.
  const ended = [...unfinished].map(file => `The process ended before ${file} was done.\n`)
  return {
    job,
    passed,
    failed: failed + ended.length,
    skipped,
    seconds: (performance.now() - jobStartMs) / 1000,
    report: report + ended.join(''),
  }
}

/** A suite, or a file, fails with its tests, which are counted themselves. */
function isOfSubtests(error: Error): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed'
}

function printLine({ job, passed, failed, seconds, report }: Outcome): void {
  const done = Math.floor((outcomes.length / jobs.length) * 100)
  const verdict = failed === 0 ? 'passed' : `FAILED ${failed},`
  console.log(`${String(done).padStart(3)} %  ${verdict} ${passed}  ${seconds.toFixed(1)} s  ${job.name}`)
  if (report !== '') console.log(report)
}

function printSummary(): void {
  const count = (of: (outcome: Outcome) => number) => outcomes.reduce((sum, outcome) => sum + of(outcome), 0)
  const failed = outcomes.filter(outcome => outcome.failed > 0)
  for (const outcome of outcomes) for (const test of outcome.skipped) console.log(`skipped ${test}`)
  // Again, because CI often shows only the end of a log.
  for (const { job, report } of failed) console.log(`failed  ${job.name}\n${report}`)
  const minutes = ((performance.now() - startMs) / 60_000).toFixed(1)
  console.log(
    `${count(({ passed }) => passed)} passed, ${count(outcome => outcome.failed)} failed, ${count(({ skipped }) => skipped.length)} skipped, ${minutes} minutes`,
  )
  process.exitCode = failed.length > 0 ? 1 : 0
}
