import type { Rollout } from '../../api/types.ts'
import { momentText } from '../../ui/display/local-time.ts'

/** A decision of a person. */
export type RolloutAction = 'proceed' | 'go_back' | 'retry'

/** The decisions that each state allows. */
export const actionsIn: Readonly<Record<Rollout['state'], readonly RolloutAction[]>> = {
  off: [],
  idle: [],
  staged: ['proceed', 'go_back'],
  halted: ['retry', 'proceed'],
}

export const actionWords: Readonly<
  Record<RolloutAction, { readonly verb: string; readonly done: string; readonly effect: string }>
> = {
  proceed: {
    verb: 'Bring to all edges',
    done: 'All edges take the changes',
    effect: 'Every edge takes all changes now.',
  },
  go_back: {
    verb: 'Withdraw',
    done: 'The changes are withdrawn',
    effect:
      'The first edges go back to their documents from before. The API keeps the new ones. Further changes wait too, until you stage them or let all edges take them.',
  },
  retry: {
    verb: 'Stage again',
    done: 'The changes are staged again',
    effect: 'The first edges take the changes again, with all changes since then.',
  },
}

/** The state in a sentence, and the next step. */
export function stateText({
  state,
  share,
  changes,
  began_on,
  ends_on,
  reason,
  first_edges,
}: Rollout): string {
  const moved = `${changes === 1 ? 'One change' : `${changes} changes`} since ${momentText(began_on)}`
  switch (state) {
    case 'off':
      return share > 0
        ? 'Changes are staged once a control process has begun.'
        : 'Every edge takes each change at once. SLUICE_ROLLOUT_SHARE turns staging on.'
    case 'idle':
      return `All edges have the same changes. The next one goes to ${share} % of the edges first (${first_edges.length} now).`
    case 'staged':
      return `${moved}, on the first edges only (${share} %). Every edge takes them on ${momentText(ends_on)}, unless the figures of the first edges jump.`
    case 'halted':
      return `${moved}, withdrawn: ${reason}. They wait for a decision.`
  }
}

export interface Traffic {
  readonly name: string
  readonly edges: number
  readonly withChanges: number
  readonly requests: number
  /** `2.5 %` */
  readonly mitigated: string
  readonly failed: string
}

/** The figures that decide, of the first edges and of the others. */
export function trafficOf({ edges }: Rollout): readonly Traffic[] {
  return [true, false].map(first => {
    const own = edges.filter(edge => edge.first === first)
    const sum = (key: 'requests' | 'mitigated' | 'failed') =>
      own.reduce((total, edge) => total + edge[key], 0)
    const requests = sum('requests')
    const share = (part: number) => (requests === 0 ? '–' : `${((100 * part) / requests).toFixed(1)} %`)
    return {
      name: first ? 'First edges' : 'Other edges',
      edges: own.length,
      withChanges: own.filter(edge => edge.has_changes).length,
      requests,
      mitigated: share(sum('mitigated')),
      failed: share(sum('failed')),
    }
  })
}
