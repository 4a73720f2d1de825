import { limit, limits } from '../../kit/limits.ts'

export const memberLimits = limits('Users and sign-ins', {
  membersMax: limit(1000, 'count', 'Members of an account; more → 403.'),
  emailCharactersMax: limit(254, 'characters', 'An e-mail address of a user; longer → 400.'),
  invitationMs: limit(
    7 * 86_400_000,
    'ms',
    'Time for which an invitation sets the password of its user; later → 401.',
  ),
})
