import { limit, limits } from '../../kit/limits.ts'

export const accountLimits = limits('Users and sign-ins', {
  accountsMax: limit(1000, 'count', 'Accounts of an installation; more → 403.'),
  nameCharactersMax: limit(100, 'characters', 'The name of an account; longer → 400.'),
})
