import { selfSignedCertificate } from '../../src/edge/index.ts'
import { openConfiguration } from '../../test/support/opentofu.ts'
import { api, type Instance } from '../../test/support/sluice.ts'
import type { Fixture } from './fixtures.ts'
import { lifecycles } from './lifecycles.ts'
import { stagesAfter } from './run-lifecycle.ts'

export interface Outcome {
  readonly resource: string
  /** The file of the step. */
  readonly step: string
  /** An error is the right result. */
  readonly isWrong: boolean
  /** `applied`: and the plan after it is empty. */
  readonly result: 'applied' | 'differs' | 'error'
  /** The output of OpenTofu; empty when the step was applied. */
  readonly reason: string
}

/**
 * Applies the steps of a fixture one over the other, in a separate zone, and destroys the result. The project's own
 * configurations are imported before.
 * @param number tells the zones and names of fixtures apart
 */
export async function runFixture(
  sluice: Instance,
  account: string,
  { resource, name, isOwn, steps }: Fixture,
  number: number,
): Promise<readonly Outcome[]> {
  const domain = `fixture${number}.example.com`
  const made = await api(sluice, 'POST', '/zones', {
    name: domain,
    account: { id: account },
    origin: { url: 'http://127.0.0.1:9' },
  })
  const zone: string = made.result.id
  const scope = { account, zone, domain, name: `fixture_${number}`, files: sluice.data }
  const configuration = await openConfiguration(sluice, {
    ...(isOwn ? await certificates(domain) : {}),
    account_id: account,
    zone_id: zone,
    domain,
    files: sluice.data,
  })
  const outcomes: Outcome[] = []
  const record = (step: string, outcome: Pick<Outcome, 'result' | 'reason'>, isWrong = false) =>
    outcomes.push({ resource, step, isWrong, ...outcome })
  for (const step of steps) {
    const run = async () => {
      await configuration.apply(step.text(scope))
      return configuration.plan()
    }
    const outcome = await outcomeOf(step.says.length === 0 ? run : () => missingWords(run, step.says))
    record(step.name, outcome, step.isWrong)
  }
  if (
    isOwn &&
    steps.every(({ says }) => says.length === 0) &&
    outcomes.every(({ result }) => result === 'applied')
  ) {
    const lifecycle = lifecycles[`${resource}/${name}`] ?? lifecycles[resource]
    if (lifecycle === undefined) throw new Error(`lifecycles.ts does not say how ${resource} ends`)
    for (const stage of await stagesAfter(sluice, configuration, resource, lifecycle))
      record(`${resource}/${name}: ${stage.name}`, await outcomeOf(stage.run))
  } else {
    const left = await outcomeOf(() => configuration.destroy().then(() => ''))
    if (left.result === 'error' && !outcomes.every(({ isWrong }) => isWrong))
      record(`${resource}/${name}: destroy`, left)
  }
  await api(sluice, 'DELETE', `/zones/${zone}`)
  return outcomes
}

/** @param run returns the plan that should be empty */
async function outcomeOf(run: () => Promise<string>): Promise<Pick<Outcome, 'result' | 'reason'>> {
  try {
    const difference = await run()
    return { result: difference === '' ? 'applied' : 'differs', reason: difference }
  } catch (error) {
    return { result: 'error', reason: reasonIn(error) }
  }
}

/** @returns the output, if the run does not fail or its error lacks some of the words; otherwise empty */
async function missingWords(run: () => Promise<string>, says: readonly string[]): Promise<string> {
  const printed = await run().then(() => 'it was applied', printedBy)
  const missing = says.filter(words => !printed.includes(words))
  return missing.length === 0 ? '' : `the error does not say ${missing.join(' and ')}: ${printed}`
}

/** The output of OpenTofu, in one line and without frames. */
function printedBy(error: unknown): string {
  return String((error as Error).message)
    .replace(/[│╷╵]/g, '')
    .replace(/\s+/g, ' ')
    .replaceAll('\\"', '"')
}

/** The messages of the API if it refused, otherwise what OpenTofu says. */
function reasonIn(error: unknown): string {
  const text = String((error as Error).message)
    .replace(/[│╷╵]/g, '')
    .replace(/\s+/g, ' ')
  const refused = [...text.matchAll(/"message":"((?:[^"\\]|\\.)*)"/g)].map(([, message]) => message!)
  const printed = [...text.matchAll(/Error: (.*?)(?=Error: |$)/g)].map(([, one]) => one!.trim())
  return [...new Set(refused.length > 0 ? refused : printed.length > 0 ? printed : [text])].join('; ')
}

/** Two certificates for a zone, as input variables. */
async function certificates(domain: string): Promise<Readonly<Record<string, string>>> {
  const made = await Promise.all([0, 1].map(() => selfSignedCertificate([domain, `*.${domain}`], new Date())))
  return {
    certificate: made[0]!.certificate,
    private_key: made[0]!.key,
    next_certificate: made[1]!.certificate,
    next_private_key: made[1]!.key,
  }
}
