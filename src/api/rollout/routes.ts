import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { timestampOf } from '../../kit/clock.ts'
import type { Rollout, RolloutAction } from '../../model/rollout.ts'
import { StoreError } from '../../store/index.ts'
import { auditEntry } from '../access/audit/entry.ts'
import { accountResource, authorize } from '../access/permissions/check.ts'
import type { ApiDeps } from '../deps.ts'
import type { Api } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { strict } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'

const states = ['off', 'idle', 'staged', 'halted'] as const
const actions = ['proceed', 'go_back', 'retry'] as const

export const rolloutSchema = Type.Object({
  state: Type.Union(states.map(state => Type.Literal(state))),
  share: Type.Integer(),
  changes: Type.Integer(),
  first_edges: Type.Array(Type.String()),
  began_on: Type.Optional(Type.String()),
  ends_on: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  edges: Type.Array(
    Type.Object({
      id: Type.String(),
      first: Type.Boolean(),
      has_changes: Type.Boolean(),
      requests: Type.Integer(),
      mitigated: Type.Integer(),
      failed: Type.Integer(),
    }),
  ),
})

const actionBody = Type.Object({ action: Type.Union(actions.map(action => Type.Literal(action))) }, strict)

const operation = operationsOf('Accounts')
const described = {
  get: operation(
    'getRollout',
    'See how far changes have come, and what the edges report',
    ['account', 'read'],
    {
      result: rolloutSchema,
    },
  ),
  act: operation(
    'actOnRollout',
    'Bring staged changes to all edges, or withdraw them',
    ['account', 'write'],
    {
      result: rolloutSchema,
    },
  ),
}

/** The roll-out of changes, which covers the whole installation. Sluice's own. */
export function rolloutRoutes(app: Api, deps: Pick<ApiDeps, 'store' | 'clock' | 'stages'>): void {
  const { store, clock } = deps
  /** The permission on the first account, which stands for the installation, decides. */
  const mayRead = allowed('read')
  const mayWrite = allowed('write')

  function allowed(level: 'read' | 'write') {
    return async (request: FastifyRequest) => {
      const [first] = await store.accounts.list()
      authorize(request, { area: 'account', level, resource: accountResource(first!.id) })
    }
  }

  const answer = async () => success(await toWire(deps))

  app.get('/rollout', { config: described.get, preHandler: mayRead }, answer)

  const act = { config: described.act, preHandler: mayWrite, schema: { body: actionBody } }
  app.post('/rollout', act, async request => {
    const { action } = request.body as { readonly action: RolloutAction }
    for (;;) {
      const { rollout, revision } = await store.rollout.get()
      const next = decided(rollout, action, await store.changes.head(), clock.nowMs())
      if (next === undefined) throw refusal('rolloutState', { state: rollout.state }, '/action')
      const audit = auditEntry(request, {
        action: 'update',
        resource: { kind: 'rollout', id: String(next.beganMs) },
        before: { state: rollout.state },
        after: { state: next.state, action },
      })
      try {
        await store.rollout.put(next, revision, audit)
        return await answer()
      } catch (error) {
        // A control process went on meanwhile: the action applies to what is there now.
        if (!(error instanceof StoreError && error.code === 'stale')) throw error
      }
    }
  })
}

/** @returns undefined: the action has no meaning in this state */
function decided(rollout: Rollout, action: RolloutAction, head: number, nowMs: number): Rollout | undefined {
  const { state } = rollout
  if (action === 'go_back') {
    if (state !== 'staged') return undefined
    return { ...rollout, state: 'halted', lastMs: nowMs, reason: 'a person withdrew the changes' }
  }
  if (state !== 'halted' && (state !== 'staged' || action === 'retry')) return undefined
  const everywhere = action === 'proceed' ? head : rollout.everywhere
  return { ...rollout, state: 'idle', everywhere, staged: everywhere, reason: '' }
}

async function toWire({ store, stages }: Pick<ApiDeps, 'store' | 'stages'>): Promise<object> {
  const { rollout, changes } = store
  const [{ rollout: now }, reports, head] = await Promise.all([
    rollout.get(),
    rollout.reports(),
    changes.head(),
  ])
  const isOpen = now.state === 'staged' || now.state === 'halted'
  return {
    state: now.state,
    share: stages.share,
    changes: isOpen ? head - now.everywhere : 0,
    first_edges: now.first,
    ...(isOpen && { began_on: timestampOf(now.beganMs) }),
    ...(now.state === 'staged' && { ends_on: timestampOf(stages.endMs(now)) }),
    ...(now.reason !== '' && { reason: now.reason }),
    edges: reports.map(({ edge, stage, position, requests, mitigated, failed }) => {
      const counts = stage === now.beganMs ? { requests, mitigated, failed } : none
      return {
        id: edge,
        first: now.first.includes(edge),
        has_changes: isOpen && position > now.everywhere,
        ...counts,
      }
    }),
  }
}

const none = { requests: 0, mitigated: 0, failed: 0 }
