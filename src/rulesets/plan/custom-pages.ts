import { boxTokens, type CustomPage, type CustomPageId, valueTokens } from '../../model/custom-page.ts'
import type { CustomPages, PageParts } from './plan.ts'

/** The pages of a zone: its own before those of the account. Zones of an account share the account's. */
export function customPagesOf(
  account: readonly CustomPage[] = [],
  zone: readonly CustomPage[] = [],
): CustomPages {
  const shared = accountPagesOf(account)
  const own = planned(zone)
  return own.size === 0 ? shared : new Map([...shared, ...own])
}

const byAccount = new WeakMap<readonly CustomPage[], CustomPages>()

function accountPagesOf(pages: readonly CustomPage[]): CustomPages {
  let known = byAccount.get(pages)
  if (known === undefined) {
    known = planned(pages)
    byAccount.set(pages, known)
  }
  return known
}

/** A text with the tokens for values of the request. */
export function valueParts(text: string): PageParts {
  return text.split(valueToken)
}

const valueToken = new RegExp(`(${valueTokens.join('|')})`)
const token = new RegExp(`(${[...boxTokens, ...valueTokens].join('|')})`)

function planned(pages: readonly CustomPage[]): CustomPages {
  const customized = pages.filter(({ state }) => state === 'customized')
  return new Map(customized.map(({ id, content }): [CustomPageId, PageParts] => [id, content.split(token)]))
}
