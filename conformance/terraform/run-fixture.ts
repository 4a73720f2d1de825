import { openConfiguration } from '../../test/support/opentofu.ts'
import { api, type Instance } from '../../test/support/sluice.ts'
import type { Fixture } from './fixtures.ts'

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
 * Applies the steps of a fixture one over the other, in a separate zone, and destroys the result.
 * @param number tells the zones and names of fixtures apart
 */
export async function runFixture(
  sluice: Instance,
  account: string,
  { resource, name, steps }: Fixture,
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
  const configuration = await openConfiguration(sluice, { account_id: account, zone_id: zone, domain })
  const outcomes: Outcome[] = []
  for (const step of steps) {
    outcomes.push({
      resource,
      step: step.name,
      isWrong: step.isWrong,
      ...(await apply(() => step.text(scope))),
    })
  }
  await configuration.destroy().catch(error => {
    if (outcomes.every(({ isWrong }) => isWrong)) return
    outcomes.push({
      resource,
      step: `${name}: destroy`,
      isWrong: false,
      result: 'error',
      reason: reasonIn(error),
    })
  })
  await api(sluice, 'DELETE', `/zones/${zone}`)
  return outcomes

  async function apply(text: () => string): Promise<Pick<Outcome, 'result' | 'reason'>> {
    try {
      await configuration.apply(text())
      const difference = await configuration.plan()
      return { result: difference === '' ? 'applied' : 'differs', reason: difference }
    } catch (error) {
      return { result: 'error', reason: reasonIn(error) }
    }
  }
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
