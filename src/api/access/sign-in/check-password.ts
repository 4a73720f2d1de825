import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { hashSecret } from '../../../kit/secrets.ts'
import type { User } from '../../../model/resource.ts'
import type { ApiDeps } from '../../deps.ts'
import { refusal } from '../../http/errors.ts'
import { type FailedSignIns, Refused } from '../failed-sign-ins.ts'
import { passwordLimits } from '../limits.ts'
import { isOneTimeCode, recoveryCodeHash, stepOf } from './one-time-codes.ts'
import { isPassword } from './passwords.ts'

/** Passwords that were right are remembered as hashes, which this makes useless for comparisons with lists. */
const salt = randomBytes(16).toString('hex')

/** Checks the password and the one-time code of a user. Failures slow down the address and the user. */
export class PasswordCheck {
  readonly #deps: ApiDeps
  readonly #signIns: FailedSignIns
  /** Wrong codes by user: only a client with the right password gets here, so strangers cannot reach the limit. */
  readonly #wrongCodes = new Map<string, { count: number; readonly untilMs: number }>()

  constructor(deps: ApiDeps, signIns: FailedSignIns) {
    this.#deps = deps
    this.#signIns = signIns
  }

  /** @throws ApiError 401, the same for an unknown user and a wrong password; 429 */
  async password(request: FastifyRequest, email: string, password: string): Promise<User> {
    const name = email.toLowerCase()
    const secret = hashSecret(`${salt} ${name} ${password}`)
    return this.#signIns.attempt(
      request,
      secret,
      async () => {
        const user = await this.#deps.store.users.byEmail(name)
        const matches = await isPassword(password, user?.passwordHash)
        return matches && user !== undefined ? user : new Refused('wrong_password', refusal('wrongPassword'))
      },
      `user ${hashSecret(name)}`,
    )
  }

  /**
   * For users with two-factor authentication: a one-time code of their app, or a recovery code. Each is used once.
   * @throws ApiError 401, or 429 after several wrong codes
   */
  async secondFactor(request: FastifyRequest, user: User, code: string | undefined): Promise<void> {
    if (user.totp?.confirmed !== true) return
    if (code === undefined) throw refusal('oneTimeCodeNeeded')
    const nowMs = this.#deps.clock.nowMs()
    const wrong = this.#wrongCodes.get(user.id)
    const count = wrong !== undefined && wrong.untilMs > nowMs ? wrong.count : 0
    if (count >= passwordLimits.wrongCodesMax) throw refusal('tooManyCodes')
    // Counted beforehand, so that parallel attempts do not exceed the limit.
    const untilMs = count === 0 ? nowMs + passwordLimits.wrongCodesMs : wrong!.untilMs
    this.#wrongCodes.set(user.id, { count: count + 1, untilMs })
    if (!(await this.#takes(user, code, nowMs))) {
      this.#signIns.count(request, new Refused('wrong_code', refusal('wrongCode')))
      throw refusal('wrongCode')
    }
    this.#wrongCodes.delete(user.id)
  }

  #takes(user: User, code: string, nowMs: number): Promise<boolean> {
    const { users } = this.#deps.store
    if (!isOneTimeCode(code)) return users.takeRecoveryCode(user.id, recoveryCodeHash(code))
    const step = stepOf(user.totp!, code, nowMs)
    return step === undefined ? Promise.resolve(false) : users.takeTotpStep(user.id, step)
  }
}
