const charactersMin = 12

export const passwordHint = `At least ${charactersMin} characters; a sentence of a few words is easy to remember.`

/** Why the API would refuse a new password; undefined when it would not. */
export function passwordFault(password: string): string | undefined {
  return password.length < charactersMin ? `${charactersMin - password.length} more characters.` : undefined
}
