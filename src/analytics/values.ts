/** Mitigating actions, in lower case. */
export const holding: ReadonlySet<string> = new Set([
  'block',
  'challenge',
  'jschallenge',
  'managedchallenge',
  'connectionclose',
])
