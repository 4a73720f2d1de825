import { knownFailureOf } from './known-failures.ts'
import type { Outcome } from './run-fixture.ts'

/**
 * One line for each resource with its counts, and below it each step that failed, with the known reason or the output.
 * @param isKept whether the installation keeps what it does not enforce
 */
export function table(outcomes: readonly Outcome[], isKept: boolean): string {
  const resources = Object.entries(Object.groupBy(outcomes, ({ resource }) => resource))
  return resources
    .sort(([a], [b]) => a.localeCompare(b))
    .flatMap(([resource, steps = []]) => [
      counts(resource, steps),
      ...steps.filter(hasFailed).map(step => line(step, isKept)),
    ])
    .join('\n')
}

/** A wrong configuration has failed if it was applied. */
export function hasFailed({ isWrong, result }: Outcome): boolean {
  return isWrong ? result !== 'error' : result !== 'applied'
}

function counts(resource: string, steps: readonly Outcome[]): string {
  const right = steps.filter(step => !hasFailed(step)).length
  const differ = steps.filter(({ result }) => result === 'differs').length
  return `${resource.padEnd(30)} ${right} of ${steps.length}, ${differ} differ, ${steps.length - right - differ} errors`
}

function line({ step, result, reason }: Outcome, isKept: boolean): string {
  const known = knownFailureOf(step, isKept)
  return known === undefined
    ? `  ${result.padEnd(8)} ${step}: ${reason.slice(0, 400)}`
    : `  known    ${step}: ${known.reason}`
}
