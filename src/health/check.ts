import type { AddressPolicy } from '../outgoing/index.ts'
import type { CheckTarget, Finding } from './finding.ts'
import { checkHttp } from './http-check.ts'
import { checkTcp } from './tcp-check.ts'

/** Checks an origin; after a time-out again, as often as the monitor says. @param closing ends the check early */
export async function check(
  target: CheckTarget,
  policy: AddressPolicy,
  closing: AbortSignal,
): Promise<Finding> {
  const { retries, timeoutSeconds, type } = target.monitor
  for (let attempt = 0; ; attempt++) {
    const finding =
      type === 'tcp'
        ? await checkTcp(target, policy)
        : await checkHttp(
            target,
            policy,
            AbortSignal.any([closing, AbortSignal.timeout(timeoutSeconds * 1000)]),
          )
    if (!finding.timedOut || attempt >= retries || closing.aborted) return finding
  }
}
