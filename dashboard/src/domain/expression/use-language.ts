import { use, useMemo } from 'react'
import { useRead, useSession } from '../../api/hooks.ts'
import type { Language, LanguageContext } from './types.ts'

let engine: Promise<typeof import('./engine.ts')> | undefined

/** The engine loads with the first expression. After a failure, the next expression tries again. */
function loadEngine(): Promise<typeof import('./engine.ts')> {
  engine ??= import('./engine.ts').catch(error => {
    engine = undefined
    throw error
  })
  return engine
}

/** The rules language in a context, with the lists of the account. Suspends while the engine loads. */
export function useLanguage({ phase, use: purpose }: LanguageContext): Language {
  const { createLanguage } = use(loadEngine())
  const { accountId } = useSession()
  const path = { account_id: accountId }
  const { data: lists } = useRead('GET /accounts/{account_id}/rules/lists', { path }, { staleMs: 60_000 })
  return useMemo(
    () => createLanguage({ phase, use: purpose }, lists),
    [createLanguage, phase, purpose, lists],
  )
}
