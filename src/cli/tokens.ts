import { timestampOf } from '../kit/clock.ts'
import { newId } from '../kit/ids.ts'
import { hashSecret, newToken } from '../kit/secrets.ts'
import { parseCommandLine, UsageError } from './usage.ts'
import { withStore } from './with-store.ts'

/** `sluice tokens create NAME`, `list` and `revoke ID`. */
export async function tokensCommand(commandLine: readonly string[]): Promise<void> {
  const { words, settings } = parseCommandLine(commandLine)
  const [verb, argument] = words
  await withStore(settings, async store => {
    if (verb === 'list' && words.length === 1) {
      for (const token of await store.tokens.list())
        console.log(`${token.id}  ${token.createdOn}  ${token.name}`)
    } else if (verb === 'create' && argument !== undefined && words.length === 2) {
      const token = newToken()
      await store.tokens.insert({
        id: newId(),
        name: argument,
        hash: hashSecret(token),
        createdOn: timestampOf(Date.now()),
      })
      console.log(token)
    } else if (verb === 'revoke' && argument !== undefined && words.length === 2) {
      if (!(await store.tokens.delete(argument)))
        throw new Error(`there is no token ${argument}; see \`npx sluice tokens list\``)
      console.log(`${argument} is revoked`)
    } else
      throw new UsageError(
        'use `sluice tokens list`, `sluice tokens create NAME` or `sluice tokens revoke ID`',
      )
  })
}
