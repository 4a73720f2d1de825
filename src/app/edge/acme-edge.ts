import type { ChangeFeed } from '../../bus/index.ts'
import { AcmeChallenges } from '../../edge/index.ts'
import { backoffMs, type Clock } from '../../kit/clock.ts'
import type { ZonePlan } from '../../rulesets/index.ts'
import type { Store } from '../../store/index.ts'

export interface AcmeEdgeDeps {
  readonly store: { readonly acme: Pick<Store['acme'], 'challenges' | 'want'> }
  readonly changes: Pick<ChangeFeed, 'subscribe'>
  readonly plans: { find(host: string): ZonePlan | undefined }
  readonly clock: Clock
  readonly onError: (message: string, error: unknown) => void
}

/** The part of one edge in certificates by ACME. */
export interface AcmeEdge {
  readonly challenges: AcmeChallenges
  /** A client asked for a name without a certificate. */
  readonly onUncovered: (serverName: string) => void
  close(): void
}

/** A name that is not ordered yet is asked for again after this time. */
const repeatMs = 60_000

const retry = { firstMs: 250, longestMs: 5000 } as const

export async function openAcmeEdge(deps: AcmeEdgeDeps): Promise<AcmeEdge> {
  const { store, changes, clock, onError } = deps
  const challenges = new AcmeChallenges()
  const load = async () => challenges.replace(await store.acme.challenges(clock.nowMs()))
  let closed = false
  // One read at a time, so that an older one cannot win.
  let reads: Promise<void> = Promise.resolve()
  const reload = () => {
    reads = reads.then(async () => {
      for (let failures = 1; !closed; failures++) {
        try {
          return await load()
        } catch (error) {
          if (failures === 1) onError('challenges of a certificate authority cannot be read', error)
          await new Promise(resolve => setTimeout(resolve, backoffMs(retry, failures)).unref())
        }
      }
    })
  }
  const unsubscribe = changes.subscribe(change => {
    if (change.kind === 'acme' || change.kind === 'everything') reload()
  })
  // The edge serves without them if the database is away.
  await load().catch(reload)
  return {
    challenges,
    onUncovered: newDemand(deps),
    close() {
      closed = true
      unsubscribe()
    },
  }
}

/** Notes names of zones that clients ask for. Names that no zone lists cost a look-up in memory. */
function newDemand({ store, plans, clock, onError }: AcmeEdgeDeps): (serverName: string) => void {
  /** By name, the moment of the last note. Only names of zones are in it. */
  const noted = new Map<string, number>()
  return name => {
    const zone = plans.find(name)?.zone
    if (zone === undefined || zone.name !== name || !isPublicName(name)) return
    const nowMs = clock.nowMs()
    if (nowMs < (noted.get(name) ?? 0) + repeatMs) return
    noted.set(name, nowMs)
    store.acme.want(zone.id, name, nowMs).catch(error => {
      noted.delete(name)
      onError(`the certificate request for ${name} cannot be stored`, error)
    })
  }
}

/** Certificate authorities issue neither for addresses nor for single labels. */
function isPublicName(name: string): boolean {
  return /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(name)
}
