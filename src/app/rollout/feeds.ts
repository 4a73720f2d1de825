import { type ChangeFeed, type ChangeKeeper, type ChangeSource, createChangeFeed } from '../../bus/index.ts'
import type { Settings } from '../../model/settings/index.ts'
import type { Store } from '../../store/index.ts'
import type { EdgeWorkers } from '../edge/workers.ts'
import type { EdgeCopy } from '../edge-copy/edge-copy.ts'
import type { FoundCopy } from '../edge-copy/open-edge-copy.ts'
import type { Logger } from '../observe/logger.ts'
import type { Shutdown } from '../shutdown.ts'
import type { DatabaseReach } from '../state/database-reach.ts'
import { machineId } from '../state/machine-id.ts'
import { reportRequests } from './edge-reports.ts'
import { StagedChanges } from './staged-changes.ts'

export interface FeedDeps {
  readonly settings: Settings
  readonly store: Store
  readonly reach: DatabaseReach
  readonly logger: Logger
  readonly shutdown: Shutdown
}

/** The sources of the edge of a process. */
export interface EdgeFeed {
  readonly changes: ChangeFeed
  /** Undefined: it reads the database. */
  readonly copy: EdgeCopy | undefined
  /** Reports its requests while changes are staged. */
  report(edges: EdgeWorkers): void
}

/** All changes, and the changes that the edge of this process may take. */
export interface Feeds {
  readonly changes: ChangeFeed
  readonly edge: EdgeFeed
}

/** @param found the copy of an edge; undefined: one feed serves all parts of the process */
export async function openFeeds(deps: FeedDeps, found: FoundCopy | undefined): Promise<Feeds> {
  const { settings, store } = deps
  if (found === undefined) {
    const changes = await openFeed(deps, store.changes)
    return { changes, edge: { changes, copy: undefined, report() {} } }
  }
  const staged = new StagedChanges(store.changes, store.rollout, machineId(settings.data))
  const copy = found.over(store, () => staged.rollout?.everywhere)
  const start = copy.last
  const ofEdge = await openFeed(deps, staged, copy)
  const edge = { changes: withChallenges(ofEdge, staged), copy, report: reporter(deps, staged, copy) }
  if (!settings.roles.has('control') && !settings.roles.has('delivery')) return { changes: ofEdge, edge }
  // From the copy's position, because the database may be away.
  return { changes: await openFeed(deps, store.changes, { last: start, take: async () => {} }), edge }
}

async function openFeed(
  { reach, logger, shutdown }: FeedDeps,
  source: ChangeSource,
  keeper?: ChangeKeeper,
): Promise<ChangeFeed> {
  const onError = (error: unknown) => {
    // One line for an outage is enough.
    if (reach.problem === undefined)
      logger.error({ err: error }, 'a change could not be taken; it is repeated')
  }
  const feed = await createChangeFeed(reach.watch(source), onError, keeper)
  shutdown.add('changes', () => feed.close())
  return feed
}

/** Challenges of a certificate authority are never staged: while changes wait, some of them may be challenges. */
function withChallenges(feed: ChangeFeed, staged: StagedChanges): ChangeFeed {
  return {
    subscribe(onChange) {
      const ends = [
        feed.subscribe(onChange),
        staged.onWaiting(() => onChange({ kind: 'acme', id: '', sequence: 0, mark: '' })),
      ]
      return () => {
        for (const end of ends) end()
      }
    },
    close: () => feed.close(),
  }
}

function reporter(
  { settings, store, reach, logger, shutdown }: FeedDeps,
  staged: StagedChanges,
  copy: EdgeCopy,
) {
  return (edges: EdgeWorkers): void => {
    const end = reportRequests({
      edge: machineId(settings.data),
      rollout: () => staged.rollout,
      position: () => copy.last?.sequence ?? 0,
      metrics: () => edges.metrics(),
      store: store.rollout,
      onError(error) {
        if (reach.problem === undefined)
          logger.warn({ err: error }, 'the requests of this edge cannot be reported; it is repeated')
      },
    })
    shutdown.add('reports of the edge', end)
  }
}
