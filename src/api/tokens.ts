import { actorOf } from './auth.ts'
import type { Api } from './context.ts'
import { success } from './envelope.ts'
import { refusal } from './errors.ts'

/** `GET /user/tokens/verify`: whether the token that the request carries is good. */
export function tokenRoutes(app: Api): void {
  app.get('/user/tokens/verify', async request => {
    const actor = actorOf(request)
    if (actor.kind !== 'token') throw refusal('tokenNotValid')
    return success({ id: actor.id, status: 'active' }, [
      { code: 10000, message: 'This API Token is valid and active', type: null },
    ])
  })
}
