import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { newId } from '../../kit/ids.ts'
import type { Member } from '../../model/resource.ts'
import { StoreError } from '../../store/port/error.ts'
import type { MemberWithUser } from '../../store/port/people.ts'
import { auditEntry } from '../access/audit/entry.ts'
import { credentialsOf } from '../access/auth.ts'
import { policiesOf, roleById } from '../access/permissions/roles.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, accountOf } from '../http/context.ts'
import { page, success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { apiLimits } from '../http/limits.ts'
import { pageQuery } from '../http/list-query.ts'
import { idSchema, optional, strict } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import { isAdministrator, isLastAdministrator } from './administrators.ts'
import { memberLimits } from './limits.ts'
import { newInvitation, newMember } from './new-member.ts'
import { createdMemberSchema, invitationSchema, memberSchema, memberToWire } from './wire.ts'

const operation = operationsOf('Users')
const described = {
  list: operation('listMembers', 'List the members of an account', ['account', 'read'], {
    result: Type.Array(memberSchema),
  }),
  get: operation('getMember', 'Get a member of an account', ['account', 'read'], { result: memberSchema }),
  create: operation(
    'createMember',
    'Add a member; a new user gets an invitation, which only this response has',
    ['account', 'write'],
    {
      result: createdMemberSchema,
      example: { email: 'ann@example.com', roles: ['05784afa30c1afe1440e79d9351c7430'] },
    },
  ),
  update: operation('updateMember', 'Replace the roles of a member', ['account', 'write'], {
    result: memberSchema,
  }),
  delete: operation(
    'deleteMember',
    'Remove a member; a user without an account is deleted with their tokens',
    ['account', 'write'],
    { result: idSchema },
  ),
  invite: operation(
    'inviteMember',
    'Make an invitation, which sets a new password and ends two-factor authentication',
    ['account', 'write'],
    { result: invitationSchema },
  ),
}

const listQuery = Type.Object({
  ...pageQuery,
  order: optional(Type.Enum(['user.first_name', 'user.last_name', 'user.email', 'status'])),
  status: optional(Type.Enum(['accepted', 'pending', 'rejected'])),
})
const roleId = Type.Union([Type.String(), Type.Object({ id: Type.String() })])
const roleIds = Type.Array(roleId, { minItems: 1, maxItems: 10 })
const email = Type.String({ maxLength: memberLimits.emailCharactersMax, pattern: '^[^\\s@]{1,64}@[^\\s@]+$' })
const status = optional(Type.Enum(['accepted', 'pending']))
const createBody = Type.Object({ email, roles: roleIds, status }, strict)
/** Clients send a member back as they got it. */
const updateBody = Type.Object({ roles: roleIds })

interface MemberPath {
  Params: { readonly member_id: string }
}

/**
 * Members of the account of the path. Credentials give, change and take only rights that they have.
 * @source Cloudflare API, "Account members"
 */
export function memberRoutes(app: Api, deps: ApiDeps): void {
  const { store, clock } = deps
  const writes = new KeyedQueue()
  const serially = <T>(request: FastifyRequest, work: () => Promise<T>) =>
    writes.write(accountOf(request).id, work)

  app.get('/members', { config: described.list, schema: { querystring: listQuery } }, async request => {
    const { query } = request
    const members = (await store.members.list(accountOf(request).id)).filter(
      member => query.status === undefined || memberToWire(member).status === query.status,
    )
    if (query.order === 'user.email') members.sort((a, b) => (a.user.email < b.user.email ? -1 : 1))
    if (query.direction === 'desc') members.reverse()
    return page(members, query.page ?? 1, query.per_page ?? apiLimits.perPageDefault, memberToWire)
  })

  app.get<MemberPath>('/members/:member_id', { config: described.get }, async request =>
    success(memberToWire(await find(request))),
  )

  app.post('/members', { config: described.create, schema: { body: createBody } }, async request =>
    serially(request, async () => {
      const accountId = accountOf(request).id
      const roles = readRoles(request.body.roles)
      if ((await store.members.list(accountId)).length >= memberLimits.membersMax)
        throw refusal('tooManyMembers', { limit: String(memberLimits.membersMax) })
      const known = await store.users.byEmail(request.body.email)
      const user = known ?? { id: newId(), email: request.body.email.toLowerCase() }
      const member = newMember(accountId, user.id, roles, clock.nowMs())
      requireRights(request, member)
      const made = { ...member, user }
      if (known !== undefined) {
        await requireRightsOver(request, known.id)
        await store.members.insert(member, audit(request, 'create', undefined, made)).catch(error => {
          throw isConflict(error) ? refusal('memberExists', { email: user.email }, '/email') : error
        })
        return success(memberToWire(made))
      }
      const { invitation, ...shown } = newInvitation(clock.nowMs())
      await store.users.insert({ ...user, invitation }, member, audit(request, 'create', undefined, made))
      return success({ ...memberToWire(made), invitation: { ...shown, expires_on: invitation.expiresOn } })
    }),
  )

  app.put<MemberPath & { Body: Static<typeof updateBody> }>(
    '/members/:member_id',
    { config: described.update, schema: { body: updateBody } },
    async request =>
      serially(request, async () => {
        const member = await find(request)
        const changed = { ...member, roles: readRoles(request.body.roles) }
        requireRights(request, member)
        requireRights(request, changed)
        if (!isAdministrator(changed)) await requireOther(member)
        await store.members.setRoles(member.id, changed.roles, audit(request, 'update', member, changed))
        return success(memberToWire(changed))
      }),
  )

  app.delete<MemberPath>('/members/:member_id', { config: described.delete }, async request =>
    serially(request, async () => {
      const member = await find(request)
      requireRights(request, member)
      await requireOther(member)
      await store.members.delete(member.id, audit(request, 'delete', member, undefined))
      return success({ id: member.id })
    }),
  )

  app.post<MemberPath>('/members/:member_id/invitation', { config: described.invite }, async request => {
    const member = await find(request)
    await requireRightsOver(request, member.userId)
    const { invitation, ...shown } = newInvitation(clock.nowMs())
    const entry = auditEntry(request, {
      action: 'create',
      resource: { kind: 'invitation', id: member.userId },
      before: null,
      after: { email: member.user.email, expires_on: invitation.expiresOn },
    })
    await store.users.update(member.userId, { invitation }, entry)
    return success({ ...shown, expires_on: invitation.expiresOn })
  })

  async function find(request: FastifyRequest): Promise<MemberWithUser> {
    const { member_id: id } = request.params as MemberPath['Params']
    const member = await store.members.get(id)
    if (member === undefined || member.accountId !== accountOf(request).id)
      throw refusal('memberNotFound', { id: id.slice(0, 32) })
    return member
  }

  /** A user of other accounts may be in the hands of their administrators, who made the invitation. */
  async function requireRightsOver(request: FastifyRequest, userId: string): Promise<void> {
    for (const membership of await store.members.ofUser(userId)) requireRights(request, membership)
  }

  async function requireOther(member: Member): Promise<void> {
    if (await isLastAdministrator(store, member)) throw refusal('lastAdministrator')
  }

  function audit(
    request: FastifyRequest,
    action: 'create' | 'update' | 'delete',
    before: MemberWithUser | undefined,
    after: MemberWithUser | undefined,
  ) {
    return auditEntry(request, {
      action,
      resource: { kind: 'member', id: (after ?? before)!.id },
      before: before === undefined ? null : memberToWire(before),
      after: after === undefined ? null : memberToWire(after),
    })
  }
}

function readRoles(wanted: Static<typeof roleIds>): string[] {
  return wanted.map((role, at) => {
    const id = typeof role === 'string' ? role : role.id
    if (roleById(id) !== undefined) return id
    const reason = 'there is no such role; GET /accounts/{account_id}/roles lists them'
    throw refusal('badValue', { value: id.slice(0, 100), field: 'roles', reason }, `/roles/${at}`)
  })
}

function requireRights(request: FastifyRequest, member: Pick<Member, 'id' | 'accountId' | 'roles'>): void {
  const missing = credentialsOf(request).rights.missing(policiesOf(member), new Map())
  if (missing !== undefined) throw refusal('memberBeyondMaker', { group: missing.group })
}

function isConflict(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'conflict'
}
