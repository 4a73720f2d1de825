import { TOTP } from 'otpauth'
import { newId } from '../../../kit/ids.ts'
import type { TestApi } from '../../testing/test-api.ts'
import { roles } from '../permissions/roles.ts'

const password = 'correct horse battery'
const time = '2026-01-02T03:04:05.000006Z'

/** Writes of accounts, members and the sign-in of the administrator, in the order that they need. */
export function userWrites(api: () => TestApi) {
  let names = 0
  let secret = ''
  const [, editor, analyst] = roles
  const newMember = () => ({ email: `member-${++names}@example.com`, roles: [editor!.id] })
  const members = '/accounts/:account_id/members'
  const aMember = async () => {
    const { body } = await api().send('POST', `/accounts/${api().accountId}/members`, newMember())
    return { member_id: body.result.id as string }
  }
  const aSession = async () => {
    const [{ userId } = { userId: '' }] = await api().store.tokens.list()
    const id = newId()
    const times = { createdOn: time, lastUsedOn: time, expiresOn: '2999-01-01T00:00:00.000000Z' }
    const client = { method: 'password', address: '192.0.2.1', agent: '' } as const
    await api().store.sessions.insert({ id, hash: id, userId, ...client, ...times })
    return { session_id: id }
  }
  const begun = async () => {
    const { body } = await api().send('POST', '/user/two_factor_authentication', { password })
    secret = body.result.secret
    return {}
  }
  return {
    'PUT /accounts/:account_id': { body: { name: 'Team' }, told: 'update account' },
    'POST /accounts': { body: { name: 'Shop' }, told: 'create account' },
    [`POST ${members}`]: { body: newMember, told: 'create member' },
    [`PUT ${members}/:member_id`]: { given: aMember, body: { roles: [analyst!.id] }, told: 'update member' },
    [`DELETE ${members}/:member_id`]: { given: aMember, told: 'delete member' },
    [`POST ${members}/:member_id/invitation`]: { given: aMember, told: 'create invitation' },
    'PUT /user/password': { body: { password }, told: 'update user_sign_in' },
    'POST /user/two_factor_authentication': { body: { password }, told: 'update user_sign_in' },
    'PUT /user/two_factor_authentication': {
      given: begun,
      body: () => ({ code: new TOTP({ secret, issuer: 'Sluice' }).generate() }),
      told: 'update user_sign_in',
    },
    'DELETE /user/two_factor_authentication': { body: { password }, told: 'update user_sign_in' },
    'DELETE /user/sessions/:session_id': { given: aSession, told: 'delete session' },
  }
}
