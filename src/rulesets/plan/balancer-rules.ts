import { WorkExceededError } from '../../expressions/index.ts'
import type { LoadBalancer, LoadBalancerRule } from '../../model/load-balancing.ts'
import { balancerContext } from '../fields/expression-context.ts'
import type { RequestView } from '../fields/request-view.ts'
import { filterOf } from './expressions.ts'
import type { FixedResponse, HostOrigins, ListLookup, RuledOrigins } from './plan.ts'

/** Combinations of matching rules whose origins are kept, for each load balancer. */
const combinationsKept = 64

const noLists: ListLookup = () => undefined

/** A compiled rule. */
interface Rule {
  readonly matches: (view: RequestView) => boolean
  readonly source: LoadBalancerRule
}

/**
 * @param rules not all disabled
 * @param originsOf the servers of the load balancer with overrides
 */
export function ruledOrigins(
  balancer: LoadBalancer,
  rules: readonly LoadBalancerRule[],
  originsOf: (balancer: LoadBalancer) => HostOrigins,
): RuledOrigins {
  const compiled = inOrder(rules).map((source): Rule => {
    const { condition = '' } = source
    return {
      source,
      matches: condition === '' ? () => true : filterOf(condition, balancerContext, noLists).test,
    }
  })
  const kept = new Map<string, HostOrigins>()
  const withOverrides = (matched: readonly LoadBalancerRule[], key: string): HostOrigins => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const overridden = Object.assign(
      {},
      balancer,
      ...matched.map(({ overrides }) => overrides),
    ) as LoadBalancer
    const origins = originsOf(overridden)
    if (kept.size >= combinationsKept) kept.delete(kept.keys().next().value!)
    kept.set(key, origins)
    return origins
  }
  return {
    resolve: (view, onExceeded) => {
      const matched: LoadBalancerRule[] = []
      let key = ''
      for (const [at, { matches, source }] of compiled.entries()) {
        if (!holds(matches, view, onExceeded)) continue
        if (source.fixedResponse !== undefined) return fixed(source.fixedResponse)
        matched.push(source)
        key += ` ${at}`
        if (source.terminates === true) break
      }
      return withOverrides(matched, key)
    },
  }
}

/** By priority, else in the order of the list. */
function inOrder(rules: readonly LoadBalancerRule[]): readonly LoadBalancerRule[] {
  const priorities = new Map(rules.map((rule, at) => [rule, rule.priority ?? at]))
  return rules
    .filter(({ disabled }) => disabled !== true)
    .sort((a, b) => priorities.get(a)! - priorities.get(b)!)
}

function holds(matches: Rule['matches'], view: RequestView, onExceeded: () => void): boolean {
  try {
    return matches(view)
  } catch (error) {
    if (!(error instanceof WorkExceededError)) throw error
    onExceeded()
    return false
  }
}

function fixed({
  statusCode = 200,
  contentType = 'text/plain',
  location,
  messageBody = '',
}: NonNullable<LoadBalancerRule['fixedResponse']>): FixedResponse {
  return { status: statusCode, contentType, location, body: messageBody }
}
